import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closedLoop, type Engine, openLoop, saturationConcurrency, throughput } from "./load.ts";
import { sharedPassage } from "./passage.ts";

/** Prompts of 4,096 tokens in passes of 2,048. */
const engineOf = (prefillSeconds: number, output: number, slots: number, c0 = 0.01, c1 = 0.0002): Engine => ({
	slots,
	at: (running) =>
		sharedPassage(
			{
				...{ prefillSeconds, floorSeconds: 0, promptTokens: 4096, chunkTokens: 2048, output },
				...{ stepSeconds: (batch) => c0 + c1 * batch, weightsSeconds: c0 },
			},
			running,
		),
});

describe("one user alone", () => {
	test("waits for its prefill and decodes at the bare step", () => {
		const state = closedLoop(engineOf(0.5, 101, 8), 1);
		expect(state.ttftSeconds).toBe(0.5);
		expect(state.tpotSeconds).toBeCloseTo(0.0102, 12);
		expect(state.e2eSeconds).toBeCloseTo(0.5 + 100 * 0.0102, 12);
	});
});

describe("requests that decode nothing", () => {
	test("wait for every other prefill: four users of 1 s take 4 s each", () => {
		const state = closedLoop(engineOf(1, 1, 8), 4);
		expect(state.ttftSeconds).toBeCloseTo(4, 12);
		expect(state.requestsPerSecond).toBeCloseTo(1, 12);
	});
});

describe("more users than places", () => {
	test("obey Little's law: N = X · (TTFT + (output − 1)·TPOT)", () => {
		const state = closedLoop(engineOf(0.3, 65, 8), 20);
		expect(state.waiting).toBe(12);
		expect(state.requestsPerSecond * state.e2eSeconds).toBeCloseTo(20, 9);
		expect(state.ttftSeconds + 64 * state.tpotSeconds).toBeCloseTo(state.e2eSeconds, 9);
	});

	test("raise the waiting and not the throughput", () => {
		const [some, many] = [closedLoop(engineOf(0.3, 65, 8), 20), closedLoop(engineOf(0.3, 65, 8), 100_000)];
		expect(many.requestsPerSecond).toBeCloseTo(some.requestsPerSecond, 12);
		expect(many.ttftSeconds).toBeGreaterThan(1000 * some.ttftSeconds);
	});
});

describe("arrivals at random", () => {
	test("few of them meet an empty engine", () => {
		const state = openLoop(engineOf(0.5, 101, 8), 1e-6);
		expect(state.ttftSeconds).toBeCloseTo(0.5, 4);
		expect(state.tpotSeconds).toBeCloseTo(0.0102, 4);
	});

	test("more than can be served have no bounded wait", () => {
		const engine = engineOf(0.5, 101, 8);
		const state = openLoop(engine, throughput(engine, 8) * 1.01);
		expect(state.stable).toBe(false);
		expect(state.ttftSeconds).toBe(Number.POSITIVE_INFINITY);
		expect(state.requestsPerSecond).toBeCloseTo(throughput(engine, 8), 12);
	});
});

test("saturation: with no cost per sequence and no prefill every user adds as much, so it is all places", () => {
	expect(saturationConcurrency(engineOf(0, 100, 64, 0.01, 0))).toBe(64);
});

test("saturation: prefill alone is saturated by one user", () => {
	expect(saturationConcurrency(engineOf(1, 1, 64))).toBe(1);
});

test("saturation of c0 + c1·B lies where doubling gains a tenth: B = 4.5·c0/c1", () => {
	expect(saturationConcurrency(engineOf(0, 1e9, 4096, 0.01, 0.0002))).toBeGreaterThanOrEqual(224);
	expect(saturationConcurrency(engineOf(0, 1e9, 4096, 0.01, 0.0002))).toBeLessThanOrEqual(226);
});

const seconds = fc.double({ min: 1e-6, max: 100, noNaN: true });
/** Prompts of two passes, each of which takes at least as long as a step alone: it reads the same weights. */
const engines = fc
	.record({
		longer: fc.double({ min: 2, max: 1e4, noNaN: true }),
		output: fc.integer({ min: 1, max: 8192 }),
		slots: fc.integer({ min: 1, max: 512 }),
		c0: seconds,
		c1: seconds,
	})
	.map(({ longer, output, slots, c0, c1 }) => {
		const p = longer * (c0 + c1);
		return { p, engine: engineOf(p, output, slots, c0, c1) };
	});

test("saturation: one sequence fewer was still worth doubling, so many are not", () => {
	fc.assert(
		fc.property(engines, ({ engine }) => {
			const found = saturationConcurrency(engine);
			const gain = (running: number) => throughput(engine, 2 * running) / throughput(engine, running) - 1;
			if (found > 1 && found < engine.slots) expect(gain(found - 1)).toBeGreaterThan(0.1 - 1e-9);
			if (found < engine.slots) expect(gain(found)).toBeLessThan(0.1 + 1e-9);
			else if (found > 1) expect(gain(Math.floor(found / 2))).toBeGreaterThan(0.1 - 1e-9);
		}),
	);
});

test("saturation asks few engines, however many places they have", () => {
	let asked = 0;
	const { at, slots } = engineOf(0.2, 500, 4096);
	const counted: Engine = {
		slots,
		at: (running) => {
			asked++;
			return at(running);
		},
	};
	expect(saturationConcurrency(counted)).toBeGreaterThan(1);
	expect(asked).toBeLessThanOrEqual(12);
});

/** The closed form is one of means: from one number of sequences to the next it may fall by so much. */
const ROUGHLY = 0.95;

test("closed loop: finite, never below the bare prefill, and never faster with more users", () => {
	fc.assert(
		fc.property(
			engines,
			fc.integer({ min: 1, max: 100_000 }),
			fc.integer({ min: 1, max: 1000 }),
			({ p, engine }, users, more) => {
				const [few, many] = [closedLoop(engine, users), closedLoop(engine, users + more)];
				for (const value of Object.values(many).filter((v) => typeof v === "number"))
					expect(Number.isFinite(value)).toBe(true);
				expect(few.ttftSeconds).toBeGreaterThanOrEqual(p * (1 - 1e-12));
				expect(many.ttftSeconds).toBeGreaterThanOrEqual(few.ttftSeconds * ROUGHLY);
				expect(many.tpotSeconds).toBeGreaterThanOrEqual(few.tpotSeconds * ROUGHLY);
				expect(many.requestsPerSecond).toBeGreaterThanOrEqual(few.requestsPerSecond * ROUGHLY);
			},
		),
	);
});

test("open loop: never below the bare prefill, and never faster at a higher rate", () => {
	fc.assert(
		fc.property(
			engines,
			fc.double({ min: 0.01, max: 1.2, noNaN: true }),
			fc.double({ min: 1, max: 1.5, noNaN: true }),
			({ p, engine }, share, factor) => {
				const limit = throughput(engine, engine.slots);
				const [slow, fast] = [openLoop(engine, share * limit), openLoop(engine, share * factor * limit)];
				expect(slow.ttftSeconds).toBeGreaterThanOrEqual(p * (1 - 1e-9));
				expect(fast.ttftSeconds).toBeGreaterThanOrEqual(slow.ttftSeconds * ROUGHLY);
				expect(fast.tpotSeconds).toBeGreaterThanOrEqual(slow.tpotSeconds * ROUGHLY);
			},
		),
	);
});
