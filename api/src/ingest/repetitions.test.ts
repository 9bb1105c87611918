import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { median, outliers, settle, trendOf, warmPart } from "./repetitions.ts";

it("median of odd, even and empty lists", () => {
	expect(median([3, 1, 2])).toBe(2);
	expect(median([4, 1, 3, 2])).toBe(2.5);
	expect(median([])).toBeNaN();
});

describe("outliers", () => {
	it("finds one wild value that a standard deviation would hide", () => {
		// median 23.265, MAD 0.1: (27.8 − 23.265) / (1.4826 · 0.1) = 30.6
		const found = outliers([23.09, 23.24, 27.8, 23.29]);
		expect(found.map(({ value }) => value)).toEqual([27.8]);
		expect(found[0]?.robustZ).toBeCloseTo(30.6, 1);
	});

	it("finds none among equal or even values", () => {
		expect(outliers([5, 5, 5, 5])).toEqual([]);
		expect(outliers([1, 2, 3, 4, 5])).toEqual([]);
	});
});

it("a cold start is left out, and few samples are said", () => {
	expect(warmPart([9.9, 0.94])).toEqual({ warm: [0.94], mean: 0.94, warning: "too few samples" });
	expect(warmPart([1, 1.1, 0.9])).toMatchObject({ mean: expect.closeTo(1, 9), warning: null });
});

describe("trendOf", () => {
	it("sees a machine heat up", () => {
		const speeds = [68.55, 67.43, 67.15, 66.88, 66.29, 65.74, 65.42, 65.24, 65.24, 65.23, 64.97];
		expect(trendOf(speeds)).toMatchObject({ cold: 68.55, direction: "declining" });
		expect(trendOf(speeds)?.steady).toBeCloseTo(65.235, 3);
		expect(trendOf([...speeds].reverse())?.direction).toBe("rising");
	});

	it("takes noise and a single jump for level", () => {
		expect(trendOf([10, 11, 9, 10.5, 9.5, 10.3])?.direction).toBe("level");
		expect(trendOf([10, 10, 10, 10, 10, 10, 9])?.direction).toBe("level");
		expect(trendOf([1, 2, 3])).toBeNull();
	});
});

describe("settle", () => {
	it("keeps a point of ten repetitions of which one was slow, by its median", () => {
		// As an EPYC printed 512 tokens: the mean 3.028 s is 169 tokens/s, eight of ten ran at 216 and the median says so.
		const seconds = [7.319, 2.359, 3.179, 2.36, 3.246, 2.367, 2.359, 2.368, 2.36, 2.365];
		const settled = settle(seconds);
		expect(settled?.seconds).toBeCloseTo((2.365 + 2.367) / 2, 9);
		expect(settled).toMatchObject({
			doubt: null,
			note: expect.stringMatching(
				/repetition 1 of 10 was slow, 3\.1 times the others: .*median of all, their mean is 1\.28 times/,
			),
		});
		// The nine others by hand: mean 2.551444, squares 1.126038 / 8
		expect(settled?.std).toBeCloseTo(Math.sqrt(1.126038 / 8), 6);
	});

	it("takes the mean of repetitions that are alike", () => {
		expect(settle([2.5, 2.4, 2.3])).toEqual({
			...{ seconds: expect.closeTo(2.4, 12), std: expect.closeTo(0.1, 12), note: null, doubt: null },
		});
		expect(settle([3])).toEqual({ seconds: 3, std: null, note: null, doubt: null });
		expect(settle([])).toBeNull();
	});

	it("doubts a point where too few are left to say what is typical", () => {
		expect(settle([7.3, 2.4, 2.3])).toMatchObject({
			seconds: 4,
			doubt: expect.stringMatching(/repetition 1 of 3/),
		});
		expect(settle([9, 1])).toMatchObject({ seconds: 5, doubt: null });
	});

	it("doubts a point of which more than a quarter were slow: nothing tells which time is the machine's", () => {
		expect(settle([3, 3.1, 1, 1])?.doubt).toMatch(/repetitions 1 and 2 of 4 were slow, up to 3\.1 times/);
		expect(settle([3, 1, 1, 1, 1, 1, 1, 3])).toMatchObject({ seconds: 1, doubt: null });
		expect(settle([3, 1, 1, 1, 1, 1, 3])?.doubt).not.toBeNull();
	});

	it("names a machine that slows down while it is measured, also behind a slow first repetition", () => {
		expect(settle([1, 1.02, 1.05, 1.09, 1.14])?.doubt).toMatch(/rises by 14 % .* slowed down/);
		expect(settle([3, 1, 1.02, 1.05, 1.09, 1.14])?.doubt).toMatch(/rises by 14 % .* slowed down/);
		expect(settle([1, 1.01, 1.02, 1.03, 1.04])?.doubt).toBeNull();
	});

	it("takes neither noise nor a machine that warms up for one that slows down", () => {
		expect(settle([1, 1.2, 0.9, 1.1, 1.12])?.doubt).toBeNull();
		expect(settle([1.14, 1.09, 1.05, 1.02, 1])?.doubt).toBeNull();
	});

	it("gives a time between the fastest and the slowest, in proportion to the unit, that slow ones do not move", () => {
		const alike = fc.array(fc.double({ min: 1, max: 1.4, noNaN: true }), { minLength: 9, maxLength: 40 });
		const slow = fc.array(fc.double({ min: 3, max: 1000, noNaN: true }), { minLength: 1, maxLength: 3 });
		fc.assert(
			fc.property(alike, slow, fc.double({ min: 1e-6, max: 1e3, noNaN: true }), (usual, wild, unit) => {
				const settled = settle([...wild, ...usual]);
				expect(settled?.seconds).toBeGreaterThanOrEqual(Math.min(...usual));
				expect(settled?.seconds).toBeLessThanOrEqual(Math.max(...usual));
				const scaled = settle([...wild, ...usual].map((second) => second * unit));
				expect(scaled?.seconds).toBeCloseTo((settled?.seconds ?? 0) * unit, 9 - Math.ceil(Math.log10(unit)));
			}),
		);
	});
});
