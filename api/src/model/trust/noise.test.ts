import { expect, test } from "vitest";
import { noiseFloor } from "./noise.ts";

test("two runs of one point tell more than repetitions inside a run", () => {
	const floor = noiseFloor([
		{ n: 2, betweenRuns: 0.04, withinRun: 0.005 },
		{ n: 1, betweenRuns: null, withinRun: 0.005 },
	]);
	expect(floor).toEqual({ relative: 0.04, from: "repeated runs" });
});

test("points pool by their degrees of freedom: √((1·4² + 3·2²)/4) % = √7 %", () => {
	const floor = noiseFloor([
		{ n: 2, betweenRuns: 0.04, withinRun: null },
		{ n: 4, betweenRuns: 0.02, withinRun: null },
	]);
	expect(floor?.relative).toBeCloseTo(0.01 * Math.sqrt(7), 12);
});

test("repetitions are read where no run was repeated: rms of 3 and 4 per mille", () => {
	const floor = noiseFloor([
		{ n: 1, betweenRuns: null, withinRun: 0.003 },
		{ n: 1, betweenRuns: null, withinRun: 0.004 },
	]);
	expect(floor?.relative).toBeCloseTo(Math.sqrt(12.5e-6), 12);
	expect(floor?.from).toBe("repetitions");
});

test("a single measurement says nothing of noise", () => {
	expect(noiseFloor([{ n: 1, betweenRuns: null, withinRun: null }])).toBeNull();
	expect(noiseFloor([])).toBeNull();
});
