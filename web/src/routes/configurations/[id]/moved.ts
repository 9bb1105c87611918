import type { Plan } from "@plimsoll/api/model";
import { formatQuantity } from "#lib/format.ts";

/** The times of an answer. */
export type Times = Pick<Plan, "ttft" | "tpot">;

const NAMES = { ttft: "First token", tpot: "per token" } as const;

/** How far the times of a question moved, in a sentence that ends another; empty where that is not known. */
export function movedWords(before: Times | null, after: Times | null): string {
	if (!before || !after) return "";
	const both = (["ttft", "tpot"] as const).map((key) => ({
		name: NAMES[key],
		texts: [before[key], after[key]].map((quantity) => formatQuantity(quantity).text),
	}));
	if (both.every(({ texts: [from, to] }) => from === to)) return "The answer does not move.";
	return `${both.map(({ name, texts }) => `${name} ${texts.join(" → ")}`).join("; ")}.`;
}
