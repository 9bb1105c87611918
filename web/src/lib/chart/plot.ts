import type { ChartAxis, ChartOption } from "./option.ts";
import { scaleOf } from "./scale.ts";

/** Where a chart draws, and where each value is; all in pixels from the upper left corner. */
export interface Plot {
	width: number;
	height: number;
	left: number;
	right: number;
	top: number;
	bottom: number;
	x: (value: number) => number;
	y: (value: number) => number;
	/** The value of the horizontal axis at a pixel. */
	valueAt: (pixel: number) => number;
	/** The value of the vertical axis at a pixel. */
	heightAt: (pixel: number) => number;
}

/** A tick with its words; null where they would cover those before. */
export interface Tick {
	value: number;
	pixel: number;
	/** The middle of the words. */
	middle: number;
	words: string | null;
}

/** Room above the plot for the name of the vertical axis, below it for ticks and the name of the other. */
const TOP = 32;
const BOTTOM = 46;
const RIGHT = 16;
/** Between the plot and the words of its ticks. */
export const TICK_GAP = 8;
/** Widths of letters, rounded up: figures must find room without being measured, for a server has no fonts. */
const LETTER = 8;
const WIDE = 11;
const NARROW = 4;
const LEAST_WIDTH = 40;

/** Room that a figure takes, pixels. */
function widthOf(words: string): number {
	const letters = [...words].map((letter) =>
		/[%$mMµ]/.test(letter) ? WIDE : /[\s.,]/.test(letter) ? NARROW : LETTER,
	);
	return letters.reduce((sum, width) => sum + width, 0);
}

/** Lays a chart out in a width and a height. */
export function plotOf(
	{ xAxis, yAxis, right: room = RIGHT }: ChartOption,
	width: number,
	height: number,
): Plot {
	const left = Math.max(0, ...yAxis.ticks.map((tick) => widthOf(yAxis.write(tick)))) + TICK_GAP;
	const right = Math.max(left + LEAST_WIDTH, width - room);
	const [top, bottom] = [TOP, height - BOTTOM];
	const x = scaleOf(xAxis.scale, xAxis, left, right);
	const y = scaleOf(yAxis.scale, yAxis, bottom, top);
	const values = {
		valueAt: (pixel: number) => x.invert(pixel),
		heightAt: (pixel: number) => y.invert(pixel),
	};
	return { width, height, left, right, top, bottom, x, y, ...values };
}

/** The ticks of the horizontal axis; words have a letter's room between them and stay in the picture: both ends first, then landmarks. */
export function acrossTicks({ ticks, landmarks = [], write }: ChartAxis, { x, width }: Plot): Tick[] {
	const wanted = ticks.map((value) => {
		const [pixel, words] = [x(value), write(value)];
		const half = widthOf(words) / 2;
		return { value, pixel, words, half, middle: Math.max(half, Math.min(pixel, width - half)) };
	});
	const taken: { middle: number; half: number }[] = [];
	const free = (one: { middle: number; half: number }) =>
		taken.every((other) => Math.abs(one.middle - other.middle) >= one.half + other.half + LETTER);
	const named = wanted.filter(({ value }) => landmarks.includes(value));
	const inTurn = new Set([wanted.at(0), wanted.at(-1), ...named, ...wanted]);
	for (const tick of inTurn) if (tick && free(tick)) taken.push(tick);
	return wanted.map((tick) => {
		const { value, pixel, middle, words } = tick;
		return { value, pixel, middle, words: taken.includes(tick) ? words : null };
	});
}

/** The ticks of the vertical axis. */
export const uprightTicks = ({ ticks, write }: ChartAxis, { y }: Plot): Tick[] =>
	ticks.map((value) => ({ value, pixel: y(value), middle: y(value), words: write(value) }));
