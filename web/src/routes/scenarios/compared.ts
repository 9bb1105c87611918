import type { Quantity } from "@plimsoll/api/model";
import { counted, format, formatCount } from "#lib/format.ts";
import type { ScenarioItem } from "#lib/records/record.ts";
import { verdictWord } from "#lib/records/verdict-word.ts";

/** Scenarios held side by side at most. */
export const MOST_COMPARED = 4;

/** An answer that is held beside others: kept, or worked out just now. */
export type ComparedAnswer = Pick<ScenarioItem, "id" | "name" | "answer">;

/** What was asked and answered, in words. */
export const WORDS: readonly { label: string; says: (item: ComparedAnswer) => string }[] = [
	{ label: "Asked for", says: (item) => loadWords(item) },
	{
		label: "Prompt and output tokens",
		says: ({ answer: { scenario } }) => `${formatCount(scenario.context)} + ${formatCount(scenario.output)}`,
	},
	{
		label: "Weights and cache",
		says: ({ answer: { scenario } }) => `${scenario.weights} weights, ${scenario.kvK} cache`,
	},
	{ label: "Limits", says: (item) => limitWords(item) },
	{ label: "Verdict", says: (item) => verdictWords(item) },
	{
		label: "Most users within the limits",
		says: ({ answer }) => (answer.users === null ? "not known" : formatCount(answer.users)),
	},
];

/** A figure of an answer that scenarios are compared by. */
export interface ComparedFigure {
	label: string;
	of: (item: ComparedAnswer) => Quantity;
}

export const FIGURES: readonly ComparedFigure[] = [
	{ label: "Time to the first token", of: ({ answer }) => answer.ttft },
	{ label: "Time per further token", of: ({ answer }) => answer.tpot },
	{ label: "Whole answer", of: ({ answer }) => answer.e2e },
	{ label: "Sequences that fit", of: ({ answer }) => answer.memory.maxSequences },
	{ label: "Output tokens per second", of: ({ answer }) => answer.load.outputTokensPerSecond },
	{ label: "One request", of: ({ answer }) => answer.cost.usdPerRequest },
	{ label: "A million prompt tokens", of: ({ answer }) => answer.cost.usdPerMillionInputTokens },
	{ label: "A million output tokens", of: ({ answer }) => answer.cost.usdPerMillionOutputTokens },
	{ label: "A month", of: ({ answer }) => answer.cost.usdPerMonth },
];

/** "8 users at once", "2.5 requests per second". */
export function loadWords({ answer: { scenario } }: ComparedAnswer): string {
	if (scenario.rate !== null) return `${counted(scenario.rate, "request")} per second`;
	return `${counted(scenario.concurrency ?? 1, "user")} at once`;
}

/** "2 s to the first token, 200 ms per token": round figures, as they were set. */
export function limitWords({ answer: { scenario } }: ComparedAnswer): string {
	const round = (seconds: number | null) =>
		format(seconds, "seconds").text.replace(/\.0+(?=\s)|(\.\d*?)0+(?=\s)/, "$1");
	return `${round(scenario.ttftSlo)} to the first token, ${round(scenario.tpotSlo)} per token`;
}

/** Whether the load is carried, in a word within a sentence. */
export const verdictWords = ({ answer }: ComparedAnswer): string => verdictWord(answer.verdict).toLowerCase();

/** The other figure over the first, less one; null where one of them is not known. */
export function relativeTo(first: Quantity, other: Quantity): number | null {
	if (!first.value || other.value === null) return null;
	return other.value / first.value - 1;
}

/** Whether the 95 % intervals of two figures overlap: their difference may be none. */
export function overlap(first: Quantity, other: Quantity): boolean {
	const ends = [first.low, first.high, other.low, other.high];
	if (ends.some((end) => end === undefined)) return false;
	const [fromA = 0, toA = 0, fromB = 0, toB = 0] = ends;
	return fromA <= toB && fromB <= toA;
}

/** "+12%", "−3.4%"; "same" below half a thousandth. */
export function changeWords(relative: number): string {
	if (Math.abs(relative) < 5e-4) return "same";
	const percent = Math.abs(100 * relative);
	const digits = percent < 10 ? 1 : 0;
	return `${relative < 0 ? "−" : "+"}${percent.toFixed(digits)}%`;
}
