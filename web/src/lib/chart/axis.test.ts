import { describe, expect, it } from "vitest";
import {
	countTicks,
	extentOf,
	logTicks,
	shortDollars,
	shortSeconds,
	signedPercent,
	tokenTicks,
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
