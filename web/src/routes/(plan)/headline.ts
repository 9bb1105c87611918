import type {
	Binding,
	Capacity,
	CostGoal,
	CostPer,
	Evidence,
	OneMore,
	Plan,
	PlanFacts,
	Solution,
	SolveFor,
} from "@plimsoll/api/model";
import { counted, format, formatCount, formatQuantity } from "#lib/format.ts";
import { type VerdictWord, verdictWord } from "#lib/records/verdict-word.ts";

/** The answer as a person would say it, and whether the load that was asked for is carried. */
export interface Headline {
	/** "1 × NVIDIA H100 80GB, 16,384-token prompts" */
	subject: string;
	/** "11 users at 128 ms per token; memory is the limit" */
	answer: string;
	/** "one more waits 3.1 s", and how that is known; null: nothing can be said of it. */
	more: { words: string; evidence: Evidence } | null;
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

/** What one user more meets; a time that reads as its limit is just over it. */
function moreOf(oneMore: OneMore | null, { scenario }: Plan): Headline["more"] {
	if (!oneMore || oneMore.time.value === null) return null;
	const { kind, time } = oneMore;
	const text = format(time.value, "seconds", time).text;
	const limit = { wait: null, ttft: scenario.ttftSlo, tpot: scenario.tpotSlo }[kind];
	const words = {
		wait: `one more waits ${text}`,
		ttft: `one more makes it ${text}`,
		tpot: `one more makes it ${text}`,
	};
	const over = limit !== null && format(limit, "seconds", time).text === text;
	return { words: over ? "one more is just over it" : words[kind], evidence: time.evidence };
}

/** Money as it was stated: "$0.01", not "$0.0100". */
const stated = (usd: number) =>
	usd < 1 ? format(usd, "USD").text.replace(/0+$/, "") : format(usd, "USD").text;

const GOAL_WORDS: Record<CostPer, (money: string) => string> = {
	request: (money) => `${money} a request`,
	output: (money) => `${money} for 1M output tokens`,
	input: (money) => `${money} for 1M prompt tokens`,
	month: (money) => `${money} a month`,
};

/** Why there is none stands beside it. */
const NONE_WORDS: Record<SolveFor, string> = {
	users: "not one user",
	context: "no prompt is known to be short enough",
	gpus: "no number of GPUs is known to be enough",
	price: "no price can be worked out",
};

/** The answer where something else than the users is solved for. */
function solvedAnswer({ solveFor, answer, unbounded }: Solution, goal: CostGoal | null): string {
	if (unbounded) return "any price keeps below what it may cost";
	if (answer.value === null) return NONE_WORDS[solveFor];
	const figure = formatQuantity(answer).text;
	if (solveFor === "context") return `prompts of up to ${figure}`;
	if (solveFor === "gpus") return `at least ${figure}`;
	const may = goal ? GOAL_WORDS[goal.per](stated(goal.usd)) : "";
	return `at most ${figure} and GPU for ${may}`;
}

/** What is kept while something else than the users is solved for. */
function solvedSubject({ solveFor }: Solution, plan: Plan, facts: PlanFacts): string {
	const { scenario } = plan;
	const gpu = facts.gpu?.name ?? facts.configuration?.gpuName ?? "GPU not named";
	const load =
		scenario.rate === null ? users(scenario.concurrency ?? 1) : `${scenario.rate} requests per second`;
	if (solveFor === "context") return `${scenario.gpus ?? 1} × ${gpu}, ${load}`;
	const prompts = `${formatCount(scenario.context)}-token prompts`;
	return solveFor === "gpus"
		? `${gpu}, ${load}, ${prompts}`
		: `${scenario.gpus ?? 1} × ${gpu}, ${load}, ${prompts}`;
}

/** Puts a plan into one sentence; the variable that is solved for is its answer. */
export function headline(
	plan: Plan,
	capacity: Capacity,
	facts: PlanFacts,
	solution: Solution | null = null,
	goal: CostGoal | null = null,
): Headline {
	const verdict = verdictOf(plan);
	if (solution && solution.solveFor !== "users")
		return {
			subject: solvedSubject(solution, plan, facts),
			answer: solvedAnswer(solution, goal),
			more: null,
			verdict,
		};
	return {
		subject: subjectOf(plan, facts),
		answer: answerOf(capacity, plan),
		more: moreOf(capacity.oneMore, plan),
		verdict,
	};
}
