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

const LIMIT_WORDS: Record<Exclude<Binding, null>, (plan: Plan) => string> = {
	memory: () => "memory is the limit",
	ttft: ({ scenario }) => `the first token within ${objective(scenario.ttftSlo)} is the limit`,
	tpot: ({ scenario }) => `${objective(scenario.tpotSlo)} per token is the limit`,
	throughput: () => "throughput is the limit",
};

const users = (n: number) => counted(n, "user");

function subjectOf({ scenario }: Plan, facts: PlanFacts): string {
	const gpu = facts.gpu?.name ?? facts.configuration?.gpuName ?? "GPU not named";
	return `${scenario.gpus ?? 1} × ${gpu}, ${formatCount(scenario.context)}-token prompts`;
}

function answerOf({ users: most, tpot, binding, reasons }: Capacity, plan: Plan): string {
	const limit = binding ? LIMIT_WORDS[binding](plan) : null;
	if (most.value === null) return `how many users is not known. ${most.arithmetic || (reasons[0] ?? "")}`;
	if (most.value === 0) return `not one user: ${limit ?? reasons[0] ?? ""}`;
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
