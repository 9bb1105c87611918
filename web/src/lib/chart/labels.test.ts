import { describe, expect, it } from "vitest";
import {
	bestPlace,
	boxOfWords,
	freePlace,
	meets,
	type Obstacles,
	overlap,
	type WordsPlace,
} from "./labels.ts";
import type { Plot } from "./plot.ts";

const nothing: Obstacles = { curves: [], dots: [], lines: [], words: [] };
const plot = { left: 0, right: 200, width: 216, top: 0, bottom: 100 } as Plot;
const place = (x: number, y: number): WordsPlace => ({ x, y, anchor: "start" });

it("gives words seven pixels a letter around the foot of their letters", () => {
	expect(boxOfWords("ten", { x: 50, y: 40, anchor: "start" })).toEqual({
		x: 50,
		y: 29,
		width: 21,
		height: 14,
	});
	expect(boxOfWords("ten", { x: 50, y: 40, anchor: "end" }).x).toBe(29);
	expect(boxOfWords("ten", { x: 50, y: 40, anchor: "middle" }).x).toBe(39.5);
});

describe("a line and a box", () => {
	const box = { x: 10, y: 10, width: 10, height: 10 };
	it.each([
		["through it", { x: 0, y: 0 }, { x: 30, y: 30 }, true],
		["inside it", { x: 12, y: 12 }, { x: 18, y: 13 }, true],
		["level through it", { x: 0, y: 15 }, { x: 30, y: 15 }, true],
		["upright beside it", { x: 9, y: 0 }, { x: 9, y: 30 }, false],
		["past its corner", { x: 0, y: 18 }, { x: 18, y: 36 }, false],
		["that ends before it", { x: 0, y: 15 }, { x: 9, y: 15 }, false],
	])("%s", (_, a, b, met) => {
		expect(meets(a, b, box)).toBe(met);
		expect(meets(b, a, box)).toBe(met);
	});
});

it("boxes that share an edge do not cover each other", () => {
	const box = { x: 0, y: 0, width: 10, height: 10 };
	expect(overlap(box, { ...box, x: 10 })).toBe(false);
	expect(overlap(box, { ...box, x: 9, y: 9 })).toBe(true);
});

describe("words", () => {
	const curves = [
		[
			{ x: 0, y: 20 },
			{ x: 200, y: 20 },
		],
	];
	it("stand at the first place where they cover nothing", () => {
		expect(freePlace("words", [place(10, 24), place(10, 60)], { ...nothing, curves }, plot)).toEqual(
			place(10, 60),
		);
		const dots = [{ x: 20, y: 55 }];
		expect(freePlace("words", [place(10, 60), place(60, 60)], { ...nothing, dots }, plot)).toEqual(
			place(60, 60),
		);
	});

	it("stand nowhere where every place covers something or leaves the plot", () => {
		expect(freePlace("words", [place(10, 24), place(190, 60)], { ...nothing, curves }, plot)).toBeNull();
	});

	it("that must stand cover a curve rather than a limit, and a limit rather than words", () => {
		const line = { x: 0, y: 58, width: 200, height: 1 };
		const over = { ...nothing, curves, lines: [line], words: [{ x: 0, y: 80, width: 200, height: 10 }] };
		const [curve, limit, words] = [place(10, 24), place(10, 62), place(10, 90)];
		expect(bestPlace("words", [words, limit, curve], over, plot)).toEqual(curve);
		expect(bestPlace("words", [words, limit], over, plot)).toEqual(limit);
	});
});
