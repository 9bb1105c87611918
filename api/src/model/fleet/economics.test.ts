import { describe, expect, test } from "vitest";
import { measured, price } from "../fixtures/facts.ts";
import { h100, llama8b } from "../fixtures/models.ts";
import { exactly, type HostedTerms, type OwnedTerms, type PriceEntry, US_DOLLAR } from "../money/price.ts";
import { DEFAULT_CHOICES } from "./candidates.ts";
import { type EconomicsAsk, fleetEconomics } from "./economics.ts";
import { type FleetAsk, searchFleet } from "./fleet.ts";

const entry = {
	id: "v",
	series: "s",
	version: 1,
	seller: null,
	currency: US_DOLLAR,
	origin: "user",
} as const;
const own: PriceEntry & { terms: OwnedTerms } = {
	...{ ...entry, subject: "h100-sxm-80gb", source: "quote", readOn: "2026-10-01" },
	terms: {
		...{
			kind: "owned",
			capexPerGpu: exactly(25_000),
			lifetimeMonths: 48,
			residualShare: 0.1,
			watts: 1000,
			pue: 1.3,
		},
		...{ perKwh: exactly(0.1), staffPerGpuMonth: exactly(73), hostingPerGpuMonth: exactly(146) },
	},
};
const hosted: PriceEntry & { terms: HostedTerms } = {
	...{ ...entry, subject: "a-hosted-model", source: "list", readOn: "2026-10-01" },
	terms: {
		...{ kind: "hosted", inputPerMillion: { low: 0.2, high: 0.4 }, outputPerMillion: exactly(0.8) },
		...{
			cache: { scheme: "paid write", write: 1.25, read: 0.1 },
			minimumPrefixTokens: 1000,
			lifetimeSeconds: 300,
		},
	},
};
const question: FleetAsk = {
	demand: {
		load: { kind: "rate", tasksPerSecond: 10 },
		...{ requestsPerTask: 1, dailyCurve: [1, 3], growthPerMonth: 0, cachedShare: 0 },
		prompt: { kind: "fixed", tokens: 2000 },
		output: { kind: "fixed", tokens: 200 },
	},
	limits: { ttftSeconds: 2, tpotSeconds: 0.05, percentile: 0.95 },
	policy: { spareReplicas: 1, utilisationCeiling: 0.8 },
	choices: { ...DEFAULT_CHOICES, measuredOnly: true, maxSequences: [128] },
	...{ latency: "e2e", order: "cost", options: 1, price: null, utilisation: null },
};
const ask: EconomicsAsk = { own, hosted, prefixTokens: 1500, hitShare: 0.5, prefixes: 1, months: 36 };
const found = searchFleet(question, {
	model: llama8b,
	gpus: [h100],
	configurations: [measured],
	prices: { "h100-sxm-80gb": [price] },
});
const [one] = found.sized;
const [option] = found.answer.options;
if (!one || !option) throw new Error("no option");
const economics = fleetEconomics(one, option, question, found.figures, ask);

test("a request at the hosted list, half of its prefixes found, by hand", () => {
	// Low: (500 + 1,500 × (0.5 × 1.25 + 0.5 × 0.1)) × 0.2/10⁶ = 1,512.5 × 0.2/10⁶ = 0.0003025; + 200 × 0.8/10⁶ = 0.00016
	expect(economics.hostedUsdPerRequest.low).toBeCloseTo(0.0004625, 12);
	// High: 1,512.5 × 0.4/10⁶ + 0.00016
	expect(economics.hostedUsdPerRequest.high).toBeCloseTo(0.000765, 12);
	expect(economics.hostedUsdPerRequest).toMatchObject({ evidence: "arithmetic", unit: "USD/request" });
});

test("the months are those of the fleet: rent at the price, and the same replicas bought", () => {
	const replicas = option.replicas.value ?? 0;
	const [first] = economics.outlay.middle;
	// The book's middle is $4; the peak is 1.5 times the mean, for which the replicas are sized.
	expect(first).toMatchObject({ replicas });
	expect(first?.rent).toBeCloseTo(replicas * 4 * 730, 6);
	// 1 kW × 1.3 × 0.10 × 730 h = 94.90, + 73 + 146 = 313.90 a month
	expect(first?.own).toBeCloseTo(replicas * (25_000 + 313.9), 6);
	// 10 requests/s × 730 × 3,600 = 26,280,000 at the middle of the list: 1,512.5 × √0.08/10⁶ + 0.00016
	expect(first?.api).toBeCloseTo(26_280_000 * ((1512.5 * Math.sqrt(0.08)) / 1e6 + 0.00016), 4);
	expect(economics.outlay.low[35]?.rent).toBeCloseTo(36 * replicas * 2 * 730, 4);
});

test("at $4 an hour a bought GPU, worth what is not yet written off, is cheaper from the first month", () => {
	// 2,920 of rent against 22,500 / 48 = 468.75 + 313.90 = 782.65 a month
	expect(economics.ownCheaperThanRentFrom).toBe(1);
	// Cash: 25,000 + 313.90 m is no more than 2,920 m from m = 25,000 / 2,606.10 = 9.6 on.
	expect(economics.ownPaidBackAgainstRentFrom).toBe(10);
});

