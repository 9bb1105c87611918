import type { Binding, Plan, PlanFacts } from "@plimsoll/api/model";
import { format, formatCount } from "#lib/format.ts";
import type { Capacity } from "./capacity.ts";

/** The answer as a person would say it, and whether the load that was asked for is carried. */
export interface Headline {
	/** "1 × NVIDIA H100 80GB, 16,384-token prompts" */
	subject: string;
	/** "11 users at 128 ms per token; memory is the limit" */
	answer: string;
	verdict: { word: "Fits" | "Does not fit" | "Not known"; detail: string };
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

const users = (n: number) => `${formatCount(n)} ${n === 1 ? "user" : "users"}`;

function subjectOf({ scenario }: Plan, facts: PlanFacts): string {
	const gpu = facts.gpu?.name ?? facts.configuration?.gpuName ?? "GPU not named";
	return `${scenario.gpus ?? 1} × ${gpu}, ${formatCount(scenario.context)}-token prompts`;
}

function answerOf({ users: most, plan, binding, reasons }: Capacity): string {
	const limit = binding ? LIMIT_WORDS[binding](plan) : null;
	if (most === 0)
		return limit ? `not one user: ${limit}` : `how many users is not known. ${reasons[0] ?? ""}`;
	const pace =
		plan.tpot.value === null ? "" : ` at ${format(plan.tpot.value, "seconds", plan.tpot).text} per token`;
	return `${users(most)}${pace}${limit ? `; ${limit}` : ""}`;
}

function verdictOf({ verdict, scenario: { concurrency, rate } }: Plan): Headline["verdict"] {
	const asked = rate !== null ? `${rate} requests per second` : `${users(concurrency ?? 1)} at once`;
	const [first] = verdict.reasons;
	if (!verdict.decided) return { word: "Not known", detail: first ?? "Nothing was measured." };
	if (verdict.feasible) return { word: "Fits", detail: asked };
	return { word: "Does not fit", detail: first ?? asked };
}

/** Puts a plan into one sentence. */
export function headline(plan: Plan, capacity: Capacity, facts: PlanFacts): Headline {
	return { subject: subjectOf(plan, facts), answer: answerOf(capacity), verdict: verdictOf(plan) };
}
