import { describe, expect, it, test } from "vitest";
import { measured, servePoints, unmeasured } from "../fixtures/facts.ts";
import { llama8b, llama70b } from "../fixtures/models.ts";
import { fitConfiguration } from "../time/configuration.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { plan } from "./plan.ts";
import type { PlanFacts } from "./question.ts";

/** One serving result with short prompts, as a first upload brings it. */
const shortPrompts = servePoints
	.filter(({ input, concurrency }) => input === 1024 && concurrency === 1)
	.map((point) => ({ ...point, input: 128, ttftSeconds: 0.02 }));
const facts: PlanFacts = { ...measured, fits: fitConfiguration(shortPrompts) };

/** Seconds that the arithmetic of a prompt takes at the card's full dense rate: 2 · parameters · tokens / peak. */
const atPeak = (tokens: number) => (2 * 8.03e9 * tokens) / 989e12;

describe("serving results of one prompt length", () => {
	it.each([4000, 16_000, 64_000])(
		"do not promise a prompt of %i tokens faster than the card computes",
		(context) => {
			const { ttft } = plan({ ...BLANK_SCENARIO, context, concurrency: 1 }, facts);
			expect(ttft.value ?? Number.NaN).toBeGreaterThan(atPeak(context));
			expect(["estimated", "assumed"]).toContain(ttft.evidence);
		},
	);

	it("answer as they were measured where they were measured", () => {
		const { ttft } = plan({ ...BLANK_SCENARIO, context: 128, output: 256, concurrency: 1 }, facts);
		expect(ttft.value).toBeCloseTo(0.02, 3);
	});

	it("promise nothing of another length where neither model nor card is known", () => {
		const unknown: PlanFacts = { ...facts, model: null, gpu: null };
		expect(plan({ ...BLANK_SCENARIO, context: 64_000, concurrency: 1 }, unknown).ttft.value).toBeNull();
	});
});

describe("one serving result under a load", () => {
	// 16 clients with prompts of 1,020 and answers of 125 tokens, as a first upload of vllm bench serve brings it.
	const [template] = servePoints;
	if (!template) throw new Error("the fixture has serve points");
	const one = {
		...template,
		...{ input: 1020, output: 125, concurrency: 16, ttftSeconds: 0.031, tpotSeconds: 0.0065 },
	};
	const known: PlanFacts = { ...measured, fits: fitConfiguration([one]) };
	const at = (concurrency: number) =>
		plan({ ...BLANK_SCENARIO, context: 1020, output: 125, concurrency, price: 2 }, known);

	test.each([32, 64, 256, 440])("promises no more arithmetic for %i users than the card does", (users) => {
		// 2 · 8.03e9 FLOP a token of prompt and answer; 989 dense TFLOP/s at most.
		const rate = at(users).load.requestsPerSecond.value ?? Number.NaN;
		expect(rate * (1020 + 125) * 2 * 8.03e9).toBeLessThan(989e12);
	});

	test("is what it was where it was measured, and goes on from there without a step", () => {
		expect(at(16).tpot.value).toBeCloseTo(0.0065, 6);
		const [inside, outside] = [at(20), at(21)].map(({ tpot }) => tpot.value ?? Number.NaN) as [
			number,
			number,
		];
		expect(outside / inside).toBeLessThan(1.5);
		expect(at(200).tpot.value ?? 0).toBeGreaterThan(3 * (at(16).tpot.value ?? 1));
	});

	test("never says that output costs nothing, and its parts add up", () => {
		for (const users of [1, 16, 100]) {
			const { cost } = at(users);
			const [input, output] = [cost.usdPerMillionInputTokens, cost.usdPerMillionOutputTokens];
			expect(output.value).toBeGreaterThan(0);
			expect(output.low).toBeGreaterThan(0);
			const parts = ((input.value ?? 0) * 1020 + (output.value ?? 0) * 125) / 1e6;
			expect(parts).toBeCloseTo(cost.usdPerRequest.value ?? 0, 12);
		}
	});
});

