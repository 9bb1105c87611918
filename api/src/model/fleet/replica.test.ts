import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerLoad } from "../answer/load-answer.ts";
import { measured } from "../fixtures/facts.ts";
import { h100, llama8b } from "../fixtures/models.ts";
import { type Engine, throughput } from "../time/load.ts";
import { sharedPassage } from "../time/passage.ts";
import { DEFAULT_CHOICES } from "./candidates.ts";
import { answerFleet } from "./fleet.ts";
import { atPercentile, largestLoad, type Replica, type ReplicaLimits, replicaState } from "./replica.ts";
import { tabulated } from "./tabulated.ts";

/** 0.1 s of prefill, steps of 20 ms whatever the batch, 11 tokens, 20 places. */
const engine: Engine = {
	slots: 20,
	// Prefills and steps take turns: R prefills and the request's own ten steps.
	at: (running) => ({ cycle: running * 0.1 + 0.2, first: running * 0.1, tpot: 0.02 }),
};
const replica: Replica = {
	engine,
	prefillSeconds: 0.1,
	longPrefillSeconds: 0.1,
	prefillVariation: 0,
	outputTokens: 11,
	outputVariation: 1,
	seen: null,
	slotsFromMemory: true,
	promptShare: () => 0.5,
};
const p95 = atPercentile(0.95);

describe("four sequences on average on one replica", () => {
	// An arrival makes it 5: cycle 5 × 0.1 + 10 × 0.02 = 0.7 s; 4 / 0.7 = 5.714286 requests/s.
	// All 20 places: 20 / (2 + 0.2) = 9.090909 requests/s; 62.857 % of it.
	const state = replicaState(replica, 4, throughput(engine, 20), p95);

	test("rate and utilisation", () => {
		expect(state.requestsPerSecond).toBeCloseTo(5.714286, 6);
		expect(state.utilisation).toBeCloseTo(0.628571, 6);
	});

	test("the first token", () => {
		// Prefill is busy ρ = 0.571429: w/ρ = 0.1 / (2 × 0.428571) = 0.116667; × ln(0.571429 / 0.05) = 2.436116: 0.284214.
		// Places: chance 0.628571^(√42 − 1) = 0.078491; 0.7 / 20 / 0.371429 = 0.094231; × ln(0.078491 / 0.05) = 0.450960: 0.042494.
		expect(state.ttftAt).toBeCloseTo(0.1 + 0.284214 + 0.042494, 4);
	});

	test("each further token", () => {
		// D = 0.7 − 5 × 0.1 = 0.2. N₀ = 0.571429 + 0.326531 / 0.857143 = 0.952381; + 5.714286 × 0.2 = 2.095238; / 0.428571 =
		// 4.888889. Variance (2.095238 + 0.907029) / 0.183673 + 2.095238 × 0.571429 / 0.078717 = 16.345679 + 15.209877 =
		// 31.555556; shape 23.901235 / 31.555556 = 0.757434; (1 − 0.146694 + 1.6449 / 2.610926)³ = 1.483314³ = 3.263635;
		// × 4.888889 = 15.955549 prefills: (0.2 + 1.595555) / 10.
		expect(state.tpotAt).toBeCloseTo(0.179555, 4);
	});
});

describe("the largest load within limits", () => {
	const limits: ReplicaLimits = {
		ttftSeconds: 1,
		tpotSeconds: 0.2,
		percentile: 0.95,
		utilisationCeiling: 0.8,
	};

	test("holds them, and a little more does not", () => {
		const seconds = fc.double({ min: 0.11, max: 5, noNaN: true });
		fc.assert(
			fc.property(seconds, seconds, fc.double({ min: 0.1, max: 1, noNaN: true }), (ttft, tpot, ceiling) => {
				const asked = { ...limits, ttftSeconds: ttft, tpotSeconds: tpot / 5, utilisationCeiling: ceiling };
				const found = largestLoad(replica, asked);
				if (!found.feasible) throw new Error("alone it takes 0.1 s and 20 ms");
				const broken = (running: number) => {
					const { ttftAt, tpotAt, utilisation } = replicaState(replica, running, found.limit, p95);
					return ttftAt > ttft || (tpotAt ?? 0) > tpot / 5 || utilisation > ceiling;
				};
				expect(broken(found.running)).toBe(false);
				if (found.running < 19.9) expect(broken(found.running + 20 / 2 ** 13)).toBe(true);
			}),
		);
	});

	test("below a low ceiling is found, however small; below none it cannot be, and is no load of 0", () => {
		// All places serve 9.090909 requests/s; 10⁻⁴ of them at a cycle of 0.3 s are 0.000273 sequences, 1/73,333 of the places.
		const low = largestLoad(replica, { ...limits, utilisationCeiling: 1e-4 });
		if (!low.feasible) throw new Error("a load of 0.000273 holds it");
		expect(low.running).toBeGreaterThan(0.00026);
		expect(low.running).toBeLessThanOrEqual(0.000273);
		expect(largestLoad(replica, { ...limits, utilisationCeiling: 1e-12 })).toMatchObject({
			feasible: false,
			binding: "throughput",
		});
	});

	test("names what it breaks even when alone", () => {
		expect(largestLoad(replica, { ...limits, ttftSeconds: 0.09 })).toMatchObject({
			feasible: false,
			binding: "ttft",
		});
		expect(largestLoad(replica, { ...limits, tpotSeconds: 0.019 })).toMatchObject({
			feasible: false,
			binding: "tpot",
		});
	});

	test("names what keeps it from more", () => {
		const free = { ...limits, ttftSeconds: null, tpotSeconds: null };
		// Twice the places: 40 / 4.2 = 9.52 against 9.09 requests/s: 5 % more is not worth it.
		expect(largestLoad(replica, free)).toMatchObject({ binding: "throughput" });
		// Two places: 2 / 0.4 = 5; four: 4 / 0.6 = 6.67: places are what is missing.
		const two = { ...replica, engine: { ...engine, slots: 2 } };
		expect(largestLoad(two, free)).toMatchObject({ binding: "memory" });
		expect(largestLoad({ ...two, slotsFromMemory: false }, free)).toMatchObject({ binding: "sequences" });
		expect(largestLoad(replica, { ...free, ttftSeconds: 0.3 })).toMatchObject({ binding: "ttft" });
	});
});

