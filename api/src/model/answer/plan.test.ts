import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	decodeLaw,
	measured,
	prefillLaw,
	price,
	servePoints,
	unknown,
	unmeasured,
} from "../fixtures/facts.ts";
import { deepseekV3, gemma27b, qwen35 } from "../fixtures/models.ts";
import { fitConfiguration } from "../time/configuration.ts";
import { EVIDENCE, type Quantity } from "../trust/quantity.ts";
import type { Plan } from "./answer.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { defaultScenario, plan } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";

const scenario: Scenario = {
	...BLANK_SCENARIO,
	configuration: "abc",
	context: 16_000,
	output: 500,
	concurrency: 8,
	price: 2.5,
	ttftSlo: 30,
	tpotSlo: 0.05,
};

const quantities = (answer: Plan): [string, Quantity][] => {
	const { ttft, tpot, e2e, memory, load, cost } = answer;
	return Object.entries({ ttft, tpot, e2e, ...memory, ...load, ...cost });
};

test("says how far beyond which measurements a time lies and what to measure; inside of them nothing", () => {
	const at = (context: number, concurrency: number) => plan({ ...scenario, context, concurrency }, measured);
	expect(at(65_536, 1).ttft.beyond).toBe(
		"Asked: prompts of 65,536 tokens. Measured: prompts of 512 to 32,768 tokens. That is 2 times beyond; measure prompts of 65,536 tokens to be sure.",
	);
	// Batches of 1 to 16 were measured, over 1,024 to 16,384 tokens.
	expect(at(8000, 32).tpot.beyond).toMatch(
		/^Asked: 32 sequences over 8,250 tokens.*\. Measured: 1 to 16 sequences over 1,024 to 16,384 tokens/,
	);
	expect([at(8000, 8).ttft.beyond, at(8000, 8).tpot.beyond]).toEqual([undefined, undefined]);
});

test("is not sure of a first token that prompts at random arrivals would wait beyond", () => {
	const alone = plan({ ...scenario, concurrency: 1 }, measured).ttft.value ?? Number.NaN;
	// Half of the time an engine is busy with prompts: the mean wait is 0.5 · s / 2(1 − 0.5) = s / 2.
	const at = (ttftSlo: number) =>
		plan({ ...scenario, concurrency: null, rate: 0.5 / alone, ttftSlo, tpotSlo: 1 }, measured);
	const steady = at(1000).ttft.value ?? Number.NaN;
	const [short, long] = [at(steady + 0.45 * alone).verdict, at(steady + 0.55 * alone).verdict];
	expect([short.feasible, short.sure, long.feasible, long.sure]).toEqual([true, false, true, true]);
	expect(short.reasons.join()).toContain("At random arrivals a prompt also waits");
	expect(long.reasons.join()).not.toContain("At random arrivals");
});

describe("copies and places", () => {
	const asked = { ...scenario, context: 2000 };

	test("one request in flight keeps one of two engines busy, whatever stands beside it", () => {
		const one = plan({ ...asked, concurrency: 1 }, measured);
		const two = plan({ ...asked, concurrency: 1, gpus: 2 }, measured);
		const both = plan({ ...asked, concurrency: 2, gpus: 2 }, measured);
		const rate = (answer: Plan) => answer.load.requestsPerSecond.value ?? 0;
		expect(rate(two)).toBeCloseTo(rate(one), 12);
		expect(rate(both)).toBeCloseTo(2 * rate(one), 12);
		expect(two.ttft.value).toBeCloseTo(one.ttft.value ?? 0, 12);
		expect((two.cost.usdPerRequest.value ?? 0) / (one.cost.usdPerRequest.value ?? 1)).toBeCloseTo(2, 9);
	});

	test("an engine started for four sequences lets four of eight run: the others wait as long as one takes", () => {
		const four = plan({ ...asked, concurrency: 4 }, measured);
		const started = plan({ ...asked, concurrency: 8, maxSequences: 4 }, measured);
		expect(started.load.requestsPerSecond.value).toBeCloseTo(four.load.requestsPerSecond.value ?? 0, 12);
		expect(started.e2e.value).toBeCloseTo(2 * (four.e2e.value ?? 0), 9);
		expect(started.tpot.value).toBeCloseTo(four.tpot.value ?? 0, 12);
		expect(started.ttft.arithmetic).toContain("4 wait for 4 places");
	});
});

