import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	countTicks,
	extentOf,
	logTicks,
	roundLogAxis,
	shortDollars,
	shortSeconds,
	signedPercent,
	timeAxis,
	tokenTicks,
	withEnds,
} from "./axis.ts";

describe("tokenTicks", () => {
	it("marks 1K, 4K, 16K, 32K, 128K and 1M where the axis is long", () => {
		expect(tokenTicks({ from: 512, to: 1_048_576 })).toEqual([1e3, 4e3, 16e3, 32e3, 128e3, 1e6]);
	});
	it("marks every doubling where the axis is short", () => {
		expect(tokenTicks({ from: 1000, to: 8192 })).toEqual([1e3, 2e3, 4e3, 8e3]);
		expect(tokenTicks({ from: 128, to: 2048 })).toEqual([128, 256, 512, 1e3, 2e3]);
	});
});

describe("logTicks", () => {
	it("counts 1, 2, 5 inside a decade or two", () => {
		expect(logTicks({ from: 0.1, to: 5 })).toEqual([0.1, 0.2, 0.5, 1, 2, 5]);
	});
	it("counts finer inside a part of a decade, so that an axis never has one tick alone", () => {
		expect(logTicks({ from: 23, to: 120 })).toEqual([30, 40, 50, 70, 100]);
	});
	it("goes in equal steps where even those are too few", () => {
		expect(logTicks({ from: 16, to: 31 })).toEqual([20, 25, 30]);
		expect(logTicks({ from: 0.0202, to: 0.0247 })).toEqual([0.022, 0.024]);
	});
	it("keeps to powers of ten over many decades, at most seven ticks", () => {
		expect(logTicks({ from: 0.001, to: 100 })).toEqual([0.001, 0.01, 0.1, 1, 10, 100]);
		expect(logTicks({ from: 1e-9, to: 1e6 }).length).toBeLessThanOrEqual(8);
	});
	it("marks only what lies on the axis", () => {
		for (const extent of [
			{ from: 0.3, to: 0.9 },
			{ from: 3, to: 4000 },
			{ from: 0.02, to: 88 },
		]) {
			const ticks = logTicks(extent);
			expect(ticks.length).toBeGreaterThan(0);
			for (const tick of ticks) {
				expect(tick).toBeGreaterThanOrEqual(extent.from * 0.998);
				expect(tick).toBeLessThanOrEqual(extent.to * 1.002);
			}
		}
	});
});

describe("countTicks", () => {
	it("marks powers of two, thinned where there are many", () => {
		expect(countTicks({ from: 1, to: 64 })).toEqual([1, 2, 4, 8, 16, 32, 64]);
		expect(countTicks({ from: 1, to: 4096 })).toEqual([1, 4, 16, 64, 256, 1024, 4096]);
	});
});

describe("the ends of an axis", () => {
	it("are round figures upright, near to the values, with a tick at each", () => {
		expect(roundLogAxis({ from: 0.06, to: 300 })).toMatchObject({ from: 0.05, to: 500 });
		expect(roundLogAxis({ from: 12, to: 54 })).toMatchObject({ from: 10, to: 70 });
		expect(roundLogAxis({ from: 1, to: 20.3 })).toMatchObject({ from: 1, to: 30 });
		expect(roundLogAxis({ from: 1.62, to: 1.98 })).toEqual({
			from: 1.6,
			to: 2,
			ticks: [1.6, 1.7, 1.8, 1.9, 2],
		});
	});

	it("hold every value and stand clear of the ticks between them", () => {
		const spans = fc.record({
			from: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
			factor: fc.double({ min: 1, max: 1e6, noNaN: true }),
		});
		fc.assert(
			fc.property(spans, ({ from: low, factor }) => {
				const high = low * factor;
				const { from, to, ticks } = roundLogAxis({ from: low, to: high });
				expect(from).toBeLessThanOrEqual(low * 1.000001);
				expect(to).toBeGreaterThanOrEqual(high * 0.999999);
				expect([ticks[0], ticks.at(-1)]).toEqual([from, to]);
				expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
			}),
		);
	});

	it("are marked across by a round figure that is as good, else by themselves", () => {
		expect(withEnds([1e3, 4e3], { from: 1000, to: 4096 })).toEqual([1e3, 4e3]);
		expect(withEnds([1e3, 4e3], { from: 700, to: 6000 })).toEqual([700, 1e3, 4e3, 6000]);
		expect(withEnds([1e3], { from: 1000, to: 65_536 }, [32e3, 64e3])).toEqual([1e3, 64e3]);
		expect(withEnds([], { from: 5, to: 5 })).toEqual([5]);
	});

	it("are the start and the end of a time", () => {
		expect(timeAxis("", 1900).ticks).toEqual([0, 500, 1000, 1500, 1900]);
		expect(timeAxis("", 2040).ticks).toEqual([0, 500, 1000, 1500, 2040]);
	});
});

describe("extentOf", () => {
	it("spans what is known and above zero", () => {
		expect(extentOf([3, null, 0.5, undefined, 0, Number.NaN])).toEqual({ from: 0.5, to: 3 });
	});
	it("still gives an axis where nothing is known", () => {
		expect(extentOf([null])).toEqual({ from: 1, to: 10 });
	});
});

it("writes axis labels without idle digits", () => {
	expect([0, 0.05, 0.5, 2, 1.5, 100, 600].map(shortSeconds).map((t) => t.replaceAll("\u00a0", " "))).toEqual([
		"0",
		"50 ms",
		"500 ms",
		"2 s",
		"1.5 s",
		"100 s",
		"600 s",
	]);
	expect([0.0005, 0.5, 20].map(shortDollars)).toEqual(["$0.0005", "$0.5", "$20"]);
	expect([0.05, 0, -0.0123].map(signedPercent)).toEqual(["+5%", "0", "−1.23%"]);
});