test("with output at $8 a million a request costs $0.0020278, and 1.44 million of them a rented replica", () => {
	const terms: HostedTerms = { ...hosted.terms, outputPerMillion: exactly(8) };
	const dearer = fleetEconomics(one, option, question, found.figures, {
		...ask,
		hosted: { ...hosted, terms },
	});
	// 4 × 730 / (1,512.5 × √0.08/10⁶ + 0.0016) = 2,920 / 0.002027800 = 1,439,984: one that works and one spare.
	expect(dearer.rentAgainstApi?.first.value).toBeCloseTo(
		2 * (2920 / (1512.5 * Math.sqrt(0.08) * 1e-6 + 0.0016)),
		3,
	);
	expect(dearer.ownAgainstApi?.first.value).toBeLessThan(dearer.rentAgainstApi?.first.value ?? 0);
	// At $0.00059 a request a full rented replica costs more than its requests.
	expect(economics.rentAgainstApi?.first.value).toBeNull();
	expect(economics.rentAgainstApi?.first.arithmetic).toMatch(/^(never|not at the middle)/);
});

test("a hit saves the law's difference: 0.5 × (t(2,000) − t(500 over 1,500))", () => {
	// f + a·n + b·(n² + 2·n·d) of the fixture: 0.02 + 1e-4·2,000 + 2e-9·4e6 = 0.228; 0.02 + 0.05 + 2e-9·(0.25e6 + 1.5e6) = 0.0735
	expect(economics.prefixCache?.secondsPerRequest.value).toBeCloseTo(0.5 * (0.228 - 0.0735), 3);
});

describe("with the same hits on both sides", () => {
	const hits = { prefixTokens: 1500, hitShare: 0.5 };
	const facts = {
		model: llama8b,
		gpus: [h100],
		configurations: [measured],
		prices: { "h100-sxm-80gb": [price] },
	};
	const cachedQuestion = { ...question, demand: { ...question.demand, hits } };
	const cached = searchFleet(cachedQuestion, facts);
	const [fleet, told] = [cached.sized[0], cached.answer.options[0]];
	if (!fleet || !told) throw new Error("no option");
	const compared = fleetEconomics(fleet, told, cachedQuestion, cached.figures, { ...ask, ...hits });

	test("the fleet reads 0.375 of its prompt tokens from the cache, and carries more", () => {
		expect(told.scenario.cached).toBeCloseTo((0.5 * 1500) / 2000, 12);
		expect(told.largestRequestsPerSecond.value).toBeGreaterThan(option.largestRequestsPerSecond.value ?? 0);
	});

	test("half of the requests hit, so that the slowest twentieth are those that do not", () => {
		// The whole prompt's prefill is 0.228 s; a prompt with its beginning cached takes 0.0735 s.
		expect(fleet.replica.longPrefillSeconds).toBeCloseTo(0.228, 3);
		// (0.5·0.0735² + 0.5·0.228²)/0.15075² − 1
		expect(fleet.replica.prefillVariation).toBeCloseTo(0.2627, 3);
		const nearlyAll = { ...question.demand, hits: { ...hits, hitShare: 0.96 } };
		const [sure] = searchFleet({ ...question, demand: nearlyAll }, facts).sized;
		expect(sure?.replica.longPrefillSeconds).toBeCloseTo(0.0735, 3);
	});

	test("rent and owning fall by whole replicas, and by what the box says", () => {
		const saved = (option.replicas.value ?? 0) - (told.replicas.value ?? 0);
		expect(saved).toBeGreaterThan(0);
		expect(compared.prefixCache?.gpus.value).toBe(saved * told.gpusPerReplica);
		const [before, after] = [economics.outlay.middle[0], compared.outlay.middle[0]];
		expect((before?.rent ?? 0) - (after?.rent ?? 0)).toBeCloseTo(
			compared.prefixCache?.usdPerMonth.value ?? 0,
			6,
		);
		// 25,000 + 313.90 of each bought
		expect((before?.own ?? 0) - (after?.own ?? 0)).toBeCloseTo(saved * 25_313.9, 4);
		// The hosted side had the hits before.
		expect(after?.api).toBe(before?.api);
	});
});

test("the tornado: the price from $2 to $8 moves the month by replicas × $6 × 730", () => {
	const bar = economics.sensitivity.bars.find(({ key }) => key === "price");
	const replicas = option.replicas.value ?? 0;
	expect(economics.sensitivity.base).toBeCloseTo(replicas * 4 * 730, 6);
	expect(bar?.swing).toBeCloseTo(replicas * 6 * 730, 6);
	const swings = economics.sensitivity.bars.map(({ swing }) => swing ?? Number.POSITIVE_INFINITY);
	expect(swings).toEqual([...swings].sort((a, b) => b - a));
});

test("without a list and without a quote there is nothing to compare with, and no zero", () => {
	const alone = fleetEconomics(one, option, question, found.figures, { ...ask, own: null, hosted: null });
	expect(alone).toMatchObject({ rentAgainstApi: null, ownAgainstApi: null, ownCheaperThanRentFrom: null });
	expect(alone.hostedUsdPerRequest.value).toBeNull();
	expect(alone.outlay.middle[0]).toMatchObject({ own: null, api: null });
});
