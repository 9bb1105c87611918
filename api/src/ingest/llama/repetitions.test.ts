import { describe, expect, it } from "vitest";
import { median, outliers, repetitionDoubt, trendOf, unevenRepetition, warmPart } from "./repetitions.ts";

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

it("unevenRepetition names the one that stands apart", () => {
	expect(unevenRepetition([7.3, 2.4, 2.3, 2.4])).toMatch(/repetition 1 of 4 took 3\.0 times/);
	expect(unevenRepetition([2.5, 2.4, 2.3])).toBeNull();
	expect(unevenRepetition([9, 1])).toBeNull();
});

describe("repetitionDoubt", () => {
	it("names a machine that slows down while it is measured", () => {
		expect(repetitionDoubt([1, 1.02, 1.05, 1.09, 1.14])).toMatch(/rises by 14 % .* slowed down/);
		expect(repetitionDoubt([1, 1.01, 1.02, 1.03, 1.04])).toBeNull();
	});

	it("takes neither noise nor a machine that warms up for one that slows down", () => {
		expect(repetitionDoubt([1, 1.2, 0.9, 1.1, 1.12])).toBeNull();
		expect(repetitionDoubt([1.14, 1.09, 1.05, 1.02, 1])).toBeNull();
	});

	it("names the repetition that stands apart first", () => {
		expect(repetitionDoubt([3, 1, 1, 1])).toMatch(/repetition 1 of 4 took 3\.0 times/);
		expect(repetitionDoubt([1, 1.1])).toBeNull();
	});
});