describe("a measured configuration", () => {
	const answer = plan(scenario, measured);

	test("one user waits for the bare prefill and decodes at the bare step", () => {
		const alone = plan({ ...scenario, concurrency: 1 }, measured);
		expect(alone.ttft.value).toBeCloseTo(prefillLaw(16_000), 2);
		expect(alone.tpot.value).toBeCloseTo(decodeLaw(1, 16_250), 4);
		expect(alone.ttft.evidence).toBe("fitted");
	});

	test("under load the first token takes no less than the bare prefill", () => {
		expect(answer.ttft.value).toBeGreaterThanOrEqual(prefillLaw(16_000) * 0.99);
		expect(answer.tpot.value).toBeGreaterThanOrEqual(decodeLaw(8, 16_250) * 0.99);
	});

	test("throughput obeys Little's law", () => {
		const { requestsPerSecond, outputTokensPerSecond } = answer.load;
		expect((requestsPerSecond.value ?? 0) * (answer.e2e.value ?? 0)).toBeCloseTo(8, 6);
		expect(outputTokensPerSecond.value).toBeCloseTo((requestsPerSecond.value ?? 0) * 500, 9);
	});

	test("input and output prices add up to the request", () => {
		const { usdPerMillionInputTokens: input, usdPerMillionOutputTokens: output, usdPerRequest } = answer.cost;
		const sum = ((input.value ?? 0) * 16_000 + (output.value ?? 0) * 500) / 1e6;
		expect(sum).toBeCloseTo(usdPerRequest.value ?? 0, 12);
	});

	test("an hour of requests costs an hour of the GPU", () => {
		const perHour =
			(answer.load.requestsPerSecond.value ?? 0) * 3600 * (answer.cost.usdPerRequest.value ?? 0);
		expect(perHour).toBeCloseTo(2.5, 9);
	});

	test("every figure links to the configuration and shows its numbers", () => {
		expect(answer.ttft.sources?.[0]?.href).toBe("/configurations/abc");
		expect(answer.ttft.arithmetic).toContain("16,000 tokens");
		expect(answer.cost.usdPerMonth.arithmetic).toContain("730 hours");
	});

	test("defaults are said", () => {
		expect(plan({ ...scenario, ttftSlo: null }, measured).scenario.ttftSlo).toBe(2);
		expect(plan({ ...scenario, ttftSlo: null }, measured).assumed.map((a) => a.key)).toContain("ttftSlo");
	});

	test("past the measured lengths the evidence weakens and the band widens", () => {
		const inside = plan({ ...scenario, concurrency: 1 }, measured).ttft;
		const outside = plan({ ...scenario, concurrency: 1, context: 120_000 }, measured).ttft;
		const width = (q: Quantity) => ((q.high ?? 0) - (q.low ?? 0)) / (q.value ?? 1);
		expect(outside.evidence).toBe("extrapolated");
		expect(width(outside)).toBeGreaterThan(width(inside));
	});

	test("a cached prefix costs a·(s − p) + b·(s² − p²)", () => {
		const cached = plan({ ...scenario, concurrency: 1, cached: 0.5 }, measured);
		const expected = 0.02 + 1e-4 * 8000 + 2e-9 * (16_000 ** 2 - 8000 ** 2);
		expect((cached.ttft.value ?? 0) / expected).toBeCloseTo(1, 2);
	});
});

describe("steps measured at one context only", () => {
	// Llama 3.1 8B reads 131,072 bytes a token; an H100's 3.35 TB/s × 0.6 does it in 131,072 / 2.01e12 = 65.21 ns.
	const readSeconds = 131_072 / (3.35e12 * 0.6);
	const steps = (batches: number[]) => ({
		...measured,
		fits: {
			...measured.fits,
			decode: fitConfiguration(
				batches.map((batch) => ({
					...{ n: 1, betweenRuns: null, withinRun: null, measurementIds: ["1"] },
					...{ phase: "decode" as const, batch, context: 64, seconds: 0.01 + 1e-4 * batch },
				})),
			).decode,
		},
	});
	const alone = { ...scenario, concurrency: 1, output: 2 };

	test("pass through what was measured, and read the cache at the roofline's pace beyond it", () => {
		const facts = steps([1]);
		const tpot = (context: number) => plan({ ...alone, context }, facts).tpot;
		expect(tpot(63).value).toBeCloseTo(0.0101, 6);
		expect((tpot(20_000).value ?? 0) - (tpot(10_000).value ?? 0)).toBeCloseTo(10_000 * readSeconds, 9);
		expect(tpot(20_000).evidence).toBe("estimated");
		expect(tpot(20_000).arithmetic).toContain("measured around 64 tokens only");
	});

	test("have the band of an estimate for what was estimated", () => {
		const { value, low, high } = plan({ ...alone, context: 100_000 }, steps([1])).tpot;
		const read = 100_001 * readSeconds;
		expect(high).toBeGreaterThan((value ?? 0) + 0.99 * read);
		expect(low).toBeLessThan((value ?? 0) - 0.49 * read);
		expect(low).toBeGreaterThan(0.5 * read);
	});

	test("of several batches keep what they took where they were measured", () => {
		const facts = steps([1, 8]);
		for (const concurrency of [1, 8]) {
			const timing = plan({ ...alone, context: 63, concurrency, cached: 62 / 63 }, facts);
			expect(timing.tpot.value).toBeGreaterThanOrEqual((0.01 + 1e-4 * concurrency) * 0.999);
		}
	});
});

