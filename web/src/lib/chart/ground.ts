import type { ChartOption, GroundArea, GroundLine } from "./option.ts";
import type { Plot } from "./plot.ts";

/** Pixels. */
export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Something of the ground with its place, and the place of its name; null where that has no room. */
export interface Placed {
	box: Box;
	colour: string;
	opacity: number;
	name: { text: string; x: number; y: number; anchor: "start" | "middle" | "end"; colour: string } | null;
}

/** Width that a letter of a name takes: a name that has no room is left out. */
const LETTER = 7;
/** Between a name and the upper edge, down to the middle of its letters' height. */
const DOWN = 16;
const APART = 5;

function boxOfArea({ axis, from, to }: GroundArea, plot: Plot): Box | null {
	const { left, right, top, bottom } = plot;
	const [low, high] = axis === "x" ? [left, right] : [top, bottom];
	const ends = [from, to].map((value) => Math.min(high, Math.max(low, plot[axis](value))));
	const [start, stop] = [Math.min(...ends), Math.max(...ends)];
	if (!(stop > start)) return null;
	return axis === "x"
		? { x: start, y: top, width: stop - start, height: bottom - top }
		: { x: left, y: start, width: right - left, height: stop - start };
}

function placedArea(area: GroundArea, colour: string, plot: Plot): Placed[] {
	const box = boxOfArea(area, plot);
	if (!box) return [];
	const { name: text } = area;
	const name = { text, x: box.x + box.width / 2, y: box.y + DOWN, anchor: "middle" as const, colour };
	return [
		{ box, colour: area.colour, opacity: area.opacity, name: box.width > LETTER * text.length ? name : null },
	];
}

function placedLine({ axis, at, name: text, colour, width }: GroundLine, plot: Plot): Placed[] {
	const { left, right, top, bottom } = plot;
	const pixel = plot[axis](at);
	const [low, high] = axis === "x" ? [left, right] : [top, bottom];
	if (!(pixel >= low - 1 && pixel <= high + 1)) return [];
	const start = pixel - width / 2;
	if (axis === "x") {
		const name = { text, x: pixel - APART, y: top + DOWN, anchor: "end" as const, colour };
		return [{ box: { x: start, y: top, width, height: bottom - top }, colour, opacity: 1, name }];
	}
	const name = { text, x: left + APART, y: pixel - APART, anchor: "start" as const, colour };
	return [{ box: { x: left, y: start, width: right - left, height: width }, colour, opacity: 1, name }];
}

/** What lies under the curves, as far as it is in sight: areas under the grid, lines over it. */
export function groundOf({ areas = [], lines = [], theme }: ChartOption, plot: Plot) {
	return {
		areas: areas.flatMap((area) => placedArea(area, theme["ink-soft"], plot)),
		lines: lines.flatMap((line) => placedLine(line, plot)),
	};
}
