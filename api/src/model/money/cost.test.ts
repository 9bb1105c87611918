import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cacheBreakEven, cacheSavingUsd, meanCachedPrice, readsToBreakEven } from "./caching.ts";
import { choosePrice } from "./choice.ts";
import { usdPerMillionTokens, usdPerMonth, usdPerRequest } from "./cost.ts";
import type { GpuPrice } from "./price.ts";

describe("price of a million tokens", () => {
	test("$2.69 an hour at 10,777.64 tokens/s is $0.0693, and $0.2311 when 30 % busy", () => {
		expect(usdPerMillionTokens(1, 2.69, 10_777.64)).toBeCloseTo(0.0693, 4);
		expect(usdPerMillionTokens(1, 2.69, 10_777.64, 0.3)).toBeCloseTo(0.2311, 4);
	});

	test("an unknown price is unknown, not 0", () => {
		expect(usdPerMillionTokens(1, null, 100)).toBeNull();
	});

	test("twice the price is twice the cost, twice the speed half of it", () => {
		const positive = fc.double({ min: 0.01, max: 1000, noNaN: true });
		fc.assert(
			fc.property(positive, positive, (price, speed) => {
				const cost = usdPerMillionTokens(1, price, speed) ?? 0;
				expect((usdPerMillionTokens(1, 2 * price, speed) ?? 0) / cost).toBeCloseTo(2, 9);
				expect((usdPerMillionTokens(1, price, 2 * speed) ?? 0) / cost).toBeCloseTo(0.5, 9);
			}),
		);
	});
});

test("a month has 730 hours: $2.69 an hour is $1,963.70", () => {
	expect(usdPerMonth(1, 2.69)).toBeCloseTo(1963.7, 6);
	expect(usdPerMonth(1, 0.29, 720)).toBeCloseTo(208.8, 6);
});

test("8 GPUs at $2 an hour and 4 requests/s, half idle: $0.00222 a request", () => {
	expect(usdPerRequest(8, 2, 4, 0.5)).toBeCloseTo(16 / 3600 / 2, 12);
});

describe("prompt caching", () => {
	test("breaks even at 21.7 % hits when a write costs 1.25 and a read 0.1, at 52.6 % when a write costs 2", () => {
		expect(cacheBreakEven({ input: 1, write: 1.25, read: 0.1 })).toBeCloseTo(0.2174, 4);
		expect(cacheBreakEven({ input: 1, write: 2, read: 0.1 })).toBeCloseTo(0.5263, 4);
	});

	test("one read pays for a write at 1.25; (1.25 + 0.1)/2 on average", () => {
		const prices = { input: 1, write: 1.25, read: 0.1 };
		expect(readsToBreakEven(prices)).toBe(1);
		expect(meanCachedPrice(prices, 1)).toBeCloseTo(0.675, 12);
		expect(meanCachedPrice(prices, 10)).toBeCloseTo(2.25 / 11, 12);
	});

	test("a run that only writes loses the premium", () => {
		const prices = { input: 3, write: 3.75, read: 0.3 };
		expect(cacheSavingUsd(prices, { reads: 0, writes: 20_000 })).toBeCloseTo(-0.015, 12);
		expect(cacheSavingUsd(prices, { reads: 20_000, writes: 0 })).toBeCloseTo(0.054, 12);
	});
});

describe("the price an answer is made with", () => {
	const entry = (readOn: string, low: number, high: number): GpuPrice => ({
		id: readOn,
		gpuId: "h100",
		kind: "on-demand",
		usdPerGpuHourLow: low,
		usdPerGpuHourHigh: high,
		source: "a list",
		readOn,
	});
	const book = [entry("2026-01-01", 1, 1), entry("2026-09-20", 2.69, 12.29), entry("2025-06-01", 9, 9)];

	test("is the entered one where there is one", () => {
		expect(choosePrice(2.5, book)).toMatchObject({ low: 2.5, high: 2.5, evidence: "arithmetic" });
	});

	test("else the newest of the book with its range and its day", () => {
		expect(choosePrice(null, book)).toMatchObject({ low: 2.69, high: 12.29, evidence: "vendor" });
		expect(choosePrice(null, book)?.sources[0]?.date).toBe("2026-09-20");
	});

	test("what was agreed goes before a newer list, and a list before a newer spot quote", () => {
		const agreed = { ...entry("2025-12-01", 2, 2), kind: "agreed" } as const;
		const spot = { ...entry("2026-11-01", 0.9, 0.9), kind: "spot" } as const;
		expect(choosePrice(null, [...book, agreed, spot])).toMatchObject({ value: 2, evidence: "arithmetic" });
		expect(choosePrice(null, [spot, ...book])).toMatchObject({ low: 2.69, entryId: "2026-09-20" });
		expect(choosePrice(null, [spot])?.from()).toContain("per GPU-hour, spot (a list");
	});

	test("else none: there is no fallback", () => {
		expect(choosePrice(null, [])).toBeNull();
	});
});
