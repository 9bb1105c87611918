import { describe, expect, it } from "vitest";
import { measured, servePoints, unknown, unmeasured } from "../fixtures/facts.ts";
import type { Workload } from "../load/workload.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { answerLoad, type LoadAsk } from "./load-answer.ts";
import type { LoadResult } from "./load-result.ts";
import { plan } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";

const scenario: Scenario = { ...BLANK_SCENARIO, configuration: "abc" };
const workload: Workload = {
	arrivals: { kind: "users", users: 1 },
	requests: 30,
	prompt: { kind: "fixed", tokens: 4096 },
	output: { kind: "fixed", tokens: 256 },
};
const ask = (change: Partial<Workload> = {}, more: Partial<LoadAsk> = {}): LoadAsk => ({
	workload: { ...workload, ...change },
	seed: 1,
	...more,
});

function resultOf(asked: LoadAsk, facts: PlanFacts = measured, of: Scenario = scenario): LoadResult {
	const { result, reason } = answerLoad(of, facts, asked);
	if (!result) throw new Error(reason ?? "no result");
	return result;
}

describe("one user at a time", () => {
	it("has the plan's times: both read the same laws", () => {
		const { ttft, tpot } = plan({ ...scenario, context: 4096, output: 256, concurrency: 1 }, measured);
		const { times } = resultOf(ask());
		expect(times.ttft?.p50.value).toBeCloseTo(ttft.value ?? Number.NaN, 9);
		// The plan takes the middle of the output, prompt + 128; the steps read prompt + 0 … 254.
		expect((times.tpot?.mean.value ?? 0) / (tpot.value ?? 1)).toBeCloseTo(1, 3);
		expect(times.queue?.p99.value).toBe(0);
	});
});

describe("the time of an engine", () => {
	it.each([0.1, 0.4, 1])("that prompts take at %s requests/s is as money splits it", (rate) => {
		const at = { ...scenario, context: 4096, output: 256, concurrency: null, rate, price: 2 };
		const { cost } = plan(at, measured);
		const share = ((cost.usdPerMillionInputTokens.value ?? 0) * 4096) / 1e6 / (cost.usdPerRequest.value ?? 1);
		const { requestsPerSecond, busyShare } = resultOf(
			ask({ arrivals: { kind: "rate", requestsPerSecond: rate }, requests: 1500 }),
		);
		const prompt = plan({ ...at, rate: null, concurrency: 1 }, measured).ttft.value ?? 0;
		// What the engine worked is prompts and steps: the share of the prompts is rate × prefill / busy.
		const simulated = ((requestsPerSecond.value ?? 0) * prompt) / (busyShare.value ?? 1);
		expect(Math.abs(share / simulated - 1)).toBeLessThan(0.05);
	});
});

describe("the scenario of an answer", () => {
	it("has the means and the load of the workload, not those it was asked with", () => {
		const { scenario: asked } = answerLoad(
			scenario,
			measured,
			ask({ arrivals: { kind: "rate", requestsPerSecond: 2 } }),
		);
		expect(asked).toMatchObject({ context: 4096, output: 256, concurrency: null, rate: 2 });
		expect(
			answerLoad(scenario, measured, ask({ arrivals: { kind: "burst", requests: 2, everySeconds: 1 } }))
				.scenario,
		).toMatchObject({ concurrency: null, rate: null });
	});
});

describe("a load", () => {
	const result = resultOf(ask({ arrivals: { kind: "rate", requestsPerSecond: 1 }, requests: 300 }));

	it("says of every number its interval, how it is known and how it came about", () => {
		for (const time of ["ttft", "tpot", "e2e"] as const)
			for (const [column, quantity] of Object.entries(result.times[time] ?? {})) {
				expect(quantity.evidence, column).toBe("estimated");
				expect(quantity.low, column).toBeLessThanOrEqual(quantity.value ?? 0);
				expect(quantity.high, column).toBeGreaterThanOrEqual(quantity.value ?? 0);
				expect(quantity.arithmetic).toMatch(/300 simulated requests, seed 1/);
				expect(quantity.sources?.[0]?.href).toBe("/configurations/abc");
			}
		expect(result.goodShare.arithmetic).toMatch(/within 2 s to the first token and 200 ms per token/);
	});

	it("orders its percentiles and parts", () => {
		const { ttft, e2e, queue } = result.times;
		if (!ttft || !e2e || !queue) throw new Error("no times");
		const values = [ttft.p50, ttft.p90, ttft.p95, ttft.p99].map((q) => q.value ?? 0);
		expect([...values].sort((a, b) => a - b)).toEqual(values);
		expect(ttft.mean.value).toBeGreaterThanOrEqual(queue.mean.value ?? 0);
		expect(e2e.mean.value).toBeGreaterThan(ttft.mean.value ?? 0);
	});
});

describe("several engines side by side", () => {
	it("serve twice the users twice as fast, each as one does", () => {
		const users = (count: number) => ask({ arrivals: { kind: "users", users: count }, requests: 40 * count });
		const one = resultOf(users(4));
		const two = resultOf(users(8), measured, { ...scenario, gpus: 2 });
		expect(two.requestsPerSecond.value).toBeCloseTo(2 * (one.requestsPerSecond.value ?? 0), 9);
		expect(two.times.ttft?.p99.value).toBeCloseTo(one.times.ttft?.p99.value ?? 0, 9);
	});
});

