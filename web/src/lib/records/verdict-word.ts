import type { PlanVerdict } from "@plimsoll/api/model";

/** How a load stands to its limits; "Probably": the limit lies inside the 95 % interval of what is held against it. */
export type VerdictWord = "Fits" | "Probably fits" | "Probably does not fit" | "Does not fit" | "Not known";

/** A verdict in a word or a few. */
export function verdictWord({ decided, feasible, sure }: PlanVerdict): VerdictWord {
	if (!decided) return "Not known";
	if (feasible) return sure ? "Fits" : "Probably fits";
	return sure ? "Does not fit" : "Probably does not fit";
}
