import { describe, expect, it } from "vitest";
import { meanLength } from "./lengths.ts";
import { periodSeconds } from "./trace.ts";
import { drawRequests, staysInStep, type Workload } from "./workload.ts";

const fixed = (tokens: number) => ({ kind: "fixed", tokens }) as const;
const workload = (change: Partial<Workload> = {}): Workload => ({
	arrivals: { kind: "rate", requestsPerSecond: 2 },
	requests: 4000,
	prompt: fixed(100),
	output: fixed(10),
	...change,
});
const last = (values: Float64Array | null) => values?.[values.length - 1] ?? Number.NaN;

describe("requests stay in step", () => {
	const users = (special = {}): Partial<Workload> => ({ arrivals: { kind: "users", users: 4, ...special } });
	it.each<[boolean, string, Partial<Workload>]>([
		[true, "equal lengths of users who never pause", users()],
		[false, "one user", users({ users: 1 })],
		[false, "time to think", users({ thinkSeconds: 1 })],
		[false, "answers that vary", { ...users(), output: { kind: "uniform", from: 5, to: 15 } }],
		[false, "a rate", {}],
	])("is %s of %s", (expected, _, change) => {
		expect(staysInStep(workload(change))).toBe(expected);
	});
});

describe("arrivals", () => {
	it("come at the rate asked for, from 0 on and in order", () => {
		const { arrivalSeconds } = drawRequests(workload(), 1);
		expect(arrivalSeconds?.[0]).toBe(0);
		// 3,999 exponential gaps of 0.5 s: the mean deviates by 1.6 %; five of these.
		expect(Math.abs(last(arrivalSeconds) / 3999 / 0.5 - 1)).toBeLessThan(0.08);
		expect([...(arrivalSeconds ?? [])].every((v, i, all) => i === 0 || v >= (all[i - 1] ?? 0))).toBe(true);
	});

	it("come in groups", () => {
		const { arrivalSeconds } = drawRequests(
			workload({ requests: 5, arrivals: { kind: "burst", requests: 2, everySeconds: 3 } }),
			1,
		);
		expect([...(arrivalSeconds ?? [])]).toEqual([0, 0, 3, 3, 6]);
	});

	it("leave the lengths as they were when only the rate changes", () => {
		const prompt = { kind: "lognormal", median: 500, p95: 2000 } as const;
		const slow = drawRequests(workload({ prompt }), 3);
		const fast = drawRequests(workload({ prompt, arrivals: { kind: "rate", requestsPerSecond: 50 } }), 3);
		expect(fast.promptTokens).toEqual(slow.promptTokens);
	});

	it("are not known before the run where users send them", () => {
		const { arrivalSeconds, users, thinkSeconds } = drawRequests(
			workload({ arrivals: { kind: "users", users: 8, thinkSeconds: 2 } }),
			1,
		);
		expect(arrivalSeconds).toBeNull();
		expect(users).toBe(8);
		const mean = (thinkSeconds ?? new Float64Array()).reduce((a, b) => a + b, 0) / 4000;
		expect(Math.abs(mean / 2 - 1)).toBeLessThan(0.08);
	});
});

describe("lengths", () => {
	it("have the median and the 95 % point asked for", () => {
		const { promptTokens } = drawRequests(
			workload({ requests: 40_000, prompt: { kind: "lognormal", median: 800, p95: 4000 } }),
			1,
		);
		const below = (limit: number) => promptTokens.filter((tokens) => tokens <= limit).length / 40_000;
		expect(Math.abs(below(800) - 0.5)).toBeLessThan(0.0125);
		expect(Math.abs(below(4000) - 0.95)).toBeLessThan(0.0055);
	});

	it("take every whole number of a range", () => {
		const { outputTokens } = drawRequests(workload({ output: { kind: "uniform", from: 3, to: 6 } }), 1);
		expect([...new Set(outputTokens)].sort()).toEqual([3, 4, 5, 6]);
	});

	it("have the mean of their law", () => {
		expect(meanLength(fixed(7), [])).toBe(7);
		expect(meanLength({ kind: "uniform", from: 10, to: 20 }, [])).toBe(15);
		// exp(σ²/2) with σ = ln 4 / 1.645 = 0.8428: 500 · 1.4265 = 713.2
		expect(meanLength({ kind: "lognormal", median: 500, p95: 2000 }, [])).toBeCloseTo(713.2, 0);
		expect(meanLength({ kind: "trace" }, [10, 20, 60])).toBe(30);
	});
});

describe("a trace", () => {
	const trace = {
		arrivalSeconds: [0, 1, 4],
		promptTokens: [10, 20, 30],
		outputTokens: [1, 2, 3],
		cachedTokens: [0, 16, 30],
	};
	const traced: Workload = {
		arrivals: { kind: "trace" },
		requests: 5,
		prompt: { kind: "trace" },
		output: { kind: "trace" },
		cachedShare: "trace",
		trace,
	};

	it("is repeated end to end, its mean gap between", () => {
		expect(periodSeconds(trace)).toBe(6);
		const drawn = drawRequests(traced, 1);
		expect([...(drawn.arrivalSeconds ?? [])]).toEqual([0, 1, 4, 6, 7]);
		expect([...drawn.promptTokens]).toEqual([10, 20, 30, 10, 20]);
		expect([...drawn.outputTokens]).toEqual([1, 2, 3, 1, 2]);
	});

	it("runs faster by its speed, and always computes a last prompt token", () => {
		const drawn = drawRequests({ ...traced, arrivals: { kind: "trace", speed: 2 } }, 1);
		expect([...(drawn.arrivalSeconds ?? [])]).toEqual([0, 0.5, 2, 3, 3.5]);
		expect([...drawn.cachedTokens]).toEqual([0, 16, 29, 0, 16]);
	});

	it("must be there where it is read", () => {
		const { trace: _, ...without } = traced;
		expect(() => drawRequests(without, 1)).toThrow(/trace must hold at least one request/);
	});
});

describe("arguments", () => {
	it.each([
		[{ requests: 0 }, /requests must be a finite number of at least 1, not 0/],
		[{ cachedShare: 1.5 }, /cachedShare must be at most 1, not 1.5/],
		[{ arrivals: { kind: "rate", requestsPerSecond: 0 } }, /requestsPerSecond must be .* above 0, not 0/],
		[{ prompt: { kind: "uniform", from: 9, to: 5 } }, /prompt.to must be .* at least 9, not 5/],
		[{ output: fixed(0) }, /output.tokens must be .* at least 1, not 0/],
	] as [Partial<Workload>, RegExp][])("are refused by name and bound: %j", (change, words) => {
		expect(() => drawRequests(workload(change), 1)).toThrow(words);
	});
});
