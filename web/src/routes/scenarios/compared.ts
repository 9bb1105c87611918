import type { Quantity } from "@plimsoll/api/model";
import type { ScenarioItem } from "#lib/records/record.ts";

/** Scenarios held side by side at most. */
export const MOST_COMPARED = 4;

/** A figure of an answer that scenarios are compared by. */
export interface ComparedFigure {
	label: string;
	of: (item: ScenarioItem) => Quantity;
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
export function loadWords({ answer: { scenario } }: ScenarioItem): string {
	if (scenario.rate !== null)
		return `${scenario.rate} ${scenario.rate === 1 ? "request" : "requests"} per second`;
	const users = scenario.concurrency ?? 1;
	return `${users.toLocaleString("en-US")} ${users === 1 ? "user" : "users"} at once`;
}

/** Whether the load is carried, in a word. */
export function verdictWord({ answer: { verdict } }: ScenarioItem): string {
	if (!verdict.decided) return "not known";
	if (verdict.feasible) return verdict.sure ? "fits" : "probably fits";
	return verdict.sure ? "does not fit" : "probably does not fit";
}

/** The other figure over the first, less one; null where one of them is not known. */
export function relativeTo(first: Quantity, other: Quantity): number | null {
	if (!first.value || other.value === null) return null;
	return other.value / first.value - 1;
}

/** "+12%", "−3.4%"; "same" below half a thousandth. */
export function changeWords(relative: number): string {
	if (Math.abs(relative) < 5e-4) return "same";
	const percent = Math.abs(100 * relative);
	const digits = percent < 10 ? 1 : 0;
	return `${relative < 0 ? "−" : "+"}${percent.toFixed(digits)}%`;
}
