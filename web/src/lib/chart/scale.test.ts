import { scaleLinear, scaleLog } from "d3-scale";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linearEnd, linearTicks, scaleOf } from "./scale.ts";

const above = fc.double({ min: 1e-6, max: 1e9, noNaN: true });

test("places and values are those of d3-scale, on log and on linear axes", () => {
	fc.assert(
		fc.property(above, fc.double({ min: 1.01, max: 1e6, noNaN: true }), above, (from, factor, value) => {
			const ends = { from, to: from * factor };
			const log = scaleLog([ends.from, ends.to], [40, 600]);
			const linear = scaleLinear([ends.from, ends.to], [300, 20]);
			expect(scaleOf("log", ends, 40, 600)(value)).toBeCloseTo(log(value), 6);
			expect(scaleOf("log", ends, 40, 600).invert(log(value)) / value).toBeCloseTo(1, 6);
			const place = linear(value);
			expect(scaleOf("linear", ends, 300, 20)(value) / place).toBeCloseTo(1, 6);
		}),
	);
});

test("ticks and ends of a linear axis are those of d3-scale", () => {
	fc.assert(
		// A hair above a round figure is that figure here, but not there.
		fc.property(
			above.map((any) => Number(any.toPrecision(4))),
			(to) => {
				const theirs = scaleLinear([0, to], [0, 1]).nice(4);
				expect(linearEnd(to, 4) / (theirs.domain()[1] ?? 0)).toBeCloseTo(1, 9);
				const ticks = theirs.ticks(4);
				expect(linearTicks(linearEnd(to, 4), 4)).toHaveLength(ticks.length);
				linearTicks(linearEnd(to, 4), 4).forEach((tick, i) => {
					expect(tick).toBeCloseTo(ticks[i] ?? Number.NaN, 6);
				});
			},
		),
	);
});

test("what a log axis cannot show has no finite place", () => {
	const at = scaleOf("log", { from: 1, to: 100 }, 0, 10);
	expect(Number.isFinite(at(0))).toBe(false);
	expect(Number.isFinite(at(-1))).toBe(false);
});
