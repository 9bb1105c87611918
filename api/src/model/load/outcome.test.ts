import { describe, expect, it } from "vitest";
import { measured } from "../fixtures/facts.ts";
import { runEngine } from "./engine.ts";
import { loadStatistics, outcomeOf } from "./outcome.ts";
import { emptyRun, type Run } from "./run.ts";
import type { EngineSetting } from "./setting.ts";
import { simulateLoad } from "./simulate.ts";
import type { Workload } from "./workload.ts";
import { drawRequests } from "./workload.ts";

const { prefill, decode } = measured.fits;
if (!prefill || !decode) throw new Error("the fixture has no laws");
const setting: EngineSetting = {
	prefill,
	decode,
	maxSequences: 8,
	chunkTokens: 2048,
	kvTokens: 100_000,
	blockTokens: 16,
	acceptanceLength: 1,
};
const workload: Workload = {
	arrivals: { kind: "rate", requestsPerSecond: 1 },
	requests: 4,
	prompt: { kind: "fixed", tokens: 100 },
	output: { kind: "fixed", tokens: 11 },
};

describe("loadStatistics", () => {
	it("interpolates as numpy does, and passes over what is not known", () => {
		// numpy.percentile([1, 2, 3, 4, 10], [50, 90, 95, 99]) = 3, 7.6, 8.8, 9.76
		const found = loadStatistics(Float64Array.of(10, 3, Number.NaN, 1, 4, 2));
		const rounded = Object.entries(found ?? {}).map(([key, value]) => [key, Number(value.toFixed(9))]);
		expect(Object.fromEntries(rounded)).toEqual({ mean: 4, p50: 3, p90: 7.6, p95: 8.8, p99: 9.76, max: 10 });
	});

	it("is null where nothing is known", () => {
		expect(loadStatistics(Float64Array.of(Number.NaN))).toBeNull();
	});
});

/** Four requests a second apart, the last refused. */
function byHand(): Run {
	return {
		...emptyRun(drawRequests(workload, 1)),
		arrivalSeconds: Float64Array.of(0, 1, 2, Number.NaN),
		startSeconds: Float64Array.of(0, 1.5, 2, Number.NaN),
		firstTokenSeconds: Float64Array.of(0.5, 2, 3, Number.NaN),
		endSeconds: Float64Array.of(1.5, 4, 5, Number.NaN),
		rejected: 1,
		busySeconds: 4,
		runningSeconds: 7.5,
		kvTokenSeconds: 500,
	};
}

describe("outcomeOf", () => {
	it("counts times, rates and shares as one would by hand", () => {
		const outcome = outcomeOf(byHand(), { ttftSeconds: 1, tpotSeconds: 0.15 });
		expect(outcome.requests).toEqual({ asked: 4, completed: 3, rejected: 1 });
		expect(outcome.durationSeconds).toBe(5);
		// TTFT 0.5, 1, 1; TPOT 0.1, 0.2, 0.2 s; e2e 1.5, 3, 3; queue 0, 0.5, 0
		expect(outcome.ttft?.mean).toBeCloseTo(2.5 / 3, 12);
		expect(outcome.tpot?.p50).toBeCloseTo(0.2, 12);
		expect(outcome.e2e?.max).toBe(3);
		expect(outcome.queue?.mean).toBeCloseTo(0.5 / 3, 12);
		expect(outcome.requestsPerSecond).toBe(0.6);
		expect(outcome.outputTokensPerSecond).toBe(33 / 5);
		expect(outcome.promptTokensPerSecond).toBe(60);
		expect(outcome.goodput).toEqual({ share: 0.25, requestsPerSecond: 0.2 });
		expect(outcome.busyShare).toBe(0.8);
		expect(outcome.running.mean).toBe(1.5);
		expect(outcome.waiting.mean).toBeCloseTo(0.1, 12);
		expect(outcome.kvTokens.mean).toBe(100);
	});

	it("has no TPOT where one token is all, and no times where nothing ended", () => {
		const single = { ...workload, output: { kind: "fixed", tokens: 1 } } as const;
		expect(simulateLoad({ setting, workload: single, seed: 1 }).tpot).toBeNull();
		const nothing = outcomeOf(emptyRun(drawRequests(workload, 1)));
		expect([nothing.ttft, nothing.durationSeconds, nothing.requestsPerSecond]).toEqual([null, 0, 0]);
	});
});

describe("a load", () => {
	// Lengths that differ: equal ones keep a closed loop in step, which serves more than any other load can.
	const varied: Workload = { ...workload, requests: 3000, output: { kind: "uniform", from: 5, to: 60 } };
	const at = (requestsPerSecond: number) =>
		simulateLoad({
			setting,
			workload: { ...varied, arrivals: { kind: "rate", requestsPerSecond } },
			seed: 5,
		});
	const users = { ...varied, arrivals: { kind: "users", users: 8 } } as const;
	const most = outcomeOf(runEngine(setting, drawRequests(users, 5))).requestsPerSecond;

	it("is carried below what eight users draw from eight places, and grows without end above", () => {
		expect(at(0.8 * most).saturated).toBe(false);
		expect(at(1.2 * most).saturated).toBe(true);
	});

	it("is served as fast as it comes, or as fast as the engine can", () => {
		expect(Math.abs(at(0.5 * most).requestsPerSecond / (0.5 * most) - 1)).toBeLessThan(0.1);
		expect(Math.abs(at(2 * most).requestsPerSecond / most - 1)).toBeLessThan(0.05);
	});
});
