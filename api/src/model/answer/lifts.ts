import { isLlamaCpp } from "../memory/defaults.ts";
import { elementBytes } from "../memory/kv-type.ts";
import { bitsPerWeight } from "../memory/weights.ts";
import { count, seconds } from "../trust/figures.ts";
import type { Quantity } from "../trust/quantity.ts";
import type { Wording } from "../trust/statement.ts";
import type { Binding, Plan } from "./answer.ts";
import { capacity } from "./capacity.ts";
import { plan } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import {
	contextQuantity,
	type Engines,
	fewestEngines,
	gpusQuantity,
	longestContext,
	withFewer,
} from "./searches.ts";

/** What becomes of the answer with one single change. */
export interface Lift {
	/** The change in words: "fp8 KV cache". */
	change: string;
	/** What it sets in the scenario. */
	patch: Partial<Scenario>;
	/** The most users within every limit. */
	users: Quantity;
	/** To the first token with so many users, or with one where not one is carried. */
	ttft: Quantity;
	/** Money of a request with so many users. */
	usdPerRequest: Quantity;
	/** Whether the load that was asked for is carried; null: not known. */
	carries: boolean | null;
}

export interface Lifts {
	/** The limit that one user more would cross; null: none, or not known. */
	binding: Binding;
	now: Lift;
	/** Single changes that carry more, most users first. */
	changes: Lift[];
	/** The scenario solved for its prompt: the most tokens at which the asked load is carried. null: at none. */
	longestContext: Quantity;
	/** Solved for its GPUs: the fewest on which the asked load is carried, as copies of the engine. null: on none that were tried. */
	fewestGpus: Quantity;
	/** What takes so many GPUs, the engine's ranks with them; null: there is no such number. */
	fewestGpusPatch: Partial<Scenario> | null;
}

const BARE: Wording = { arithmetic: false };
/** GPUs that one engine is spread over at most. */
const MOST_RANKS = 16;
/** Share of the card that engines are commonly raised to. */
const HIGH_SHARE = 0.95;

/**
 * What would carry more: each single change tried, in time, memory and money; and the scenario solved for its length and its
 * GPUs.
 * @param scenario its load is what has to be carried
 */
export function lifts(scenario: Scenario, facts: PlanFacts, wording: Wording = {}): Lifts {
	const asked = plan(scenario, facts, BARE);
	const most = capacity(scenario, facts, wording);
	const binding = asked.verdict.binding ?? most.binding;
	const attempt = (change: string, patch: Partial<Scenario>): Lift =>
		tried(change, patch, { ...scenario, ...patch }, facts, wording);
	const now = tried("as it is", {}, scenario, facts, wording, most);
	const length = longestContext(scenario, facts);
	const engines = fewestEngines(scenario, facts, asked);
	const known = now.users.value;
	const changes = [
		...formatChanges(asked.scenario),
		...engineChanges(scenario, asked.scenario, facts),
		...loadChanges(asked, binding, length.longest),
		...copyChanges(asked, engines),
	]
		.map(([change, patch]) => attempt(change, patch))
		.filter(({ users, carries }) => {
			if (users.value === null) return false;
			return known === null || users.value > known || (carries === true && !now.carries);
		})
		.sort((a, b) => (b.users.value ?? 0) - (a.users.value ?? 0));
	return {
		...{ binding, now, changes },
		longestContext: contextQuantity(scenario, facts, length, wording),
		fewestGpus: gpusQuantity(scenario, engines, withFewer(scenario, facts, engines), wording),
		fewestGpusPatch: engines.fewest === null ? null : engines.patch(engines.fewest),
	};
}

function tried(
	change: string,
	patch: Partial<Scenario>,
	scenario: Scenario,
	facts: PlanFacts,
	wording: Wording,
	{ users } = capacity(scenario, facts, wording),
): Lift {
	const full = { ...scenario, concurrency: Math.max(1, users.value ?? 1), rate: null };
	const { ttft, cost } = plan(full, facts, wording);
	return {
		...{ change, patch, users, ttft },
		usdPerRequest: cost.usdPerRequest,
		carries: carriesOf(plan(scenario, facts, BARE)),
	};
}

