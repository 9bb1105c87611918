import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CACHE_SCHEMES } from "./cache-schemes.ts";
import { cacheBreakEven } from "./caching.ts";
import {
	type HostedCache,
	type HostedPrices,
	type HostedTraffic,
	hostedBill,
	schemeAnswer,
	storageBreakEvenHits,
} from "./hosted.ts";

const prices = (cache: HostedCache): HostedPrices => ({
	inputPerMillion: 3,
	outputPerMillion: 15,
	cache,
	minimumPrefixTokens: 1024,
});
// A million requests of 10,000 tokens, 8,000 of them shared, 500 out.
const traffic: HostedTraffic = {
	requestsPerMonth: 1e6,
	promptTokens: 10_000,
	outputTokens: 500,
	prefixTokens: 8000,
	hitShare: 0.9,
	prefixes: 10,
};
const PAID: HostedCache = { scheme: "paid write", write: 1.25, read: 0.1 };
const FREE: HostedCache = { scheme: "free write", read: 0.5 };
const STORED: HostedCache = { scheme: "paid storage", read: 0.25, storagePerMillionTokenHour: 4.5 };

describe("the bill of a month", () => {
	// prompts 1e6 × 2,000 × 3/1e6 = 6,000; output 1e6 × 500 × 15/1e6 = 7,500; without cache 1e10 × 3/1e6 + 7,500 = 37,500
	test("with a paid write: 10 % of 8e9 tokens at 3.75 = 3,000; 90 % at 0.30 = 2,160", () => {
		expect(hostedBill(prices(PAID), traffic)).toMatchObject({
			...{ input: 6000, output: 7500, storage: 0, withoutCache: 37_500, cached: true },
			cacheWrites: expect.closeTo(3000, 6),
			cacheReads: expect.closeTo(2160, 6),
			total: expect.closeTo(18_660, 6),
			saving: expect.closeTo(18_840, 6),
		});
	});

	test("with a free write: 10 % at 3 = 2,400; 90 % at 1.50 = 10,800", () => {
		const bill = hostedBill(prices(FREE), traffic);
		expect([bill.cacheWrites, bill.cacheReads, bill.total].map(Math.round)).toEqual([2400, 10_800, 26_700]);
	});

	test("with paid storage: reads 7.2e9 × 0.75/1e6 = 5,400; 10 × 8,000 tokens × 730 h × 4.5/1e6 = 262.80", () => {
		const bill = hostedBill(prices(STORED), traffic);
		expect(bill.cacheReads).toBeCloseTo(5400, 6);
		expect(bill.storage).toBeCloseTo(262.8, 6);
		expect(bill.total).toBeCloseTo(6000 + 2400 + 5400 + 262.8 + 7500, 6);
	});

	test("below the shortest prefix nothing is remembered, and nothing is charged for it", () => {
		const short = { ...traffic, prefixTokens: 1000 };
		for (const cache of [PAID, FREE, STORED])
			expect(hostedBill(prices(cache), short)).toMatchObject({
				cached: false,
				saving: expect.closeTo(0, 6),
				storage: 0,
			});
		expect(schemeAnswer(prices(PAID), short).warning).toMatch(/1,000 tokens is shorter than the 1,024/);
	});

	test("refuses what cannot be", () => {
		expect(() => hostedBill(prices(PAID), { ...traffic, prefixTokens: 10_001 })).toThrow(/prefixTokens/);
		expect(() => hostedBill(prices(PAID), { ...traffic, hitShare: 1.1 })).toThrow(/hitShare/);
	});
});

describe("where a scheme begins to pay", () => {
	test("at the break-even hit share a paid write costs as much as none; below it warns, above it does not", () => {
		const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
		fc.assert(
			fc.property(
				fc.double({ min: 1.01, max: 3, noNaN: true }),
				fc.double({ min: 0, max: 0.9, noNaN: true }),
				share,
				(write, read, hitShare) => {
					const at = prices({ scheme: "paid write", write, read });
					const even = cacheBreakEven({ input: 1, write, read }) ?? Number.NaN;
					expect(hostedBill(at, { ...traffic, hitShare: even }).saving / 30_000).toBeCloseTo(0, 9);
					fc.pre(Math.abs(hitShare - even) > 1e-6);
					expect(schemeAnswer(at, { ...traffic, hitShare }).warning === null).toBe(hitShare > even);
				},
			),
		);
	});

	test("5 minutes break even at 21.7 % hits, an hour at 52.6 %, as published", () => {
		const even = (write: number) =>
			schemeAnswer(prices({ scheme: "paid write", write, read: 0.1 }), traffic).breakEvenHitShare?.value;
		expect(even(1.25)).toBeCloseTo(0.2174, 4);
		expect(even(2)).toBeCloseTo(0.5263, 4);
		expect(schemeAnswer(prices(PAID), { ...traffic, hitShare: 0.1 }).warning).toMatch(
			/10 % of the requests hit, 21.7 % are needed/,
		);
	});

	test("storage of $4.50 is paid by 4.50 / (3 × 0.75) = 2 hits an hour", () => {
		expect(storageBreakEvenHits(3, { read: 0.25, storagePerMillionTokenHour: 4.5 })).toBeCloseTo(2, 12);
		// 2 hits an hour of each of 10 prefixes: 2 × 10 × 730 = 14,600 requests a month, all of which hit.
		const even = { ...traffic, hitShare: 1, requestsPerMonth: 14_600 };
		expect(hostedBill(prices(STORED), even).saving).toBeCloseTo(0, 9);
		expect(schemeAnswer(prices(STORED), { ...even, requestsPerMonth: 7300 }).warning).toMatch(
			/hit 1 times an hour, 2 are needed/,
		);
	});

	test("a free write pays from the first hit", () => {
		expect(schemeAnswer(prices(FREE), traffic)).toMatchObject({
			breakEvenHitShare: { value: 0 },
			warning: null,
		});
	});
});

test("every scheme has a source and a day, and paid writes break even at what was published", () => {
	for (const { source } of CACHE_SCHEMES) {
		expect(source.href).toMatch(/^https:/);
		expect(source.date).toMatch(/^\d{4}-\d\d-\d\d$/);
	}
	const paid = CACHE_SCHEMES.filter(({ scheme }) => scheme === "paid write").map(({ write, read }) =>
		cacheBreakEven({ input: 1, write, read: read.high }),
	);
	expect(paid.map((share) => share?.toFixed(3))).toEqual(["0.217", "0.526"]);
});
