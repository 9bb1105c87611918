import type { ChartOption } from "./option.ts";
import type { Plot } from "./plot.ts";

/** Pixels. */
export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

interface Pixel {
	x: number;
	y: number;
}

/** Where words stand: the foot of their letters, and whether `x` is their start, middle or end. */
export interface WordsPlace extends Pixel {
	anchor: "start" | "middle" | "end";
}

/** What words shall not cover. */
export interface Obstacles {
	/** Lines of curves, broken where they have no value. */
	curves: readonly (readonly Pixel[])[];
	dots: readonly Pixel[];
	/** Limits and objectives. */
	lines: readonly Box[];
	/** Words that stand already. */
	words: readonly Box[];
}

/** Width that a letter takes, rounded up: a server has no fonts to measure. */
const LETTER = 7;
/** From the foot of the letters up to their head, and down to that of a comma. */
const [RISE, FALL] = [11, 3];
/** A dot reaches this far around its place. */
const DOT = 4;
/** How much it harms to cover something: words most of all, then a limit, then the curve, of which enough is left. */
const HARM = { words: 100, line: 20, curve: 4, dot: 2, frame: 50 };

/** The box that words fill at a place. */
export function boxOfWords(text: string, { x, y, anchor }: WordsPlace): Box {
	const width = LETTER * text.length;
	const start = { start: x, middle: x - width / 2, end: x - width }[anchor];
	return { x: start, y: y - RISE, width, height: RISE + FALL };
}

/** Whether two boxes share more than an edge. */
export const overlap = (a: Box, b: Box): boolean =>
	a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Whether a straight line from one pixel to another meets a box (Liang and Barsky's clipping). */
export function meets(a: Pixel, b: Pixel, box: Box): boolean {
	if (beyond(a, b, box)) return false;
	let [enter, leave] = [0, 1];
	const sides: [step: number, room: number][] = [
		[a.x - b.x, a.x - box.x],
		[b.x - a.x, box.x + box.width - a.x],
		[a.y - b.y, a.y - box.y],
		[b.y - a.y, box.y + box.height - a.y],
	];
	for (const [step, room] of sides) {
		if (step === 0 && room < 0) return false;
		if (step < 0) enter = Math.max(enter, room / step);
		if (step > 0) leave = Math.min(leave, room / step);
	}
	return enter <= leave;
}

/** How many dots reach into a box. Thousands are asked about with every move of a slider: nothing is made on the way. */
function dotsIn(box: Box, dots: readonly Pixel[]): number {
	const [left, right] = [box.x - DOT, box.x + box.width + DOT];
	const [top, bottom] = [box.y - DOT, box.y + box.height + DOT];
	let count = 0;
	for (const { x, y } of dots) if (x > left && x < right && y > top && y < bottom) count += 1;
	return count;
}

/** Whether both ends of a line are beyond the same side of a box: most lines are, and need no clipping. */
const beyond = (a: Pixel, b: Pixel, { x, y, width, height }: Box): boolean =>
	(a.x < x && b.x < x) ||
	(a.x > x + width && b.x > x + width) ||
	(a.y < y && b.y < y) ||
	(a.y > y + height && b.y > y + height);

/** How much words in a box would harm; 0: they cover nothing. */
function harm(box: Box, { curves, dots, lines, words }: Obstacles): number {
	const met = curves.filter((curve) => curve.some((at, i) => i > 0 && meets(curve[i - 1] ?? at, at, box)));
	const count = (boxes: readonly Box[]) => boxes.filter((other) => overlap(box, other)).length;
	return (
		HARM.curve * met.length +
		HARM.dot * dotsIn(box, dots) +
		HARM.line * count(lines) +
		HARM.words * count(words)
	);
}

function outside(box: Box, { left, width, top, bottom }: Plot): boolean {
	return box.x < left || box.x + box.width > width || box.y < top - RISE || box.y + box.height > bottom;
}

/** The first of some places at which words cover nothing and stay on the plot; null where there is none. */
export function freePlace(
	text: string,
	places: readonly WordsPlace[],
	obstacles: Obstacles,
	plot: Plot,
): WordsPlace | null {
	const free = (place: WordsPlace) => {
		const box = boxOfWords(text, place);
		return !outside(box, plot) && harm(box, obstacles) === 0;
	};
	return places.find(free) ?? null;
}

/** The place at which words do the least harm, the first of those that are equal. */
export function bestPlace(
	text: string,
	places: readonly [WordsPlace, ...WordsPlace[]],
	obstacles: Obstacles,
	plot: Plot,
): WordsPlace {
	const harmAt = (place: WordsPlace) => {
		const box = boxOfWords(text, place);
		return harm(box, obstacles) + (outside(box, plot) ? HARM.frame : 0);
	};
	const rated = places.map((place) => ({ place, harm: harmAt(place) }));
	const best = rated.reduce((a, b) => (b.harm < a.harm ? b : a));
	return best.place;
}

/** Pixels of everything that a chart draws as curves and dots. */
export function drawnOf({ series }: ChartOption, plot: Plot): Pick<Obstacles, "curves" | "dots"> {
	const pixel = ({ x, y }: { x: number; y: number | null }): Pixel => ({
		x: plot.x(x),
		y: y === null ? Number.NaN : plot.y(y),
	});
	const seen = ({ x, y }: Pixel) => Number.isFinite(x) && Number.isFinite(y);
	const curves = series.flatMap((line) =>
		line.kind === "line" ? unbroken(line.points.map(pixel), seen) : [],
	);
	const dots = series.flatMap((group) => (group.kind === "dots" ? group.points.map(pixel) : [])).filter(seen);
	return { curves, dots };
}

function unbroken(pixels: readonly Pixel[], seen: (pixel: Pixel) => boolean): Pixel[][] {
	const parts: Pixel[][] = [[]];
	for (const pixel of pixels) {
		if (seen(pixel)) parts.at(-1)?.push(pixel);
		else parts.push([]);
	}
	return parts.filter((part) => part.length > 0);
}
