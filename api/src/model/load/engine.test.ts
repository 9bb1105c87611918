import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeLaw, measured, prefillLaw } from "../fixtures/facts.ts";
import { runPlainly } from "../fixtures/plain-engine.ts";
import { predictDecode } from "../time/decode.ts";
import { predictPrefill } from "../time/prefill.ts";
import { runEngine } from "./engine.ts";
import type { EngineLaws } from "./pace.ts";
import type { EngineSetting } from "./setting.ts";
import { drawRequests, type Workload } from "./workload.ts";

const { prefill, decode } = measured.fits;
if (!prefill || !decode) throw new Error("the fixture has no laws");
const laws: EngineLaws = { prefill, decode };
/** A law with a launch floor and a knee, and one whose steps grow with √B. */
const kneed: EngineLaws = {
	prefill: { ...prefill, coefficients: { ...prefill.coefficients, f: 0.03, k: 250 }, residuals: [] },
	decode: { ...decode, g: "sqrt", coefficients: { ...decode.coefficients, c3: 0.002 } },
};

const open: EngineSetting = {
	...laws,
	maxSequences: 256,
	chunkTokens: 2048,
	kvTokens: Number.POSITIVE_INFINITY,
	blockTokens: 16,
	acceptanceLength: 1,
};
const fixed = (tokens: number) => ({ kind: "fixed", tokens }) as const;
const alone = (change: Partial<Workload> = {}): Workload => ({
	arrivals: { kind: "users", users: 1 },
	requests: 3,
	prompt: fixed(5000),
	output: fixed(100),
	...change,
});

const settings = fc.record({
	laws: fc.constantFrom(laws, kneed),
	maxSequences: fc.integer({ min: 1, max: 20 }),
	chunkTokens: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 8, max: 3000 })),
	kvTokens: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 400, max: 9000 })),
	blockTokens: fc.constantFrom(1, 7, 16, 128),
	acceptanceLength: fc.oneof(
		fc.constant(1),
		fc.integer({ min: 101, max: 400 }).map((n) => n / 100),
	),
});
const arrivals: fc.Arbitrary<Workload["arrivals"]> = fc.oneof(
	fc.record({
		kind: fc.constant("rate" as const),
		requestsPerSecond: fc.double({ min: 0.3, max: 25, noNaN: true }),
		burstiness: fc.constantFrom(0.3, 1, 5),
	}),
	fc.record({
		kind: fc.constant("users" as const),
		users: fc.integer({ min: 1, max: 12 }),
		thinkSeconds: fc.constantFrom(0, 0.3),
	}),
	fc.record({
		kind: fc.constant("burst" as const),
		requests: fc.integer({ min: 1, max: 9 }),
		everySeconds: fc.constantFrom(0, 2),
	}),
);
const workloads: fc.Arbitrary<Workload> = fc.record({
	arrivals,
	requests: fc.integer({ min: 1, max: 40 }),
	prompt: fc.constantFrom<Workload["prompt"]>(
		{ kind: "uniform", from: 1, to: 900 },
		{ kind: "lognormal", median: 200, p95: 1500 },
		fixed(300),
	),
	output: fc.constantFrom<Workload["output"]>({ kind: "uniform", from: 1, to: 150 }, fixed(1), fixed(40)),
	cachedShare: fc.constantFrom(0, 0.5, 1),
});
const questions: fc.Arbitrary<Question> = fc.record({
	setting: settings,
	workload: workloads,
	seed: fc.nat(),
});

interface Question {
	setting: { laws: EngineLaws } & Omit<EngineSetting, keyof EngineLaws>;
	workload: Workload;
	seed: number;
}
const setUp = ({ setting: { laws, ...setting }, workload, seed }: Question) => ({
	setting: { ...laws, ...setting },
	requests: drawRequests(workload, seed),
});

const close = (a: number, b: number) =>
	Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

