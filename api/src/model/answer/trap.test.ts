import { describe, expect, test } from "vitest";
import { measured } from "../fixtures/facts.ts";
import { llama8b } from "../fixtures/models.ts";
import type { PrefillPoint } from "../time/points.ts";
import { fitPrefill, predictPrefill } from "../time/prefill.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { concurrencyCurve, contextCurve } from "./curves.ts";
import { plan } from "./plan.ts";
import { contextTrap, growthOf } from "./trap.ts";

const point = (tokens: number, seconds: number): PrefillPoint => ({
	phase: "prefill",
	tokens,
	cached: 0,
	batch: 1,
	seconds,
	n: 1,
	betweenRuns: null,
	withinRun: null,
	measurementIds: [],
});

describe("Llama3 405B on 128 H100 (arXiv 2411.01783): 3.8 s at 128K and 77 s at 1M", () => {
	const tokens = [128_000, 1_000_000] as const;

	test("money grows × 7.8 where time grows × 20.3", () => {
		expect(growthOf(128_000, 1_000_000, tokens).times).toBeCloseTo(7.8125, 9);
		expect(growthOf(3.8, 77, tokens).times).toBeCloseTo(20.26, 2);
	});

	test("the power law through both points has exponent 1.464", () => {
		expect(growthOf(3.8, 77, tokens).exponent).toBeCloseTo(1.464, 3);
	});

	test("a·s + b·s² through the origin meets both points", () => {
		const fit = fitPrefill([point(128_000, 3.8), point(1_000_000, 77)]);
		expect(fit && predictPrefill(fit, { tokens: 128_000 }).seconds).toBeCloseTo(3.8, 6);
		expect(fit && predictPrefill(fit, { tokens: 1_000_000 }).seconds).toBeCloseTo(77, 6);
		expect(fit?.coefficients.a).toBeGreaterThan(0);
		expect(fit?.coefficients.b).toBeGreaterThan(0);
	});

	test("the trap of a configuration fitted so says the factors", () => {
		const fits = { ...measured.fits, prefill: fitPrefill([point(128_000, 3.8), point(1_000_000, 77)]) };
		const trap = contextTrap({ ...BLANK_SCENARIO, output: 1 }, { ...measured, fits }, 128_000, 1_000_000);
		expect(trap.money.times).toBeCloseTo(7.8125, 9);
		expect(trap.time?.times).toBeCloseTo(20.26, 1);
		expect(trap.memory?.times).toBeCloseTo(7.81, 1);
		expect(trap.sentence).toContain("× 7.81");
		expect(trap.sentence).toContain("× 20.3");
	});
});

describe("curves", () => {
	const scenario = { ...BLANK_SCENARIO, price: 2.5 };

	test("pass through the plan's own answer", () => {
		const [at] = contextCurve(scenario, measured, [8192]);
		const answer = plan({ ...scenario, context: 8192 }, measured);
		expect(at?.ttft?.seconds).toBe(answer.ttft.value);
		expect(at?.maxSequences).toBe(answer.memory.maxSequences.value);
		expect(at?.usdPerRequest).toBe(answer.cost.usdPerRequest.value);
		const [by] = concurrencyCurve(scenario, measured, [32]);
		const load = plan({ ...scenario, concurrency: 32 }, measured);
		expect(by?.tpot?.seconds).toBe(load.tpot.value);
		expect(by?.outputTokensPerSecond).toBeCloseTo(load.load.outputTokensPerSecond.value ?? 0, 9);
	});

	test("sequences that fit fall as contexts grow, and cache bytes rise", () => {
		const curve = contextCurve(scenario, measured, [1000, 10_000, 100_000]);
		const fits = curve.map((point) => point.maxSequences ?? -1);
		expect(fits).toEqual([...fits].sort((a, b) => b - a));
		expect(curve.map((point) => point.kvBytes)).toEqual(
			[1264, 10_256, 100_256].map((tokens) => tokens * 131_072),
		);
	});

	test("without measurement and catalog the times are null", () => {
		const [at] = contextCurve(
			scenario,
			{ ...measured, fits: { prefill: null, decode: null, serve: null }, gpu: null },
			[8192],
		);
		expect(at).toMatchObject({ prefill: null, ttft: null, usdPerRequest: null });
		expect(at?.kvBytes).toBe((8192 + 256) * 131_072);
		expect(llama8b.kvHeads).toBe(8);
	});
});
