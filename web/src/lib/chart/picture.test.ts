import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import ChartPicture from "./ChartPicture.svelte";
import { type ChosenPlace, chosenMark } from "./chosen.ts";
import { groundOf } from "./ground.ts";
import type { Obstacles } from "./labels.ts";
import type { ChartOption, ChartSeries } from "./option.ts";
import { acrossTicks, plotOf } from "./plot.ts";
import { PAGE_THEME } from "./theme.ts";

/*
 * A log axis from 1 to 100 across and a linear one from 0 to 10 upright. The widest tick has two figures, 8 pixels
 * each, 8 pixels from the plot: it begins at 24. 16 pixels are left at the right, 32 above, 46 below. In a picture
 * of 240 × 178 pixels the plot is 200 × 100: a factor of ten is 100 pixels across, one is 10 pixels up.
 */
const option = (series: ChartSeries[], parts: Partial<ChartOption> = {}): ChartOption => ({
	xAxis: { name: "Across", unit: "", scale: "log", from: 1, to: 100, ticks: [1, 10, 100], write: String },
	yAxis: { name: "Upright", unit: "", scale: "linear", from: 0, to: 10, ticks: [0, 5, 10], write: String },
	...{ series, place: String, theme: PAGE_THEME },
	...parts,
});
function picture(drawn: ChartOption, chosen: ChosenPlace | null = null): string {
	const plot = plotOf(drawn, 240, 178);
	const { body } = render(ChartPicture, {
		props: { option: drawn, plot, ground: groundOf(drawn, plot), chosen },
	});
	return body.replaceAll(/<!--.*?-->/g, "");
}
const look = { colour: "teal", write: String, evidence: "fitted" } as const;
const line = (points: [number, number | null][], parts = {}): ChartSeries => ({
	...{ kind: "line", id: "line", name: "Line", dash: "solid", width: 2, opacity: 1 },
	...{ ...look, points: points.map(([x, y]) => ({ x, y })) },
	...parts,
});
const dots = (points: [number, number][], symbol: "circle" | "rect" = "circle"): ChartSeries => ({
	...{ kind: "dots", id: "dots", name: "Dots", symbol, size: 8, edged: true, hollow: false },
	...{ ...look, points: points.map(([x, y]) => ({ x, y })) },
});

describe("the picture of a chart", () => {
	it("draws a line through its places", () => {
		const svg = picture(
			option([
				line([
					[1, 0],
					[10, 5],
					[100, 10],
				]),
			]),
		);
		expect(svg).toContain('d="M24,132L124,82L224,32"');
	});

	it("breaks a line where it has no value", () => {
		const svg = picture(
			option([
				line([
					[1, 0],
					[10, 5],
					[20, null],
					[50, 4],
					[100, 10],
				]),
			]),
		);
		expect(svg).toContain('d="M24,132L124,82M193.9,92L224,32"');
	});

	it("keeps a value until the next place where it goes in steps", () => {
		const svg = picture(
			option([
				line(
					[
						[1, 10],
						[10, 5],
						[100, 0],
					],
					{ steps: true },
				),
			]),
		);
		expect(svg).toContain('d="M24,32L124,32L124,82L224,82L224,132"');
	});

	it("draws a band from low to high", () => {
		const band = { kind: "band", id: "band", name: "Band", interval: true, ...look } as const;
		const points = [
			{ x: 1, low: 1, high: 2 },
			{ x: 10, low: 4, high: 6 },
		];
		expect(picture(option([{ ...band, points }]))).toContain('d="M24,112L124,72L124,92L24,122Z"');
	});

	it("breaks at zero on a log axis, where a band reaches the foot", () => {
		const log = { yAxis: { ...option([]).yAxis, scale: "log", from: 1, to: 100, ticks: [10] } } as const;
		const points = [
			{ x: 1, low: 0, high: 10 },
			{ x: 10, low: 10, high: 100 },
		];
		const band = { kind: "band", id: "band", name: "Band", interval: true, ...look, points } as const;
		const broken = line([
			[1, 10],
			[10, 100],
			[20, 0],
		]);
		const svg = picture(option([band, broken], log));
		expect(svg).toContain('d="M24,82L124,32L124,82L24,132Z"');
		expect(svg).toContain('d="M24,82L124,32"');
	});

	it("draws dots around their places as one path, those on the plot alone", () => {
		const svg = picture(
			option([
				dots(
					[
						[10, 5],
						[100, 10],
						[1000, 5],
						[10, 11],
					],
					"rect",
				),
			]),
		);
		expect(svg).toContain('d="M120,78h8v8h-8ZM220,28h8v8h-8Z"');
		expect(picture(option([dots([[10, 5]])]))).toContain('d="M120,82a4,4 0 1 1 8,0a4,4 0 1 1 -8,0Z"');
	});

	it("tells dashes apart", () => {
		const dashOf = (dash: string) =>
			/stroke-dasharray="([^"]*)"/.exec(picture(option([line([[1, 0]], { dash })])))?.[1];
		expect(dashOf("solid")).toBeUndefined();
		expect(dashOf("dashed")).not.toBe(dashOf("dotted"));
	});

	it("has ticks with their words at their places, and both names", () => {
		const svg = picture(option([]));
		expect(svg).toMatch(/<text x="124.0" y="152" text-anchor="middle">10<\/text>/);
		expect(svg).toMatch(/<text x="16" y="86.0" text-anchor="end">5<\/text>/);
		expect(svg).toContain("M124.0,32V132");
		expect(svg).toContain(">Across</text>");
		expect(svg).toContain(">Upright</text>");
	});

	it("writes labels at the ends of lines beside the last value", () => {
		const ended = line(
			[
				[1, 0],
				[10, 5],
				[100, null],
			],
			{ endLabel: "batch 8" },
		);
		expect(picture(option([ended]))).toMatch(/<text x="132" y="86" fill="teal">batch 8<\/text>/);
	});

	it("marks where the reader stands", () => {
		const svg = picture(option([]), { x: 10, y: 5, text: "5 s" });
		expect(svg).toContain('transform="translate(124,0)"');
		expect(svg).toContain('transform="translate(0,82)"');
		expect(svg).toContain(">5 s</text>");
	});
});