describe("money", () => {
	test("has the uncertainty of the throughput even at a price that was entered", () => {
		const { usdPerRequest } = plan(scenario, measured).cost;
		const { load } = plan(scenario, measured);
		// USD per request = price / 3,600 / requests per second: the slowest bound is the dearest.
		expect(usdPerRequest.high).toBeCloseTo(2.5 / 3600 / (load.requestsPerSecond.low ?? 0), 12);
		expect(usdPerRequest.low).toBeCloseTo(2.5 / 3600 / (load.requestsPerSecond.high ?? 0), 12);
	});

	test("at an offered rate has only the range of the price: the hours are paid either way", () => {
		const { usdPerRequest } = plan(
			{ ...scenario, concurrency: null, rate: 0.1, price: null },
			{ ...measured, prices: [price] },
		).cost;
		expect(usdPerRequest.low).toBeCloseTo(2 / 3600 / 0.1, 12);
		expect(usdPerRequest.high).toBeCloseTo(8 / 3600 / 0.1, 12);
	});
});

describe("verdicts", () => {
	test("100,000 users on one GPU are not feasible, and the sentence says how many wait", () => {
		const { verdict } = plan({ ...scenario, concurrency: 100_000 }, measured);
		expect(verdict.feasible).toBe(false);
		expect(verdict.binding).toBe("memory");
		expect(verdict.reasons[0]).toMatch(/100,000 sequences .* wait/);
	});

	test("a measured failure bounds the answer", () => {
		const failures = [
			{ phase: "prefill", tokens: 12_000, batch: null, reason: "out of memory", measurementId: "9" } as const,
		];
		const { verdict } = plan(scenario, { ...measured, failures: [...failures] });
		expect(verdict.feasible).toBe(false);
		expect(verdict.reasons).toContain("Measured: out of memory at 12,000 tokens.");
		expect(
			plan({ ...scenario, context: 11_000 }, { ...measured, failures: [...failures] }).verdict.feasible,
		).toBe(true);
	});

	test.each([
		[{ ttftSlo: 1 }, "ttft"],
		[{ tpotSlo: 0.001 }, "tpot"],
		[{ rate: 100, concurrency: null }, "throughput"],
		[{ weightsBytes: 90e9 }, "memory"],
	] as const)("%o binds at %s", (change, binding) => {
		const { verdict } = plan({ ...scenario, ...change }, measured);
		expect(verdict).toMatchObject({ feasible: false, decided: true, binding });
	});

	test("within every limit it is feasible and names the shares", () => {
		const { verdict } = plan(scenario, measured);
		expect(verdict).toMatchObject({ feasible: true, decided: true, binding: null });
		expect(verdict.reasons.join(" ")).toMatch(/% of the limit of 30 s/);
	});

	test("with nothing known nothing is promised", () => {
		const { verdict } = plan(BLANK_SCENARIO, unknown);
		expect(verdict).toMatchObject({ feasible: false, decided: false, binding: null });
	});
});

