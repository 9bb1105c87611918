import type { Binding, Capacity, Plan, PlanFacts } from "@plimsoll/api/model";
import { counted, format, formatCount } from "#lib/format.ts";
import { type VerdictWord, verdictWord } from "#lib/records/verdict-word.ts";

/** The answer as a person would say it, and whether the load that was asked for is carried. */
export interface Headline {
	/** "1 × NVIDIA H100 80GB, 16,384-token prompts" */
	subject: string;
	/** "11 users at 128 ms per token; memory is the limit" */
	answer: string;
	verdict: { word: VerdictWord; detail: string };
}

/** An objective was set in round figures and is read back so: "2 s", not "2.00 s". */
const objective = (seconds: number | null) =>
	format(seconds, "seconds").text.replace(/\.0+(?=\s)|(\.\d*?)0+(?=\s)/, "$1");

/** Said of a limit that nobody asked for: with another one the answer is another. */
const asAssumed = ({ assumed }: Plan, key: "ttftSlo" | "tpotSlo"): string =>
	assumed.some((one) => one.key === key) ? "an assumed " : "";

const LIMIT_WORDS: Record<Exclude<Binding, null>, (plan: Plan) => string> = {
	memory: () => "memory is the limit",
	ttft: (plan) =>
		`the first token within ${asAssumed(plan, "ttftSlo")}${objective(plan.scenario.ttftSlo)} is the limit`,
	tpot: (plan) => `${asAssumed(plan, "tpotSlo")}${objective(plan.scenario.tpotSlo)} per token is the limit`,
	throughput: () => "throughput is the limit",
};

const users = (n: number) => counted(n, "user");

function subjectOf({ scenario }: Plan, facts: PlanFacts): string {
	const gpu = facts.gpu?.name ?? facts.configuration?.gpuName ?? "GPU not named";
	return `${scenario.gpus ?? 1} × ${gpu}, ${formatCount(scenario.context)}-token prompts`;
}

/** Where time allows nobody, what memory alone would. */
function memoryWords(binding: Binding, { memory: { maxSequences } }: Plan): string {
	const held = maxSequences.value ?? 0;
	return held > 0 && (binding === "ttft" || binding === "tpot") ? `; memory holds ${users(held)}` : "";
}

function answerOf({ users: most, tpot, binding, reasons }: Capacity, plan: Plan): string {
	const limit = binding ? LIMIT_WORDS[binding](plan) : null;
	if (most.value === null) return `how many users is not known. ${most.arithmetic || (reasons[0] ?? "")}`;
	if (most.value === 0) return `not one user: ${limit ?? reasons[0] ?? ""}${memoryWords(binding, plan)}`;
	const pace =
		tpot.value === null || binding === "tpot"
			? ""
			: ` at ${format(tpot.value, "seconds", tpot).text} per token`;
	return `${users(most.value)}${pace}${limit ? `; ${limit}` : ""}`;
}

function verdictOf({ verdict, scenario: { concurrency, rate } }: Plan): Headline["verdict"] {
	const asked = rate !== null ? `${rate} requests per second` : `${users(concurrency ?? 1)} at once`;
	const word = verdictWord(verdict);
	const [first = ""] = verdict.reasons;
	if (word === "Fits") return { word, detail: asked };
	if (word === "Probably fits") return { word, detail: `${asked}. ${first}` };
	return { word, detail: first || asked };
}

/** Puts a plan into one sentence. */
export function headline(plan: Plan, capacity: Capacity, facts: PlanFacts): Headline {
	return { subject: subjectOf(plan, facts), answer: answerOf(capacity, plan), verdict: verdictOf(plan) };
}
