import type { Binding, PlanVerdict } from "@plimsoll/api/model";

/** How a load stands to its limits. */
export type VerdictKind = "fits" | "perhaps" | "over" | "unknown";

export const VERDICT_KIND = {
	Fits: "fits",
	"Probably fits": "perhaps",
	"Does not fit": "over",
	"Probably does not fit": "over",
	"Too slow": "over",
	"Probably too slow": "over",
	"More comes than is served": "over",
	"Probably more comes than is served": "over",
	"Not known": "unknown",
} as const satisfies Record<string, VerdictKind>;

/** "Probably": the limit lies inside the 95 % interval of what is held against it. */
export type VerdictWord = keyof typeof VERDICT_KIND;

/** What is said where a limit is crossed, surely and probably: a load that is too slow may fit well. */
const CROSSED: Record<Exclude<Binding, null>, [sure: VerdictWord, probably: VerdictWord]> = {
	memory: ["Does not fit", "Probably does not fit"],
	ttft: ["Too slow", "Probably too slow"],
	tpot: ["Too slow", "Probably too slow"],
	throughput: ["More comes than is served", "Probably more comes than is served"],
};

/** A verdict in a word or a few. */
export function verdictWord({ decided, feasible, sure, binding }: PlanVerdict): VerdictWord {
	if (!decided) return "Not known";
	if (feasible) return sure ? "Fits" : "Probably fits";
	// What crosses none of these is longer than the model or its engine takes.
	return CROSSED[binding ?? "memory"][sure ? 0 : 1];
}