describe("what is not known", () => {
	test("is null and says what is missing", () => {
		const answer = plan({ ...BLANK_SCENARIO, model: "foo" }, unknown);
		for (const [name, quantity] of quantities(answer).filter(([name]) => name !== "overheadBytes")) {
			expect(quantity.value, name).toBeNull();
			expect(quantity.arithmetic.length, name).toBeGreaterThan(20);
		}
		expect(answer.memory.kvBytesPerToken.arithmetic).toContain("pick a model");
	});

	test("a price: no fallback", () => {
		const { cost } = plan({ ...scenario, price: null }, measured);
		expect(cost.usdPerRequest.value).toBeNull();
		expect(cost.usdPerRequest.arithmetic).toContain("no price of H100");
	});

	test("an unmeasured pair is estimated from the roofline, and says so", () => {
		const answer = plan({ ...scenario, configuration: null }, unmeasured);
		expect(answer.ttft.evidence).toBe("estimated");
		expect(answer.ttft.arithmetic).toContain("roofline");
		expect((answer.ttft.high ?? 0) / (answer.ttft.low ?? 1)).toBeGreaterThan(3);
	});
});

test("a price range of the book is a range of cost", () => {
	const { usdPerRequest } = plan({ ...scenario, price: null }, { ...measured, prices: [price] }).cost;
	expect((usdPerRequest.high ?? 0) / (usdPerRequest.low ?? 1)).toBeGreaterThan(4);
	expect(usdPerRequest.evidence).toBe("vendor");
	expect(usdPerRequest.sources?.[0]?.date).toBe("2026-09-20");
});

describe("changes away from what was measured", () => {
	const base = plan({ ...scenario, concurrency: 4 }, measured);

	test("MHA in place of GQA reads four times the cache and leaves the prefill alone", () => {
		const mha = plan({ ...scenario, concurrency: 1, kvHeads: 32 }, measured);
		const alone = plan({ ...scenario, concurrency: 1 }, measured);
		expect(mha.ttft.value).toBe(alone.ttft.value);
		expect((mha.tpot.value ?? 0) - (alone.tpot.value ?? 0)).toBeCloseTo(3 * 1e-8 * 16_250, 5);
		expect(mha.tpot.evidence).toBe("estimated");
		expect(mha.tpot.arithmetic).toContain("× 4");
	});

	test("another TP is carried over and says so", () => {
		const two = plan({ ...scenario, concurrency: 1, tp: 2 }, measured);
		expect(two.tpot.evidence).toBe("transferred");
		expect(two.tpot.arithmetic).toContain("carried over from TP 1");
		expect(two.tpot.value).toBeLessThan(base.tpot.value ?? 0);
		expect(two.scenario.gpus).toBe(2);
	});

	test("of a mixture of experts it is carried over too", () => {
		// 37 of 671 billion parameters a token; two ranks read half of them each.
		const sparse: PlanFacts = { ...measured, model: deepseekV3 };
		const [one, two] = [1, 2].map((tp) =>
			plan({ ...scenario, concurrency: 1, tp, totalBytes: 1e13 }, sparse),
		);
		expect(two?.tpot.evidence).toBe("transferred");
		expect(two?.tpot.value).toBeGreaterThan(0.4 * (one?.tpot.value ?? Number.NaN));
		expect(two?.tpot.value).toBeLessThan(one?.tpot.value ?? Number.NaN);
		expect(two?.tpot.arithmetic).not.toMatch(/NaN|Infinity/);
	});

	test("more GPUs are more copies: twice the requests at twice the users, and twice the month", () => {
		const two = plan({ ...scenario, concurrency: 8, gpus: 2 }, measured);
		expect(two.tpot.value).toBeCloseTo(base.tpot.value ?? 0, 9);
		expect((two.load.requestsPerSecond.value ?? 0) / (base.load.requestsPerSecond.value ?? 1)).toBeCloseTo(
			2,
			9,
		);
		expect(two.cost.usdPerMonth.value).toBe(2 * (base.cost.usdPerMonth.value ?? 0));
	});

	test("without the model another TP is not known rather than guessed", () => {
		const two = plan({ ...scenario, tp: 2 }, { ...measured, model: null });
		expect(two.ttft.value).toBeNull();
		expect(two.ttft.arithmetic).toContain("how that becomes TP 2");
	});
});