test("a model that does not fit has no times: nothing runs", () => {
	// 70.554e9 parameters of 2 bytes are 141 GB, on a card of 80 GB.
	const { memory, ttft, tpot, e2e } = plan(
		{ ...BLANK_SCENARIO, context: 8000 },
		{ ...unmeasured, model: llama70b },
	);
	expect(memory.maxSequences.value).toBe(0);
	expect([ttft.value, tpot.value, e2e.value]).toEqual([null, null, null]);
	expect(ttft.arithmetic).toContain("not one sequence fits");
});

describe("a server that takes 32 at once, measured with up to 64 clients", () => {
	const each = (B: number) => 0.02 + 0.001 * Math.min(32, B);
	const cycle = (B: number) => 0.3 + 199 * each(B);
	const [template] = servePoints;
	if (!template) throw new Error("the fixture has serve points");
	const points = [1, 4, 16, 32, 64].map((concurrency) => ({
		...template,
		...{ input: 4096, output: 200, concurrency, tpotSeconds: each(concurrency) },
		ttftSeconds: 0.3 + (Math.max(0, concurrency - 32) / 32) * cycle(32),
	}));
	const known: PlanFacts = { ...measured, model: null, gpu: null, fits: fitConfiguration(points) };
	const at = (concurrency: number, facts = known) =>
		plan({ ...BLANK_SCENARIO, context: 4096, output: 200, concurrency }, facts);

	test("serves what it was seen to serve, and no more under more clients", () => {
		const plateau = 32 / cycle(32);
		expect(at(32).load.requestsPerSecond.value).toBeCloseTo(plateau, 3);
		expect(at(64).load.requestsPerSecond.value).toBeCloseTo(plateau, 3);
		for (const clients of [100, 150, 200]) {
			expect(at(clients).load.requestsPerSecond.value).toBeLessThan(1.05 * plateau);
			// Whoever finds no place waits: by Little's law all clients share what is served.
			expect(at(clients).ttft.value).toBeGreaterThan(
				0.9 * (clients / plateau - 199 * (at(clients).tpot.value ?? 0)),
			);
		}
	});

	test("promises less than it may where one load alone was measured, and says that it is not sure", () => {
		const single: PlanFacts = { ...known, fits: fitConfiguration(points.slice(3, 4)) };
		const { ttft, verdict } = at(128, single);
		expect(ttft.value).toBeGreaterThan(2 * (at(32, single).ttft.value ?? 0));
		expect(ttft.low).toBeLessThan(1);
		expect(verdict).toMatchObject({ feasible: false, sure: false });
	});
});

test("lengths just below what clients sent take no longer for want of a measurement", () => {
	const sent = [1, 4, 16].map((concurrency) => {
		const [template] = servePoints;
		if (!template) throw new Error("the fixture has serve points");
		// Four times as fast as an estimate from the data sheet says.
		return { ...template, input: 1024, output: 256, concurrency, tpotSeconds: 0.003, ttftSeconds: 0.01 };
	});
	const known: PlanFacts = { ...measured, fits: fitConfiguration(sent) };
	const at = (context: number) => plan({ ...BLANK_SCENARIO, context, output: 256, concurrency: 1 }, known);
	for (const [shorter, longer] of [
		[600, 810],
		[810, 830],
		[830, 1024],
	] as const) {
		expect(at(shorter).tpot.value).toBeLessThanOrEqual(1.001 * (at(longer).tpot.value ?? 0));
		expect(at(shorter).ttft.value).toBeLessThanOrEqual(1.001 * (at(longer).ttft.value ?? 0));
	}
});

test("a cache of nothing leaves as many places as a pass has tokens, not without end", () => {
	const recurrent = { ...llama8b, fullLayers: 0, recurrentLayers: 32, recurrentStateBytesPerLayer: 0 };
	const { load } = plan({ ...BLANK_SCENARIO, context: 1000 }, { ...unmeasured, model: recurrent });
	expect(load.saturationConcurrency.value).toBeLessThanOrEqual(8192);
});