describe("the mark of the reader's place", () => {
	const plot = plotOf(option([]), 240, 178);
	it("is a line alone where its value is unknown or beyond the axis", () => {
		expect(chosenMark({ x: 10, y: null, text: "" }, plot)).toMatchObject({ x: 124, y: null });
		expect(chosenMark({ x: 10, y: 12, text: "" }, plot)?.y).toBeNull();
	});
	it("is left out where its place is beyond the axis", () => {
		expect(chosenMark({ x: 1000, y: 5, text: "" }, plot)).toBeNull();
	});
	it("has its words above where they would lie on the axis, below where they would leave the plot", () => {
		const down = (y: number, rises: boolean) => {
			const mark = chosenMark({ x: 1, y, text: "words", rises }, plot);
			return (mark?.words.y ?? 0) - (mark?.y ?? 0);
		};
		// The mark of 5 stands at 82 of 32 … 132, that of 1 at 122, that of 9 at 42; words take some 22 pixels.
		expect([down(5, true), down(1, true)].map(Math.sign)).toEqual([1, -1]);
		expect([down(5, false), down(9, false)].map(Math.sign)).toEqual([-1, 1]);
	});
	it("keeps its words clear of the curve and of the words that stand already", () => {
		const nothing = { curves: [], dots: [], lines: [], words: [] };
		const words = (obstacles: Partial<Obstacles>) =>
			chosenMark({ x: 10, y: 5, text: "5 s" }, plot, { ...nothing, ...obstacles })?.words;
		// The mark stands at 124, 82: the words begin 14 pixels beside it, their feet 22 below it or 13 above.
		expect(words({})).toEqual({ x: 138, y: 104, anchor: "start" });
		const steep = [
			{ x: 124, y: 82 },
			{ x: 224, y: 120 },
		];
		expect(words({ curves: [steep] })).toEqual({ x: 110, y: 69, anchor: "end" });
		const box = { x: 80, y: 55, width: 40, height: 20 };
		expect(words({ curves: [steep], words: [box] })).toEqual({ x: 138, y: 69, anchor: "start" });
	});
	it("has its words on the side that has room", () => {
		expect(chosenMark({ x: 1, y: 5, text: "words" }, plot)?.words.anchor).toBe("start");
		expect(chosenMark({ x: 100, y: 5, text: "words" }, plot)?.words.anchor).toBe("end");
	});
});

describe("the layout of a chart", () => {
	it("finds the value at a pixel again", () => {
		const plot = plotOf(option([]), 240, 178);
		expect(plot.valueAt(124)).toBeCloseTo(10, 9);
		expect(plot.valueAt(plot.x(37))).toBeCloseTo(37, 9);
	});

	it("keeps the words of the last tick in the picture", () => {
		const long = { ...option([]).xAxis, write: (value: number) => `${value},000` };
		// "100,000": six figures of 8 pixels and a comma of 4 are 52, half of it 26 from the edge at 240.
		expect(acrossTicks(long, plotOf(option([]), 240, 178)).map(({ middle }) => middle)).toEqual([
			24, 124, 214,
		]);
	});

	it("writes landmarks before other ticks where there is not room for all", () => {
		const ticks = [1, 8, 10, 100];
		const crowded = option([], { xAxis: { ...option([]).xAxis, ticks, landmarks: [10] } });
		const shown = acrossTicks(crowded.xAxis, plotOf(crowded, 240, 178));
		expect(shown.map(({ words }) => words)).toEqual(["1", null, "10", "100"]);
	});

	it("leaves out words that would cover others, not their ticks", () => {
		const ticks = [1, 1.1, 10, 100];
		const crowded = option([], { xAxis: { ...option([]).xAxis, ticks } });
		const shown = acrossTicks(crowded.xAxis, plotOf(crowded, 240, 178));
		expect(shown.map(({ words }) => words)).toEqual(["1", null, "10", "100"]);
		expect(shown[1]?.pixel).toBeCloseTo(24 + 100 * Math.log10(1.1), 9);
	});
});
