import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measured } from "../fixtures/facts.ts";
import { runEngine } from "../load/engine.ts";
import { drawRequests } from "../load/workload.ts";
import { decodeSeconds, weightsSeconds } from "./decode.ts";
import { type SharedEngine, sharedPassage } from "./passage.ts";
import { predictPrefill } from "./prefill.ts";

const { prefill, decode } = measured.fits;
if (!prefill || !decode) throw new Error("the fixture has both laws");

const engineOf = (prompt: number, output: number, chunkTokens: number): SharedEngine => ({
	...{ promptTokens: prompt, output, chunkTokens },
	prefillSeconds: predictPrefill(prefill, { tokens: prompt }).seconds,
	floorSeconds: prefill.coefficients.f,
	stepSeconds: (batch) => decodeSeconds(decode, { batch, context: prompt + output / 2 }),
	weightsSeconds: weightsSeconds(decode),
});

/** Means of the simulator's steady state: the wave of the beginning and the end left out. */
function simulated(prompt: number, output: number, users: number, chunkTokens: number) {
	const around = (tokens: number, spread: number) => ({
		kind: "uniform" as const,
		from: Math.max(1, Math.round(tokens * (1 - spread))),
		to: Math.round(tokens * (1 + spread)),
	});
	const count = Math.max(200, 14 * users);
	const requests = drawRequests(
		{
			arrivals: { kind: "users", users, thinkSeconds: 0 },
			...{ requests: count, prompt: around(prompt, 0.1), output: around(output, 0.3) },
		},
		1,
	);
	const unbounded = { maxSequences: 4096, kvTokens: Number.POSITIVE_INFINITY, blockTokens: 16 };
	const run = runEngine(
		{ prefill, decode, chunkTokens, acceptanceLength: 1, ...unbounded } as never,
		requests,
	);
	let [first, decoding, steps, cycle, n] = [0, 0, 0, 0, 0];
	for (let i = 4 * users; i < count - users; i++) {
		const [arrival, token, end] = [run.arrivalSeconds, run.firstTokenSeconds, run.endSeconds].map(
			(of) => of[i] ?? 0,
		) as [number, number, number];
		first += token - arrival;
		decoding += end - token;
		steps += (requests.outputTokens[i] ?? 1) - 1;
		cycle += end - arrival;
		n++;
	}
	return { first: first / n, tpot: decoding / steps, cycle: cycle / n };
}

const loads = [512, 2048, 8192].flatMap((chunk) =>
	[256, 1000, 4000, 16_000].flatMap((prompt) =>
		[20, 100, 500].flatMap((output) => [2, 8, 32].map((users) => ({ prompt, output, users, chunk }))),
	),
);

describe("a request among others", () => {
	test("takes what the simulator says, without simulating", () => {
		const errors = loads.map(({ prompt, output, users, chunk }) => {
			const told = simulated(prompt, output, users, chunk);
			const { first, tpot, cycle } = sharedPassage(engineOf(prompt, output, chunk), users);
			return { first: first / told.first, tpot: tpot / told.tpot, cycle: cycle / told.cycle };
		});
		const atMost = (of: (error: (typeof errors)[number]) => number, share: number) =>
			errors.map((error) => Math.abs(Math.log(of(error)))).sort((a, b) => a - b)[
				Math.floor(share * errors.length)
			] ?? 1;
		expect(atMost((e) => e.tpot, 0.5)).toBeLessThan(0.01);
		expect(atMost((e) => e.tpot, 0.9)).toBeLessThan(0.06);
		expect(atMost((e) => e.first, 0.5)).toBeLessThan(0.03);
		expect(atMost((e) => e.first, 0.9)).toBeLessThan(0.16);
		expect(atMost((e) => e.cycle, 0.9)).toBeLessThan(0.03);
	});

	test("long prompts and short answers: by hand", () => {
		// 9 steps of 8 users in 64 passes: 72/64 = 1.125 tokens of each pass decode, 2,046.875 are left for prompts.
		// 8 users, prompts of 8 chunks, 9 steps: 7 × 8 chunks of others pass before one has decoded, so that all 64 passes
		// of a cycle hold prompts of 0.25 s and none decodes alone: 64 × 0.25 = 16 s, of which 9 steps take 2.25.
		const { cycle, tpot, first, stepPasses } = sharedPassage(
			{
				...{ prefillSeconds: 2, floorSeconds: 0, promptTokens: 8 * 2046.875, chunkTokens: 2048, output: 10 },
				...{ stepSeconds: () => 0.01, weightsSeconds: 0.01 },
			},
			8,
		);
		expect(stepPasses).toBe(0);
		expect(cycle).toBeCloseTo(16, 4);
		expect(tpot).toBeCloseTo(0.25, 5);
		expect(first).toBeCloseTo(16 - 2.25, 4);
	});

	test("short answers of short prompts share their passes", () => {
		// Two users whose prompts of 10 tokens take only the floor of 30 ms: no pass holds more than one floor.
		const { promptPassSeconds } = sharedPassage(
			{
				...{ prefillSeconds: 0.03, floorSeconds: 0.03, promptTokens: 10, chunkTokens: 2048, output: 2 },
				...{ stepSeconds: () => 0.01, weightsSeconds: 0.01 },
			},
			2,
		);
		expect(promptPassSeconds).toBeCloseTo(0.03, 12);
	});
});

