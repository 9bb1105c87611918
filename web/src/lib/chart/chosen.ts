import { bestPlace, type Obstacles, type WordsPlace } from "./labels.ts";
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

/** Pixels of the mark, and the place of its words. */
export interface ChosenMark {
	x: number;
	/** null: not on the chart. */
	y: number | null;
	words: WordsPlace;
}

const APART = 14;
/** From the mark to the foot of the words, near and far. */
const [UP, DOWN] = [-13, 22];
const FARTHER = 16;
/** How far outside the plot a mark is still on its edge, pixels. */
const EDGE = 2;

const NOTHING: Obstacles = { curves: [], dots: [], lines: [], words: [] };

/** Where the mark stands; null where its place is outside what the chart shows. */
export function chosenMark(
	{ x: at, y: value, text, rises = true }: ChosenPlace,
	plot: Plot,
	obstacles: Obstacles = NOTHING,
): ChosenMark | null {
	const x = plot.x(at);
	if (!(x >= plot.left - EDGE && x <= plot.right + EDGE)) return null;
	const exact = value === null ? Number.NaN : plot.y(value);
	const y = exact >= plot.top - EDGE && exact <= plot.bottom + EDGE ? exact : null;
	const foot = y ?? plot.top;
	const beside = (right: boolean, down: number): WordsPlace => ({
		x: right ? x + APART : x - APART,
		y: foot + down,
		anchor: right ? "start" : "end",
	});
	// A rising curve leaves room at its lower right and upper left, a falling one at the other two.
	const [near, far] = rises ? [DOWN, UP] : [UP, DOWN];
	const words = bestPlace(
		text,
		[
			beside(true, near),
			beside(false, far),
			beside(true, far),
			beside(false, near),
			beside(true, near + Math.sign(near) * FARTHER),
			beside(false, far + Math.sign(far) * FARTHER),
		],
		obstacles,
		plot,
	);
	return { x, y, words };
}