describe("an engine that spans more GPUs than its ranks", () => {
	const configuration = measured.configuration && {
		...measured.configuration,
		gpus: 16,
		tp: 8,
		flags: { contextParallel: 2 },
	};
	const spanning: PlanFacts = { ...measured, configuration };
	const at = (gpus: number | null) => plan({ ...scenario, gpus, concurrency: 1 }, spanning);

	test("is one engine: its times hold for all GPUs together", () => {
		expect(at(null).ttft.value).toBeCloseTo(prefillLaw(16_000), 2);
		expect(at(null).cost.usdPerMonth.value).toBe(16 * 2.5 * 730);
	});

	test("keeps half the tokens of a sequence on each context rank", () => {
		expect(at(null).memory.kvBytesPerToken.value).toBe((32 * 1 * 128 * 2 * 2) / 2);
	});

	test("is doubled by twice the GPUs, and not known on half of them", () => {
		expect(at(32).load.requestsPerSecond.value).toBeGreaterThan(0);
		expect(at(32).ttft.value).toBe(at(null).ttft.value);
		expect(at(8).ttft.value).toBeNull();
		expect(at(8).ttft.arithmetic).toContain("2 context ranks");
	});
});

describe("serve points", () => {
	const serving: PlanFacts = {
		...measured,
		fits: { ...measured.fits, serve: fitConfiguration(servePoints).serve },
	};

	test("decide the TPOT inside their range", () => {
		const { tpot } = plan({ ...scenario, context: 2048, output: 256, concurrency: 16 }, serving);
		expect((tpot.value ?? 0) / (0.01 + 0.0002 * 16 + 1e-6 * 16 * 8)).toBeCloseTo(1, 1);
		expect(tpot.arithmetic).toContain("serve points");
	});

	test("alone are what the first question is about, and no estimate overrules them", () => {
		const alone: PlanFacts = { ...serving, fits: { prefill: null, decode: null, serve: serving.fits.serve } };
		const first = defaultScenario(alone);
		expect(first).toMatchObject({ context: 4096, output: 256, concurrency: 8 });
		const { ttft, tpot } = plan(first, alone);
		expect((ttft.value ?? 0) / (0.1 + 0.01 * 8)).toBeCloseTo(1, 0);
		expect((tpot.value ?? 0) / (0.01 + 0.0002 * 8 + 1e-6 * 8 * 16)).toBeCloseTo(1, 1);
		expect(plan({ ...first, context: 20_000 }, alone).tpot.arithmetic).toContain("serve points");
	});

	test("outside of it are carried on by the laws, without a step where they end", () => {
		const at = (context: number) => plan({ ...scenario, context, output: 256, concurrency: 16 }, serving);
		const { tpot } = at(20_000);
		expect(tpot.arithmetic).toContain("in place of");
		expect(tpot.evidence).toBe("extrapolated");
		// 4,096 tokens were the longest; the law answers alone up to a quarter beyond.
		for (const time of ["ttft", "tpot"] as const)
			expect((at(5121)[time].value ?? 0) / (at(5120)[time].value ?? 1)).toBeCloseTo(1, 2);
	});
});

test("a first question lies inside what was measured", () => {
	const first = defaultScenario(measured);
	expect(first.configuration).toBe("abc");
	expect(first.context).toBeLessThanOrEqual(32_768);
	expect(plan(first, measured).ttft.evidence).not.toBe("assumed");
	expect(defaultScenario(unmeasured)).toMatchObject({
		configuration: null,
		model: "llama-3.1-8b",
		gpu: "h100-sxm-80gb",
	});
});

test("without words the numbers are the same", () => {
	const words = ["arithmetic", "sources", "reasons"];
	const strip = (answer: Plan) =>
		JSON.parse(JSON.stringify(answer, (key, value) => (words.includes(key) ? undefined : value)));
	expect(strip(plan(scenario, measured, { arithmetic: false }))).toEqual(strip(plan(scenario, measured)));
});

const facts = fc.constantFrom(
	measured,
	unmeasured,
	unknown,
	{ ...measured, model: null },
	{ ...measured, gpu: null, prices: [price] },
	{ ...measured, model: gemma27b },
	{ ...unmeasured, model: deepseekV3 },
	{ ...unmeasured, model: qwen35, prices: [price] },
	{ ...measured, fits: { ...measured.fits, decode: null } },
	{ ...measured, fits: { prefill: null, decode: null, serve: fitConfiguration(servePoints).serve } },
);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const scenarios: fc.Arbitrary<Scenario> = fc
	.record({
		gpus: some(fc.integer({ min: 1, max: 64 })),
		tp: some(fc.constantFrom(1, 2, 4, 8, 16)),
		weights: some(fc.constantFrom("bf16", "fp8", "Q4_K_M", "mystery")),
		kvK: some(fc.constantFrom("bf16", "fp8", "q8_0")),
		kvV: some(fc.constantFrom("bf16", "fp8", "q4_0")),
		kvHeads: some(fc.constantFrom(1, 8, 32, 64)),
		context: fc.integer({ min: 1, max: 4_000_000 }),
		output: fc.integer({ min: 1, max: 65_536 }),
		users: fc.integer({ min: 1, max: 1_000_000 }),
		rate: some(fc.double({ min: 1e-6, max: 1e4, noNaN: true })),
		cached: fc.double({ min: 0, max: 1, noNaN: true }),
		utilisation: some(fc.double({ min: 0.05, max: 1, noNaN: true })),
		price: some(fc.double({ min: 0, max: 1000, noNaN: true })),
		busy: fc.double({ min: 0.01, max: 1, noNaN: true }),
		ttftSlo: some(fc.double({ min: 0.001, max: 100, noNaN: true })),
	})
	.map(
		({ users, ...s }) =>
			({ ...BLANK_SCENARIO, ...s, concurrency: s.rate === null ? users : null }) as Scenario,
	);