const carriesOf = ({ verdict }: Plan): boolean | null => (verdict.decided ? verdict.feasible : null);

type Proposal = [change: string, patch: Partial<Scenario>];

/** Smaller numbers for weights and cache. */
function formatChanges({ engine, weights, kvK, kvV }: Scenario): Proposal[] {
	const llama = isLlamaCpp(engine);
	const cache = llama ? "q8_0" : "fp8";
	const bits = bitsPerWeight(weights) ?? 0;
	const cacheBytes = Math.max(elementBytes(kvK ?? "bf16"), elementBytes(kvV ?? "bf16"));
	const [eight, four] = llama ? ["q8_0", "q4_k_m"] : ["fp8", "int4"];
	const proposals: Proposal[] = [];
	if (cacheBytes > elementBytes(cache)) proposals.push([`${cache} KV cache`, { kvK: cache, kvV: cache }]);
	if (bits > 8.5) proposals.push([`${eight} weights`, { weights: eight }]);
	if (bits > 5) proposals.push([`${four} weights`, { weights: four }]);
	return proposals;
}

/** One engine over more GPUs, or with more of each. */
function engineChanges(
	said: Scenario,
	{ engine, gpus, tp, utilisation }: Scenario,
	facts: PlanFacts,
): Proposal[] {
	const proposals: Proposal[] = [];
	const ranks = 2 * (tp ?? 1);
	const stages = facts.configuration?.pp ?? 1;
	const heads = facts.model?.heads ?? 0;
	if (!isLlamaCpp(engine) && stages === 1 && ranks <= MOST_RANKS && heads % ranks === 0)
		proposals.push([
			`tensor parallel over ${ranks} GPUs${(gpus ?? 1) >= ranks ? " of these" : ""}`,
			{ tp: ranks, gpus: Math.max(gpus ?? 1, ranks) },
		]);
	if (!isLlamaCpp(engine) && said.totalBytes === null && (utilisation ?? 1) < HIGH_SHARE)
		proposals.push([`${100 * HIGH_SHARE} % of the card for the engine`, { utilisation: HIGH_SHARE }]);
	return proposals;
}

/** Less asked of it. */
function loadChanges({ scenario, verdict, ttft, tpot }: Plan, binding: Binding, longest: number): Proposal[] {
	const { context, cached, ttftSlo, tpotSlo } = scenario;
	const proposals: Proposal[] = [];
	const shorter = verdict.feasible ? Math.floor(context / 2) : longest;
	if (shorter >= 1 && shorter < context)
		proposals.push([`prompts of ${count(shorter)} tokens`, { context: shorter }]);
	const shares = [0.5, 0.8, 0.95].filter((share) => share > cached);
	for (const share of shares)
		proposals.push([`${100 * share} % of each prompt from a prefix cache`, { cached: share }]);
	const looser = (limit: number, needed: number | null) => Math.max(2 * limit, roundedUp(needed ?? 0));
	if (binding === "ttft" && ttftSlo !== null) {
		const within = looser(ttftSlo, ttft.value);
		proposals.push([`first token within ${seconds(within)}`, { ttftSlo: within }]);
	}
	if (binding === "tpot" && tpotSlo !== null) {
		const within = looser(tpotSlo, tpot.value);
		proposals.push([`${seconds(within)} per token`, { tpotSlo: within }]);
	}
	return proposals;
}

/** To two digits, never below: a limit that is just kept. */
function roundedUp(value: number): number {
	if (!(value > 0)) return 0;
	const step = 10 ** (Math.floor(Math.log10(value)) - 1);
	return Number((Math.ceil(value / step) * step).toPrecision(2));
}

/** More engines side by side. */
function copyChanges({ scenario: { gpus } }: Plan, engines: Engines): Proposal[] {
	const now = gpus ?? 1;
	const enough = engines.fewest === null || engines.fewest <= now ? 2 * now : engines.fewest;
	return [[`${count(enough)} GPUs in place of ${count(now)}`, engines.patch(enough)]];
}
