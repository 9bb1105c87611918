import type { WindowAnswer } from "@plimsoll/api";
import { WINDOW_PARTS } from "@plimsoll/api/model";
import { PART_NAMES } from "#lib/chart/options/window.ts";
import { counted, formatCount } from "#lib/format.ts";

type Answer = Pick<WindowAnswer, "budget" | "question" | "session">;

/** "Full at turn 61: 18,000 tokens before the task, 3,000 more with every turn". */
export function windowHeadline({ budget, question }: Pick<Answer, "budget" | "question">): string {
	const { constantTokens, turnTokens, fullAtTurn } = budget;
	const grows = `${formatCount(constantTokens)} tokens before the task, ${formatCount(turnTokens)} more with every turn`;
	if (fullAtTurn === 1) return `No turn fits: ${grows}`;
	return fullAtTurn === null
		? `${counted(question.turns, "turn")} fit: ${grows}`
		: `Full at turn ${formatCount(fullAtTurn)}: ${grows}`;
}

/** What to change where the first request is larger than the window already. */
export function nothingFits({ budget, question }: Pick<Answer, "budget" | "question">): string {
	const { constantTokens, turnTokens } = budget;
	return `The first request carries ${formatCount(constantTokens + turnTokens)} tokens, the window holds ${formatCount(question.windowTokens)}: choose a configuration of a model with a longer context, write a larger window, or make the rules and tools smaller.`;
}

/** A part of the window at its fullest. */
export interface FullestPart {
	name: string;
	tokens: number;
	/** Of what is used. */
	share: number;
}

/** What the window holds at its fullest, largest first. */
export function fullestParts({ session: { turns } }: Pick<Answer, "session">): FullestPart[] {
	const fullest = turns.reduce<Answer["session"]["turns"][number] | null>(
		(most, turn) => (most === null || turn.usedTokens > most.usedTokens ? turn : most),
		null,
	);
	if (!fullest) return [];
	const { parts } = fullest;
	const used = WINDOW_PARTS.reduce((sum, part) => sum + parts[part], 0);
	return WINDOW_PARTS.filter((part) => parts[part] > 0)
		.map((part) => ({ name: PART_NAMES[part], tokens: parts[part], share: parts[part] / used }))
		.sort((a, b) => b.tokens - a.tokens);
}

/** How many tokens were sent for how many that were new: what a cache is good for. */
export function resentWords({ budget }: Pick<Answer, "budget">): string {
	const { promptTokens, sharedTokens } = budget;
	if (promptTokens === 0) return "";
	const share = Math.round((100 * sharedTokens) / promptTokens);
	return `${formatCount(promptTokens)} prompt tokens are sent in all; ${share}% of them had been sent with the request before.`;
}