test("any scenario gets finite, non-negative figures or null with words", () => {
	fc.assert(
		fc.property(scenarios, facts, (scenario, facts) => {
			const answer = plan(scenario, facts);
			const signed = ["poolBytes", "freeBytes", "reservedBytes"];
			for (const [name, { value, low, high, evidence, arithmetic }] of quantities(answer)) {
				expect(EVIDENCE).toContain(evidence);
				expect(arithmetic, name).not.toMatch(/NaN|undefined|Infinity|null/);
				expect(arithmetic.length, name).toBeGreaterThan(3);
				if (value === null) continue;
				expect(Number.isFinite(value), name).toBe(true);
				if (!signed.includes(name)) expect(value, name).toBeGreaterThanOrEqual(0);
				if (low !== undefined) expect(low, name).toBeLessThanOrEqual(value * (1 + 1e-9));
				if (high !== undefined) expect(high, name).toBeGreaterThanOrEqual(value * (1 - 1e-9));
			}
			expect(answer.verdict.reasons.length).toBeGreaterThan(0);
			expect(answer.verdict.reasons.join(" ")).not.toMatch(/NaN|undefined|Infinity|null/);
			expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
		}),
		{ numRuns: 400 },
	);
});

test("twice the price is twice the cost and moves no time", () => {
	fc.assert(
		fc.property(scenarios, facts, (scenario, facts) => {
			const [one, two] = [1.5, 3].map((price) =>
				plan({ ...scenario, price }, facts, { arithmetic: false }),
			) as [Plan, Plan];
			expect(two.ttft).toEqual(one.ttft);
			expect(two.tpot).toEqual(one.tpot);
			for (const key of Object.keys(one.cost) as (keyof Plan["cost"])[])
				if (one.cost[key].value)
					expect((two.cost[key].value ?? 0) / (one.cost[key].value ?? 1)).toBeCloseTo(2, 9);
		}),
	);
});

test("more users never get their first token earlier", () => {
	fc.assert(
		fc.property(
			scenarios,
			fc.integer({ min: 1, max: 1000 }),
			fc.integer({ min: 1, max: 1000 }),
			(scenario, users, more) => {
				const ask = (concurrency: number) =>
					plan({ ...scenario, rate: null, concurrency }, measured, { arithmetic: false });
				const [few, many] = [ask(users), ask(users + more)];
				if (few.ttft.value !== null)
					expect(many.ttft.value ?? 0).toBeGreaterThanOrEqual(few.ttft.value * (1 - 1e-9));
			},
		),
	);
});

test("an answer does not depend on what was asked of the same facts before", () => {
	const loads = fc.record({
		context: fc.integer({ min: 1, max: 200_000 }),
		output: fc.integer({ min: 1, max: 4096 }),
		cached: fc.constantFrom(0, 0.5, 1),
		concurrency: some(fc.integer({ min: 1, max: 512 })),
		rate: some(fc.double({ min: 0.01, max: 10, noNaN: true })),
	});
	const setups = fc.constantFrom<Partial<Scenario>>({}, {}, { price: 7 }, { kvK: "fp8" }, { ttftSlo: 0.5 });
	const questions = fc.array(fc.record({ load: loads, setup: setups }), { minLength: 2, maxLength: 6 });
	fc.assert(
		fc.property(scenarios, facts, questions, (scenario, facts, questions) => {
			for (const { load, setup } of questions) {
				const asked = { ...scenario, ...load, ...setup };
				expect(plan(asked, facts)).toEqual(plan(asked, { ...facts }));
			}
		}),
	);
});
