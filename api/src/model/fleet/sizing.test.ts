import { expect, test } from "vitest";
import { type Engine, throughput } from "../time/load.ts";
import type { Demand, DemandFigures } from "./demand.ts";
import { fleetMoney } from "./option-cost.ts";
import { atPercentile, type Replica } from "./replica.ts";
import { sizingFor, stateUnder } from "./sizing.ts";

const demand: Demand = {
	load: { kind: "rate", tasksPerSecond: 10 },
	requestsPerTask: 1,
	dailyCurve: null,
	growthPerMonth: 0,
	prompt: { kind: "fixed", tokens: 1000 },
	output: { kind: "fixed", tokens: 100 },
	cachedShare: 0,
};
const figures: DemandFigures = {
	promptTokens: 1000,
	outputTokens: 100,
	longPromptTokens: 1000,
	promptVariation: 0,
	outputVariation: 0,
	hits: null,
	peakFactor: 2,
	peakRequestsPerSecond: 20,
};
const policy = { spareReplicas: 1, utilisationCeiling: 0.8 };

test("20 requests/s at 6 each take 4 replicas and one spare; 18 take 3, not 4", () => {
	const one = { requestsPerSecond: 6, e2eSeconds: 5 };
	expect(sizingFor(demand, figures, policy, one)).toEqual({
		working: 4,
		replicas: 5,
		peakRequestsPerSecond: 20,
	});
	expect(sizingFor(demand, { ...figures, peakRequestsPerSecond: 18 }, policy, one).replicas).toBe(4);
});

test("1,000 users who think 55 s and wait 5 s send 16.67 requests/s: 6 a second are 360 users each, so three replicas", () => {
	const users: Demand = { ...demand, load: { kind: "users", users: 1000, thinkSeconds: 55 } };
	const sizing = sizingFor(users, figures, policy, { requestsPerSecond: 6, e2eSeconds: 5 });
	expect(sizing).toMatchObject({ working: 3, replicas: 4 });
	expect(sizing.peakRequestsPerSecond).toBeCloseTo(1000 / 60, 9);
});

const engine: Engine = {
	slots: 20,
	// Prefills and steps take turns: R prefills and the request's own ten steps.
	at: (running) => ({ cycle: running * 0.1 + 0.2, first: running * 0.1, tpot: 0.02 }),
};
const replica: Replica = {
	...{ engine, prefillSeconds: 0.1, longPrefillSeconds: 0.1, prefillVariation: 0, outputTokens: 11 },
	...{ outputVariation: 0, seen: null, slotsFromMemory: true, promptShare: () => 0.5 },
};
const limit = throughput(engine, 20);

test("a replica under its share of a rate serves that rate, and none that is beyond it", () => {
	const state = stateUnder(replica, limit, atPercentile(0.95), demand, 20, 4);
	expect(state?.requestsPerSecond).toBeCloseTo(5, 6);
	// 20 / 2.2 = 9.09 requests/s at most
	expect(stateUnder(replica, limit, atPercentile(0.95), demand, 20, 2)).toBeNull();
});

test("users on a replica are those that think and those that are served: Little's law", () => {
	const users: Demand = { ...demand, load: { kind: "users", users: 120, thinkSeconds: 10 } };
	const state = stateUnder(replica, limit, atPercentile(0.95), users, 0, 2);
	if (!state) throw new Error("users never send more than is served");
	expect(state.requestsPerSecond * (10 + state.e2eSeconds)).toBeCloseTo(60, 6);
});

test("8 GPUs at $2: $11,680 a month; 2 requests/s are 5,256,000 a month: $0.0022222 each, split 3 to 1", () => {
	const money = fleetMoney(8, 2, 2, { prompt: 1000, output: 100, inputShare: 0.75 });
	expect(money.perMonth).toBe(11_680);
	expect(money.perRequest).toBeCloseTo(0.00222222, 8);
	// × 0.75 / 1,000 × 10⁶ and × 0.25 / 100 × 10⁶
	expect(money.perMillionInput).toBeCloseTo(1.666667, 6);
	expect(money.perMillionOutput).toBeCloseTo(5.555556, 6);
});
