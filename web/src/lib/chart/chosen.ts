import type { Plot } from "./plot.ts";

/** Where the reader stands on a chart, and the words beside the mark. */
export interface ChosenPlace {
	x: number;
	/** null: the line alone is drawn. */
	y: number | null;
	text: string;
	/** Whether the curve rises to the right (the default): the words then keep clear of it. */
	rises?: boolean;
}

/** Pixels of the mark, and the place of its words relative to it. */
export interface ChosenMark {
	x: number;
	/** null: not on the chart. */
	y: number | null;
	words: { x: number; y: number; anchor: "start" | "end" };
}

const LETTER = 8;
const APART = 14;
/** Up or down to the foot of the words, and up to their head. */
const [UP, DOWN, HIGH] = [-13, 22, -26];
/** How far outside the plot a mark is still on its edge, pixels. */
const EDGE = 2;

/** Where the mark stands; null where its place is outside what the chart shows. */
export function chosenMark(
	{ x: at, y: value, text, rises = true }: ChosenPlace,
	plot: Plot,
): ChosenMark | null {
	const x = plot.x(at);
	if (!(x >= plot.left - EDGE && x <= plot.right + EDGE)) return null;
	const exact = value === null ? Number.NaN : plot.y(value);
	const y = exact >= plot.top - EDGE && exact <= plot.bottom + EDGE ? exact : null;
	const left = x > plot.width - APART - LETTER * text.length;
	// A rising curve leaves room at its upper left and lower right, a falling one at the other two.
	const above = left === rises ? !(y !== null && y + HIGH < plot.top) : y !== null && y + DOWN > plot.bottom;
	return { x, y, words: { x: left ? -APART : APART, y: above ? UP : DOWN, anchor: left ? "end" : "start" } };
}