test("percentiles that clients saw take the place of the closed form", () => {
	const seen = { ttft: { p50: 0.8, p99: 3.2 }, tpot: { p50: null, p99: null } };
	const { ttftSeconds, ttftAt, tpotSeconds, tpotAt } = replicaState(
		{ ...replica, seen },
		1,
		1e6,
		atPercentile(0.99),
	);
	expect(ttftAt / ttftSeconds).toBeCloseTo(3.2, 6);
	expect(tpotAt).toBe(tpotSeconds);
	const median = replicaState({ ...replica, seen }, 1, 1e6, atPercentile(0.5));
	expect(median.ttftAt / median.ttftSeconds).toBeCloseTo(0.8, 6);
});

test("the table of an engine is within 1 % of it", () => {
	const straight = (batch: number) => 0.01 + 1e-4 * batch;
	const bent = (batch: number) => 0.01 + 2e-3 * Math.sqrt(batch);
	for (const [stepSeconds, within] of [
		[straight, 5e-3],
		[bent, 1e-2],
	] as const) {
		const own = {
			slots: 256,
			at: (n: number) =>
				sharedPassage(
					{
						...{
							prefillSeconds: 0.1,
							floorSeconds: 0.02,
							promptTokens: 1000,
							chunkTokens: 2048,
							output: 200,
						},
						...{ stepSeconds, weightsSeconds: 0.01 },
					},
					n,
				),
		};
		const table = tabulated(own, 512);
		for (let running = 1; running <= 512; running += 0.7)
			expect(Math.abs(table.at(running).cycle / own.at(running).cycle - 1)).toBeLessThan(within);
	}
});

// The simulator times every iteration of an engine and knows nothing of these formulas.
test.each([
	{ prompt: 1183, output: 254, rate: 20, ttft: 0.5, tpot: 0.05, sequences: 64 },
	{ prompt: 8000, output: 200, rate: 5, ttft: 3, tpot: 0.05, sequences: 64 },
	{ prompt: 300, output: 400, rate: 40, ttft: 0.5, tpot: 0.02, sequences: 64 },
	{ prompt: 16_000, output: 50, rate: 2, ttft: 5, tpot: 0.1, sequences: 64 },
])(
	"the 95th percentiles of $prompt + $output tokens at $rate requests/s are −20 % to +25 % of the simulator's",
	(c) => {
		const [prompt, output] = [c.prompt, c.output].map((tokens) => ({ kind: "fixed", tokens }) as const) as [
			{ kind: "fixed"; tokens: number },
			{ kind: "fixed"; tokens: number },
		];
		const demand = {
			requestsPerTask: 1,
			dailyCurve: null,
			growthPerMonth: 0,
			prompt,
			output,
			cachedShare: 0,
		};
		const { options } = answerFleet(
			{
				demand: { ...demand, load: { kind: "rate", tasksPerSecond: c.rate } },
				limits: { ttftSeconds: c.ttft, tpotSeconds: c.tpot, percentile: 0.95 },
				policy: { spareReplicas: 0, utilisationCeiling: 0.8 },
				choices: { ...DEFAULT_CHOICES, measuredOnly: true, maxSequences: [c.sequences] },
				...{ latency: "e2e", order: "cost", options: 1, price: 2, utilisation: null },
			},
			{ model: llama8b, gpus: [h100], configurations: [measured], prices: {} },
		);
		const [option] = options;
		if (!option) throw new Error("no option");
		const arrivals = { kind: "rate", requestsPerSecond: c.rate } as const;
		const workload = { arrivals, requests: 3000 * option.working, prompt, output };
		const { result } = answerLoad(option.scenario, measured, {
			workload,
			seed: 7,
			engine: { maxSequences: c.sequences },
		});
		const simulated = { ttft: result?.times.ttft?.p95.value ?? 0, tpot: result?.times.tpot?.p95.value ?? 0 };
		expect((option.ttft.value ?? 0) / simulated.ttft).toBeGreaterThan(0.8);
		expect((option.ttft.value ?? 0) / simulated.ttft).toBeLessThan(1.25);
		expect((option.tpot.value ?? 0) / simulated.tpot).toBeGreaterThan(0.8);
		expect((option.tpot.value ?? 0) / simulated.tpot).toBeLessThan(1.25);
	},
);