describe("against the plain engine, token by token", () => {
	it("every request starts, has its first token and ends at the same second", () => {
		fc.assert(
			fc.property(questions, (question) => {
				const { setting, requests } = setUp(question);
				const run = runEngine(setting, requests);
				const plain = runPlainly(setting, requests);
				expect([run.rejected, run.preemptions]).toEqual([plain.rejected, plain.preemptions]);
				expect(run.peakKvTokens).toBe(plain.peakKvTokens);
				for (const { id, start, first, end } of plain.sequences) {
					const times = [run.startSeconds[id], run.firstTokenSeconds[id], run.endSeconds[id]];
					expect([start, first, end].every((v, i) => close(v, times[i] ?? Number.NEGATIVE_INFINITY))).toBe(
						true,
					);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe("whatever is asked", () => {
	it("work is conserved: every request ends or is longer than the cache, after its arrival, in order", () => {
		fc.assert(
			fc.property(questions, (question) => {
				const { setting, requests } = setUp(question);
				const run = runEngine(setting, requests);
				let ended = 0;
				for (let i = 0; i < requests.count; i++) {
					if (Number.isNaN(run.endSeconds[i])) continue;
					ended++;
					const [came = 0, began = 0, first = 0, last = 0] = [
						run.arrivalSeconds[i],
						run.startSeconds[i],
						run.firstTokenSeconds[i],
						run.endSeconds[i],
					];
					expect(came <= began && began <= first && first <= last).toBe(true);
				}
				expect(ended + run.rejected).toBe(requests.count);
				const last = run.endSeconds.reduce((most, v) => (Number.isNaN(v) ? most : Math.max(most, v)), 0);
				expect(run.busySeconds).toBeLessThanOrEqual(last * (1 + 1e-9));
			}),
			{ numRuns: 200 },
		);
	});

	it("the cache is never overcommitted, nor are there more sequences than places", () => {
		fc.assert(
			fc.property(questions, (question) => {
				const { setting, requests } = setUp(question);
				const run = runEngine(setting, requests);
				expect(run.peakKvTokens).toBeLessThanOrEqual(setting.kvTokens);
				expect(run.peakRunning).toBeLessThanOrEqual(setting.maxSequences);
				expect(Math.max(...run.timeline.kvTokens)).toBeLessThanOrEqual(setting.kvTokens);
			}),
			{ numRuns: 200 },
		);
	});

	it("first come, first admitted", () => {
		fc.assert(
			fc.property(questions, (question) => {
				const { setting, requests } = setUp(question);
				const run = runEngine(setting, requests);
				const starts = Array.from(run.startSeconds, (start, i) => ({
					came: run.arrivalSeconds[i] ?? 0,
					start,
				}))
					.filter(({ start }) => !Number.isNaN(start))
					.sort((a, b) => a.came - b.came || a.start - b.start);
				expect(starts.every(({ start }, i) => i === 0 || start >= (starts[i - 1]?.start ?? 0))).toBe(true);
			}),
			{ numRuns: 200 },
		);
	});

	it("no first token comes sooner than the bare prefill", () => {
		fc.assert(
			fc.property(questions, (question) => {
				const { setting, requests } = setUp(question);
				const run = runEngine(setting, requests);
				for (let i = 0; i < requests.count; i++) {
					const cached = requests.cachedTokens[i] ?? 0;
					const tokens = (requests.promptTokens[i] ?? 0) - cached;
					const bare = predictPrefill(setting.prefill, { tokens, cached }).seconds;
					const first = (run.firstTokenSeconds[i] ?? 0) - (run.arrivalSeconds[i] ?? 0);
					if (!Number.isNaN(first)) expect(first).toBeGreaterThanOrEqual(bare * (1 - 1e-6));
				}
			}),
			{ numRuns: 200 },
		);
	});

	it("Little's law: requests in the system = completed per second · mean seconds in it", () => {
		fc.assert(
			fc.property(questions, (question) => {
				const { setting, requests } = setUp(question);
				const run = runEngine(setting, requests);
				if (run.rejected > 0) return;
				const inSystem = run.endSeconds.reduce((sum, end, i) => sum + end - (run.arrivalSeconds[i] ?? 0), 0);
				expect(close(inSystem, runPlainly(setting, requests).inSystemSeconds)).toBe(true);
			}),
			{ numRuns: 100 },
		);
	});

	it("the same seed gives the same run", () => {
		fc.assert(
			fc.property(questions, (question) => {
				const { setting, requests } = setUp(question);
				expect(runEngine(setting, requests)).toEqual(runEngine(setting, setUp(question).requests));
			}),
			{ numRuns: 20 },
		);
	});
});

describe("one user at a time", () => {
	it.each([laws, kneed])("has exactly the prefill and the decode steps of the laws", (laws) => {
		const run = runEngine({ ...open, ...laws }, drawRequests(alone(), 1));
		const first = predictPrefill(laws.prefill, { tokens: 5000 }).seconds;
		let steps = 0;
		for (let i = 0; i < 99; i++) steps += predictDecode(laws.decode, { batch: 1, context: 5000 + i }).seconds;
		for (let i = 0; i < 3; i++) {
			const began = i * (first + steps);
			expect(run.arrivalSeconds[i]).toBeCloseTo(began, 9);
			expect(run.firstTokenSeconds[i]).toBeCloseTo(began + first, 9);
			expect(run.endSeconds[i]).toBeCloseTo(began + first + steps, 9);
		}
	});

	it("pays for the uncached part of the prompt only", () => {
		const run = runEngine(open, drawRequests(alone({ cachedShare: 0.8, requests: 1 }), 1));
		const bare = predictPrefill(laws.prefill, { tokens: 1000, cached: 4000 }).seconds;
		expect(run.firstTokenSeconds[0]).toBeCloseTo(bare, 9);
	});

	it("has the laws' times at a vanishing rate, by hand", () => {
		const sparse = alone({
			arrivals: { kind: "rate", requestsPerSecond: 1e-6 },
			prompt: fixed(2048),
			output: fixed(3),
		});
		const run = runEngine(open, drawRequests(sparse, 1));
		for (let i = 0; i < 3; i++) {
			const came = run.arrivalSeconds[i] ?? 0;
			// Both laws of the fixture are written down there; the fit passes through its points.
			expect((run.firstTokenSeconds[i] ?? 0) - came).toBeCloseTo(prefillLaw(2048), 3);
			expect((run.endSeconds[i] ?? 0) - (run.firstTokenSeconds[i] ?? 0)).toBeCloseTo(
				decodeLaw(1, 2048) + decodeLaw(1, 2049),
				4,
			);
		}
	});

	it("gains the acceptance length in each step", () => {
		const run = runEngine(
			{ ...open, acceptanceLength: 3 },
			drawRequests(alone({ requests: 1, output: fixed(100) }), 1),
		);
		// 99 tokens after the first, three a step: 33 steps at 5000, 5003, … cached tokens.
		let steps = 0;
		for (let i = 0; i < 33; i++)
			steps += predictDecode(laws.decode, { batch: 1, context: 5000 + 3 * i }).seconds;
		expect((run.endSeconds[0] ?? 0) - (run.firstTokenSeconds[0] ?? 0)).toBeCloseTo(steps, 9);
	});
});

describe("a full cache, by hand", () => {
	// Blocks of one token, 25 of them: two prompts of 10 fit, with 5 tokens between them.
	const tight: EngineSetting = { ...open, blockTokens: 1, kvTokens: 25 };
	const pair = alone({
		arrivals: { kind: "burst", requests: 2, everySeconds: 0 },
		requests: 2,
		prompt: fixed(10),
		output: fixed(8),
	});

	it("throws out the last admitted, which is computed again and ends later", () => {
		const run = runEngine(tight, drawRequests(pair, 1));
		// After two steps 24 blocks are held, the third needs 26: one is thrown out, once.
		expect(run.preemptions).toBe(1);
		expect(run.endSeconds[0]).toBeLessThan(run.endSeconds[1] ?? 0);
		expect(run.peakKvTokens).toBe(24);
	});

	it("refuses a request that is longer than the whole cache, and serves the others", () => {
		const run = runEngine({ ...tight, kvTokens: 16 }, drawRequests(pair, 1));
		expect(run.rejected).toBe(2);
		const shorter = runEngine({ ...tight, kvTokens: 17 }, drawRequests(pair, 1));
		expect(shorter.rejected).toBe(0);
		expect(shorter.peakKvTokens).toBe(17);
	});
});

describe("arguments", () => {
	it("are refused by name and bound", () => {
		const requests = drawRequests(alone(), 1);
		expect(() => runEngine({ ...open, maxSequences: 0 }, requests)).toThrow(
			/maxSequences must be .* at least 1/,
		);
		expect(() => runEngine({ ...open, acceptanceLength: 0.5 }, requests)).toThrow(/acceptanceLength/);
		expect(() => runEngine({ ...open, chunkTokens: Number.NaN }, requests)).toThrow(/chunkTokens/);
	});
});
