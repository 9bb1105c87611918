import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measured, unknown, unmeasured } from "../fixtures/facts.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { capacity, opening } from "./capacity.ts";
import { plan } from "./plan.ts";
import type { Scenario } from "./question.ts";

const scenario: Scenario = {
	...BLANK_SCENARIO,
	configuration: "abc",
	context: 16_000,
	output: 500,
	ttftSlo: 60,
	tpotSlo: 1,
};
const verdictAt = (users: number, asked: Scenario = scenario, facts = measured) =>
	plan({ ...asked, concurrency: users, rate: null }, facts).verdict;

describe("how many users are carried", () => {
	test("memory alone: what is left of the card over the cache of one request", () => {
		const { users, binding } = capacity(scenario, measured);
		const { memory } = plan(scenario, measured);
		expect(binding).toBe("memory");
		expect(users.value).toBe(memory.maxSequences.value);
		expect(users.arithmetic).toContain("do not fit at once");
	});

	test("one user more than carried is over a limit, and the plan says which", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 100, max: 60_000 }),
				fc.integer({ min: 1, max: 2000 }),
				fc.double({ min: 0.05, max: 60, noNaN: true }),
				fc.double({ min: 0.005, max: 1, noNaN: true }),
				(context, output, ttftSlo, tpotSlo) => {
					const asked = { ...scenario, context, output, ttftSlo, tpotSlo };
					const { users, binding } = capacity(asked, measured);
					const most = users.value ?? -1;
					if (most > 0) expect(verdictAt(most, asked).feasible).toBe(true);
					const over = verdictAt(most + 1, asked);
					expect(over.feasible).toBe(false);
					expect(binding).toBe(over.binding);
				},
			),
			{ numRuns: 60 },
		);
	});

	test("the interval holds what the bounds of the times carry: at its low end every bound is within the limits", () => {
		const asked = { ...scenario, ttftSlo: 30, tpotSlo: 0.05 };
		const { users } = capacity(asked, measured);
		const { value, low = value, high = value } = users;
		expect(low).toBeLessThanOrEqual(value ?? 0);
		expect(high).toBeGreaterThanOrEqual(value ?? 0);
		expect(verdictAt(low ?? 0, asked)).toMatchObject({ feasible: true, sure: true });
		expect(verdictAt((high ?? 0) + 1, asked)).toMatchObject({ feasible: false, sure: true });
	});

	test("is not known where the memory is not, and the words say what is missing", () => {
		const { users, binding } = capacity({ ...scenario, configuration: null }, unknown);
		expect(users.value).toBeNull();
		expect(users.arithmetic).toMatch(/not checked|not known/);
		expect(binding).toBeNull();
	});

	test("of an estimate is an estimate with a wide interval", () => {
		const asked = {
			...scenario,
			configuration: null,
			model: "llama-3.1-8b",
			gpu: "h100-sxm-80gb",
			tpotSlo: 0.02,
		};
		const { users } = capacity(asked, unmeasured);
		expect(users.evidence).toBe("estimated");
		expect((users.high ?? 0) / Math.max(1, users.low ?? 0)).toBeGreaterThan(2);
	});

	test("longer than the model's limit nobody is carried, and memory is not blamed", () => {
		const { users, binding, reasons } = capacity({ ...scenario, context: 140_000 }, measured);
		expect(users.value).toBe(0);
		expect(binding).toBeNull();
		expect(reasons[0]).toContain("131,072 tokens");
	});
});

test("the opening question has no more users than are carried, and no more than eight", () => {
	const asked = opening(measured);
	const carried = capacity(asked, measured).users.value ?? 0;
	expect(asked.concurrency).toBe(Math.max(1, Math.min(8, carried)));
	expect(asked.context).toBeLessThanOrEqual(32_768);
});

describe("a limit inside the interval", () => {
	const { ttft } = plan({ ...scenario, concurrency: 1 }, measured);
	const between = (a = 0, b = 0) => (a + b) / 2;

	test.each([
		["just above the middle", between(ttft.value ?? 0, ttft.high), true],
		["just below the middle", between(ttft.low, ttft.value ?? 0), false],
	])("%s: the verdict goes by the middle and says that it is not sure", (_, ttftSlo, feasible) => {
		const verdict = verdictAt(1, { ...scenario, ttftSlo });
		expect(verdict).toMatchObject({ feasible, sure: false, decided: true });
		expect(verdict.reasons.join(" ")).toContain("inside the 95 % interval");
	});

	test.each([
		["above it", 2 * (ttft.high ?? 0), true],
		["below it", 0.5 * (ttft.low ?? 0), false],
	])("%s: the verdict is sure", (_, ttftSlo, feasible) => {
		expect(verdictAt(1, { ...scenario, ttftSlo })).toMatchObject({ feasible, sure: true });
	});
});
