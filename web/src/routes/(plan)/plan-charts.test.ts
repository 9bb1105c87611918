import type { Point, Scenario } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { tpotDots, userGrid } from "./plan-charts.ts";

const base = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };
const decode = (batch: number, context: number): Point => ({
	...base,
	phase: "decode",
	batch,
	context,
	seconds: 0.02,
});
const serve = (concurrency: number | null, input: number, output: number): Point => ({
	...base,
	phase: "serve",
	input,
	output,
	concurrency,
	rate: null,
	ttftSeconds: 1,
	ttftP50Seconds: null,
	ttftP99Seconds: null,
	tpotSeconds: 0.03,
	tpotP50Seconds: null,
	tpotP99Seconds: null,
	outputTokensPerSecond: null,
});

describe("the grids of the charts", () => {
	it("count users from one without repeats", () => {
		expect(userGrid(4)).toEqual([1, 2, 3, 4]);
		expect(userGrid(100_000).at(-1)).toBe(4096);
	});
});

describe("the dots of the charts", () => {
	it("show loads of about the chosen lengths only", () => {
		const points = [
			serve(8, 1000, 128),
			serve(8, 8000, 128),
			serve(8, 1000, 1024),
			serve(null, 1000, 128),
			decode(4, 1100),
			decode(4, 16_000),
		];
		const dots = tpotDots(points, { context: 1000, output: 128 } as Scenario);
		expect(dots.map(({ x, y }) => [x, y])).toEqual([
			[8, 0.03],
			[4, 0.02],
		]);
	});
});