describe("what the engine holds", () => {
	const engineOf = (facts: PlanFacts, more: Partial<LoadAsk> = {}) =>
		answerLoad(scenario, facts, ask({}, more)).engine;

	it("is what memory has room for, at the workload's lengths", () => {
		const sequences = plan({ ...scenario, context: 4096, output: 256 }, measured).memory.maxSequences.value;
		expect(engineOf(measured).kvTokens.value).toBe((sequences ?? 0) * 4352);
	});

	it("is what a person says, before all else", () => {
		const given = engineOf(measured, { engine: { kvTokens: 5000, maxSequences: 3, chunkTokens: 512 } });
		expect([given.kvTokens.value, given.maxSequences.value, given.chunkTokens.value]).toEqual([5000, 3, 512]);
		expect(given.kvTokens.evidence).toBe("assumed");
	});

	it("is what the engine was started with, where its flags say so", () => {
		const configuration = measured.configuration && {
			...measured.configuration,
			flags: { max_num_seqs: 12, max_num_batched_tokens: 4096 },
		};
		const { maxSequences, chunkTokens } = engineOf({ ...measured, configuration });
		expect([maxSequences.value, chunkTokens.value]).toEqual([12, 4096]);
		expect(chunkTokens.evidence).toBe("arithmetic");
	});

	it("holds requests back that do not fit together", () => {
		const tight = resultOf(
			ask({ arrivals: { kind: "users", users: 8 } }, { engine: { kvTokens: 2 * 4352 } }),
		);
		expect(tight.times.queue?.p50.value).toBeGreaterThan(0);
		expect(tight.running.value).toBeLessThanOrEqual(2);
	});
});

describe("laws", () => {
	it("are the roofline's where nothing is measured, with its spread as the interval", () => {
		const { ttft } = resultOf(ask(), unmeasured, { ...scenario, configuration: null }).times;
		expect(ttft?.p50.evidence).toBe("estimated");
		expect((ttft?.p50.high ?? 0) / (ttft?.p50.value ?? 1)).toBeCloseTo(2, 6);
	});

	it("are worked out of serve points where there are only those", () => {
		const facts: PlanFacts = { ...measured, fits: { prefill: null, decode: null, serve: null } };
		const { laws, evidence } = answerLoad(scenario, facts, ask(), servePoints);
		expect(laws.decode).toMatch(/8 serve points/);
		expect(evidence).toBe("estimated");
	});

	it("are missed by name where nothing is known", () => {
		const { result, reason, sweep } = answerLoad({ ...scenario, configuration: null }, unknown, ask());
		expect([result, sweep]).toEqual([null, null]);
		expect(reason).toMatch(/no prefill and no decode measurement/);
	});
});

describe("a sweep", () => {
	const sweepOf = (arrivals: Workload["arrivals"], engine = {}) => {
		const { sweep } = answerLoad(
			scenario,
			measured,
			ask({ arrivals, requests: 600 }, { sweep: true, engine }),
		);
		if (!sweep) throw new Error("no sweep");
		return sweep;
	};

	it("goes from an idle engine to one whose line grows", () => {
		const { of, points, saturation, best } = sweepOf({ kind: "rate", requestsPerSecond: 1 });
		expect(of).toBe("rate");
		expect(points[0]?.outcome.saturated).toBe(false);
		expect(points.at(-1)?.outcome.saturated).toBe(true);
		const served = points.map(({ outcome }) => outcome.requestsPerSecond);
		// What is served rises with what is offered, up to the limit.
		expect(Math.max(...served)).toBeLessThanOrEqual(1.02 * (saturation ?? 0));
		expect(Math.max(...served)).toBeGreaterThan(0.85 * (saturation ?? 0));
		expect(best?.requestsPerSecond).toBeLessThanOrEqual(Math.max(...served));
	});

	it("doubles users, and finds where more do not help", () => {
		const { of, points, saturation } = sweepOf({ kind: "users", users: 1 }, { maxSequences: 8 });
		expect(of).toBe("users");
		expect(points.map(({ load }) => load)).toEqual([1, 2, 4, 8, 16]);
		// With eight places sixteen users draw no more than eight do.
		expect(saturation).toBeLessThanOrEqual(8);
	});

	it("tells how far it is, and the same seed gives the same answer", () => {
		const shares: number[] = [];
		const asked = ask({ arrivals: { kind: "rate", requestsPerSecond: 2 }, requests: 600 }, { sweep: true });
		const first = answerLoad(scenario, measured, asked, [], (share) => shares.push(share));
		expect([...shares].sort((a, b) => a - b)).toEqual(shares);
		expect(shares.at(-1)).toBe(1);
		expect(answerLoad(scenario, measured, asked)).toEqual(first);
	});
});

describe("a load that the slow end of the laws does not carry", () => {
	it("has no upper end of what waits, however long is simulated, and says why", () => {
		// An estimate is right within a factor of about two: three quarters of what it carries are too much at half the speed.
		const most = resultOf(
			ask({ arrivals: { kind: "users", users: 256 }, requests: 1000 }),
			unmeasured,
			BLANK_SCENARIO,
		);
		const rate = 0.75 * (most.requestsPerSecond.value ?? 0);
		const at = (requests: number) =>
			resultOf(
				ask({ arrivals: { kind: "rate", requestsPerSecond: rate }, requests }),
				unmeasured,
				BLANK_SCENARIO,
			);
		const { times, saturated } = at(1000);
		expect(saturated).toBe(false);
		for (const time of ["ttft", "e2e", "queue"] as const) {
			const { p95 } = times[time] ?? {};
			expect(p95?.high, time).toBeUndefined();
			expect(p95?.low).toBeLessThanOrEqual(p95?.value ?? 0);
			expect(p95?.arithmetic).toContain("no upper end");
		}
		// A step does not wait: it takes no longer than with every place taken.
		expect(times.tpot?.p95.high).toBeGreaterThan(times.tpot?.p95.value ?? 0);
	});
});