const seconds = fc.double({ min: 1e-5, max: 50, noNaN: true });
const engines = fc.record({
	prefillSeconds: seconds,
	floor: fc.double({ min: 0, max: 1, noNaN: true }),
	promptTokens: fc.integer({ min: 1, max: 1_000_000 }),
	chunkTokens: fc.integer({ min: 128, max: 16_384 }),
	output: fc.integer({ min: 1, max: 8192 }),
	c0: seconds,
	c1: fc.double({ min: 0, max: 0.1, noNaN: true }),
});
const made = ({
	floor,
	c0,
	c1,
	...engine
}: {
	floor: number;
	c0: number;
	c1: number;
	prefillSeconds: number;
	promptTokens: number;
	chunkTokens: number;
	output: number;
}): SharedEngine => ({
	...engine,
	floorSeconds: floor * engine.prefillSeconds,
	stepSeconds: (batch) => c0 + c1 * batch,
	weightsSeconds: c0,
});

test("alone it is the bare prefill and the bare step", () => {
	fc.assert(
		fc.property(engines, (figures) => {
			const engine = made(figures);
			const { first, tpot, cycle } = sharedPassage(engine, 1);
			expect(first / engine.prefillSeconds).toBeCloseTo(1, 9);
			expect(tpot / engine.stepSeconds(1)).toBeCloseTo(1, 6);
			expect(cycle / (first + (engine.output - 1) * engine.stepSeconds(1))).toBeCloseTo(1, 9);
		}),
	);
});

test("the parts make up the whole, and nothing is below nothing", () => {
	fc.assert(
		fc.property(engines, fc.double({ min: 1, max: 5000, noNaN: true }), (figures, running) => {
			const engine = made(figures);
			const { first, tpot, cycle } = sharedPassage(engine, running);
			const whole = first + (engine.output - 1) * tpot;
			expect(Math.abs(whole / cycle - 1)).toBeLessThan(1e-9);
			expect(tpot).toBeGreaterThanOrEqual(0);
			expect(first).toBeGreaterThan(0);
		}),
	);
});

test("twice the sequences never lose more than 5 % of the throughput, even with more of them than a pass has tokens", () => {
	const engine = fc.record({
		prompt: fc.integer({ min: 1, max: 20_000 }),
		output: fc.integer({ min: 2, max: 2000 }),
		chunk: fc.constantFrom(512, 2048, 8192),
		running: fc.integer({ min: 1, max: 6000 }),
	});
	fc.assert(
		fc.property(engine, ({ prompt, output, chunk, running }) => {
			const shared = engineOf(prompt, output, chunk);
			const rate = (R: number) => R / sharedPassage(shared, R).cycle;
			expect(rate(2 * running)).toBeGreaterThan(0.95 * rate(running));
		}),
	);
});
