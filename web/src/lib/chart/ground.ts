import { type Box, boxOfWords, drawnOf, freePlace, type Obstacles, type WordsPlace } from "./labels.ts";
import type { ChartOption, GroundArea, GroundLine } from "./option.ts";
import type { Plot } from "./plot.ts";

/** Something of the ground with its place, and its name; `at` null where the name has no room: it is in the key then. */
export interface Placed {
	kind: "area" | "line";
	box: Box;
	colour: string;
	opacity: number;
	name: { text: string; at: WordsPlace | null; colour: string };
}

/** Between a name and the upper edge, down to the foot of its letters; and up from the lower edge. */
const [DOWN, UP] = [15, 7];
const APART = 5;
/** From a level line down to the foot of words under it. */
const UNDER = 15;

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

function boxOfLine({ axis, at, width }: GroundLine, { left, right, top, bottom, ...plot }: Plot): Box | null {
	const pixel = plot[axis](at);
	const [low, high] = axis === "x" ? [left, right] : [top, bottom];
	if (!(pixel >= low - 1 && pixel <= high + 1)) return null;
	const start = pixel - width / 2;
	return axis === "x"
		? { x: start, y: top, width, height: bottom - top }
		: { x: left, y: start, width: right - left, height: width };
}

/** The three places along the upper edge of a box, then those along the lower one. */
function placesInArea({ x, y, width, height }: Box): WordsPlace[] {
	return [y + DOWN, y + height - UP].flatMap((foot): WordsPlace[] => [
		{ x: x + width / 2, y: foot, anchor: "middle" },
		{ x: x + APART, y: foot, anchor: "start" },
		{ x: x + width - APART, y: foot, anchor: "end" },
	]);
}

/** Above and under a level line at both ends and in the middle; on both sides of an upright one. */
function placesAtLine(axis: "x" | "y", { x, y, width, height }: Box): WordsPlace[] {
	if (axis === "x")
		return [y + DOWN, y + height - UP].flatMap((foot): WordsPlace[] => [
			{ x: x - APART, y: foot, anchor: "end" },
			{ x: x + width + APART, y: foot, anchor: "start" },
		]);
	return [y - APART, y + UNDER].flatMap((foot): WordsPlace[] => [
		{ x: x + APART, y: foot, anchor: "start" },
		{ x: x + width - APART, y: foot, anchor: "end" },
		{ x: x + width / 2, y: foot, anchor: "middle" },
	]);
}

/** Words of an area stay inside it. */
const within = (text: string, box: Box, places: WordsPlace[]) =>
	places.filter((place) => {
		const words = boxOfWords(text, place);
		return words.x >= box.x && words.x + words.width <= box.x + box.width;
	});

/** What lies under the curves, as far as it is in sight, with its names where these cover nothing. */
export interface Ground {
	areas: Placed[];
	lines: Placed[];
	/** What other words on the chart shall not cover. */
	obstacles: Obstacles;
}

/** Places areas, lines and then their names: limits first, for they matter more than the name of a range. */
export function groundOf({ areas = [], lines = [], ...option }: ChartOption, plot: Plot): Ground {
	const drawn = drawnOf({ ...option, areas, lines }, plot);
	const soft = option.theme["ink-soft"];
	const seenLines = lines.flatMap((line) => {
		const box = boxOfLine(line, plot);
		return box ? [{ ...line, box }] : [];
	});
	const seenAreas = areas.flatMap((area) => {
		const box = boxOfArea(area, plot);
		return box ? [{ ...area, box }] : [];
	});
	const words: Box[] = [];
	const boxes = seenLines.map(({ box }) => box);
	const place = (text: string, places: WordsPlace[]): WordsPlace | null => {
		if (text === "") return null;
		const at = freePlace(text, places, { ...drawn, lines: boxes, words }, plot);
		if (at) words.push(boxOfWords(text, at));
		return at;
	};
	const placedLines = seenLines.map(({ box, name: text, axis, colour }): Placed => {
		const at = place(text, placesAtLine(axis, box));
		return { kind: "line", box, colour, opacity: 1, name: { text, at, colour } };
	});
	const placedAreas = seenAreas.map(({ box, name: text, colour, opacity, keyed }): Placed => {
		const at = keyed ? null : place(text, within(text, box, placesInArea(box)));
		return { kind: "area", box, colour, opacity, name: { text, at, colour: soft } };
	});
	return { areas: placedAreas, lines: placedLines, obstacles: { ...drawn, lines: boxes, words } };
}

/** What has a name but no room for it on the chart. */
export const unnamedOf = ({ areas, lines }: Ground): Placed[] =>
	[...lines, ...areas].filter(({ name }) => name.text !== "" && name.at === null);
