import {
	capacity,
	isLlamaCpp,
	type KvType,
	kvTypeOf,
	type PlanFacts,
	plan,
	type Scenario,
	weightFormatOf,
} from "@plimsoll/api/model";
import { format, formatCount, plural } from "#lib/format.ts";

/** One precision that can be chosen, with what it costs and how many users it gains. */
export interface PrecisionChoice<T extends string> {
	value: T;
	label: string;
	note: string | undefined;
}

const LLAMA_CPP_KV: KvType[] = ["f16", "q8_0", "q5_1", "q4_0"];
const OTHER_KV: KvType[] = ["bf16", "fp8"];
const LLAMA_CPP_WEIGHTS = ["bf16", "q8_0", "q6_k", "q4_k_m"];
const OTHER_WEIGHTS = ["bf16", "fp8", "int4"];
/** Of a pair that nobody measured, with whatever engine. */
const PAIR_WEIGHTS = ["bf16", "fp8", "int4", "mxfp4", "q8_0", "q4_k_m"];

const BARE = { arithmetic: false };
const onLlamaCpp = ({ engine }: Scenario, { configuration }: PlanFacts) =>
	isLlamaCpp(engine ?? configuration?.engine ?? null);

/** The cache type that is planned with where the scenario says none. */
export const ownKvType = (scenario: Scenario, facts: PlanFacts): KvType =>
	kvTypeOf(facts.configuration?.kvK) ?? (onLlamaCpp(scenario, facts) ? "f16" : "bf16");

/** The weight format that is planned with where the scenario says none. */
export const ownWeights = ({ configuration }: PlanFacts): string => configuration?.weights ?? "bf16";

const usersOf = (scenario: Scenario, facts: PlanFacts) => capacity(scenario, facts, BARE).users.value;

/** "64 users" of what is chosen; of another "+5 users", "−12 users", "same users". */
export function usersWords(users: number | null, now: number | null, chosen: boolean): string | null {
	if (users === null || now === null) return null;
	if (chosen) return `${formatCount(users)} ${plural(users, "user")}`;
	const gained = users - now;
	if (gained === 0) return "same users";
	return `${gained > 0 ? "+" : "−"}${formatCount(Math.abs(gained))} ${plural(Math.abs(gained), "user")}`;
}

const lines = (...words: (string | null)[]) => words.filter((word) => word !== null).join("\n") || undefined;
const sized = (bytes: number | null) => (bytes === null ? null : format(bytes, "bytes").text);

/** Cache types, each with its bytes per token and the users that it gains. */
export function kvChoices(scenario: Scenario, facts: PlanFacts): PrecisionChoice<KvType>[] {
	const own = ownKvType(scenario, facts);
	const chosen = scenario.kvK ?? own;
	const now = usersOf(scenario, facts);
	const types = new Set([own, ...(onLlamaCpp(scenario, facts) ? LLAMA_CPP_KV : OTHER_KV), chosen]);
	return [...types].map((type) => {
		const asked = { ...scenario, kvK: type, kvV: type };
		const users = type === chosen ? now : usersOf(asked, facts);
		const bytes = plan(asked, facts, BARE).memory.kvBytesPerToken.value;
		return { value: type, label: type, note: lines(sized(bytes), usersWords(users, now, type === chosen)) };
	});
}

/** Weight formats, each with its bytes on each GPU and the users that it gains; null means as measured. */
export function weightChoices(scenario: Scenario, facts: PlanFacts): PrecisionChoice<string>[] {
	const own = ownWeights(facts);
	const chosen = scenario.weights ?? own;
	const now = usersOf(scenario, facts);
	const known = new Map<string, string>();
	const usual = onLlamaCpp(scenario, facts) ? LLAMA_CPP_WEIGHTS : OTHER_WEIGHTS;
	for (const name of [own, ...(facts.configuration ? usual : PAIR_WEIGHTS), chosen]) {
		const key = weightFormatOf(name) ?? name;
		if (!known.has(key)) known.set(key, name);
	}
	const same = (name: string) => (weightFormatOf(name) ?? name) === (weightFormatOf(chosen) ?? chosen);
	return [...known.values()].map((name) => {
		const asked = { ...scenario, weights: name === own ? null : name };
		const users = same(name) ? now : usersOf(asked, facts);
		const bytes = plan(asked, facts, BARE).memory.weightsBytes.value;
		return { value: name, label: name, note: lines(sized(bytes), usersWords(users, now, same(name))) };
	});
}
