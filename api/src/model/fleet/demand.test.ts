import { describe, expect, test } from "vitest";
import { type Demand, demandFigures, lengthAt, peakFactor, variationOf } from "./demand.ts";
import { DEMAND_PRESETS } from "./presets.ts";

const demand: Demand = {
	load: { kind: "rate", tasksPerSecond: 2 },
	requestsPerTask: 4,
	dailyCurve: [1, 1, 4, 2],
	growthPerMonth: 0,
	prompt: { kind: "lognormal", median: 1000, p95: 4000 },
	output: { kind: "uniform", from: 100, to: 300 },
	cachedShare: 0,
};

test("the busiest hour of 1, 1, 4, 2 is twice the mean: 2 tasks/s of 4 requests are 16 requests/s then", () => {
	expect(peakFactor([1, 1, 4, 2])).toBe(2);
	expect(peakFactor(null)).toBe(1);
	expect(demandFigures(demand, 0.95)).toMatchObject({ peakRequestsPerSecond: 16, outputTokens: 200 });
	expect(() => peakFactor([0, 0])).toThrow(RangeError);
});

test("lengths at a percentile: the median, the 95th as given, 90 % of the way of a uniform range", () => {
	const { prompt, output } = demand;
	expect(lengthAt(prompt, 0.5, [])).toBe(1000);
	expect(lengthAt(prompt, 0.95, [])).toBeCloseTo(4000, 9);
	expect(lengthAt(output, 0.9, [])).toBeCloseTo(280, 9);
	expect(lengthAt({ kind: "trace" }, 0.5, [1, 5, 9])).toBe(5);
	expect(() => lengthAt(prompt, 0.97, [])).toThrow(/percentile must be one of 0.5, 0.9, 0.95, 0.99/);
});

test("the spread of lengths: none, 200²/12/200², e^(ln 4/1.6449)² − 1, and that of rows", () => {
	expect(variationOf({ kind: "fixed", tokens: 5 }, [])).toBe(0);
	expect(variationOf(demand.output, [])).toBeCloseTo(1 / 12, 12);
	// ln 4 = 1.386294; / 1.6449 = 0.842783; squared 0.710283; e^0.710283 − 1 = 1.034567
	expect(variationOf(demand.prompt, [])).toBeCloseTo(1.034567, 4);
	// mean 3, squares 4 and 4: 4 / 9
	expect(variationOf({ kind: "trace" }, [1, 5])).toBeCloseTo(4 / 9, 12);
});

test("a demand that cannot be is refused by name", () => {
	expect(() => demandFigures({ ...demand, cachedShare: 1.2 }, 0.95)).toThrow(/cachedShare/);
	expect(() =>
		demandFigures({ ...demand, load: { kind: "users", users: 0, thinkSeconds: 5 } }, 0.95),
	).toThrow(/users/);
});

describe("presets", () => {
	test("an agent takes 4 and several agents 15 times the tokens of a chat, as the vendor says of its own", () => {
		const [chat, agent, agents] = DEMAND_PRESETS.map(({ prompt, output, requestsPerTask }) => {
			const { promptTokens, outputTokens } = demandFigures({ ...demand, prompt, output }, 0.95);
			return requestsPerTask * (promptTokens + outputTokens);
		}) as [number, number, number];
		expect([agent / chat, agents / chat]).toEqual([4, 15]);
		expect(DEMAND_PRESETS.map(({ evidence }) => evidence)).toEqual(["measured", "vendor", "vendor"]);
		expect(DEMAND_PRESETS.every(({ sources }) => sources.every(({ href }) => href))).toBe(true);
	});
});
