import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measured, price, unknown } from "../fixtures/facts.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { capacity } from "./capacity.ts";
import { plan } from "./plan.ts";
import type { Scenario } from "./question.ts";
import { COST_PER, costPer } from "./solution.ts";
import { solve } from "./solve.ts";

const scenario: Scenario = { ...BLANK_SCENARIO, configuration: "abc", context: 16_000, output: 500 };
const question = fc
	.record({
		context: fc.integer({ min: 100, max: 60_000 }),
		output: fc.integer({ min: 1, max: 2000 }),
		concurrency: fc.integer({ min: 1, max: 100 }),
		ttftSlo: fc.double({ min: 0.05, max: 60, noNaN: true }),
		tpotSlo: fc.double({ min: 0.009, max: 1, noNaN: true }),
	})
	.map((asked): Scenario => ({ ...scenario, ...asked }));
const carried = (asked: Scenario) => plan(asked, measured).verdict.feasible;

describe("a scenario solved for one variable", () => {
	test.each([
		["users", { concurrency: 1 }],
		["context", { context: 1 }],
	] as const)("%s: the answer holds, one more does not, and the words say why", (solveFor, one) => {
		const key = Object.keys(one)[0] as "concurrency" | "context";
		fc.assert(
			fc.property(question, (asked) => {
				const { answer, patch, beyond, advice } = solve(solveFor, asked, measured);
				const most = answer.value ?? 0;
				if (most === 0) {
					expect(patch).toBeNull();
					expect(advice).not.toBe("");
					expect(carried({ ...asked, ...one })).toBe(false);
					return;
				}
				expect(patch?.[key]).toBe(most);
				expect(carried({ ...asked, ...patch })).toBe(true);
				const over = plan({ ...asked, ...patch, [key]: most + 1 }, measured);
				expect(over.verdict.feasible).toBe(false);
				expect(beyond).toBe(over.verdict.reasons[0]);
			}),
			{ numRuns: 30 },
		);
	});

	test("GPUs: the answer holds, one fewer does not", () => {
		fc.assert(
			fc.property(question, (asked) => {
				const { answer, patch, advice } = solve("gpus", asked, measured);
				if (answer.value === null) {
					expect(advice).not.toBe("");
					return;
				}
				expect(carried({ ...asked, ...patch })).toBe(true);
				if (answer.value > 1) expect(carried({ ...asked, gpus: answer.value - 1 })).toBe(false);
			}),
			{ numRuns: 30 },
		);
	});

	test("price: put in, it gives the cost that was asked for, and what is taken is never more", () => {
		const goals = fc.record({
			usd: fc.double({ min: 1e-4, max: 1e4, noNaN: true }),
			per: fc.constantFrom(...COST_PER),
		});
		fc.assert(
			fc.property(question, goals, (asked, goal) => {
				const { answer, patch } = solve("price", asked, measured, goal);
				const at = (usdPerHour: number) =>
					costPer(plan({ ...asked, price: usdPerHour }, measured), goal.per).value ?? Number.NaN;
				// An answer of one token takes no time beyond its prompt; nothing runs where not one sequence fits.
				// And no more than a million dollars an hour can be said.
				if (answer.value === null) {
					if (at(1)) expect(goal.usd / at(1)).toBeGreaterThan(1e6);
					else expect(at(1) || 0).toBe(0);
					return;
				}
				expect(at(answer.value) / goal.usd).toBeCloseTo(1, 9);
				expect(at(patch?.price ?? Number.NaN)).toBeLessThanOrEqual(goal.usd * (1 + 1e-9));
				expect(at(patch?.price ?? Number.NaN)).toBeGreaterThan(0.998 * goal.usd);
			}),
			{ numRuns: 60 },
		);
	});

	test("a month of 730 hours: $1,460 for one GPU are $2 an hour, held against what is listed", () => {
		const facts = { ...measured, prices: [price] };
		const asked = { ...scenario, ttftSlo: 60, tpotSlo: 1 };
		const { answer, beyond } = solve("price", asked, facts, { usd: 1460, per: "month" });
		expect(answer.value).toBeCloseTo(2, 9);
		// Listed are $2 to $8: $4 in the middle, $2,920 a month.
		expect(beyond).toContain("$2,920.00: 100 % over");
	});

	test("the interval of a price is that of the times: dearer hours where more is served in them", () => {
		const { answer } = solve("price", scenario, measured, { usd: 0.01, per: "request" });
		const { usdPerRequest } = plan({ ...scenario, price: 1 }, measured).cost;
		expect(answer.high).toBeCloseTo(0.01 / (usdPerRequest.low ?? 0), 9);
		expect(answer.low).toBeCloseTo(0.01 / (usdPerRequest.high ?? 0), 9);
		expect(answer.evidence).toBe(usdPerRequest.evidence);
	});

	test("a price without a goal is asked for; a goal that is nothing is refused", () => {
		expect(solve("price", scenario, measured).advice).toContain("say what the load may cost");
		for (const usd of [0, -1, 1e-300, 1e12, Number.NaN])
			expect(() => solve("price", scenario, measured, { usd, per: "request" }), String(usd)).toThrow(
				RangeError,
			);
		for (const usd of [1e-9, 1e9])
			expect(() => solve("price", scenario, measured, { usd, per: "request" })).not.toThrow();
	});

	test("no price beyond what a scenario takes is answered; the words say that every price keeps the goal", () => {
		const { answer, advice, patch, unbounded } = solve("price", scenario, measured, {
			...{ usd: 1e9, per: "request" as const },
		});
		expect([answer.value, patch, unbounded]).toEqual([null, null, true]);
		expect(advice).toContain("at every price up to $1,000,000");
	});

	test("a load that is not carried has a price all the same, and the words say so", () => {
		const { answer, beyond } = solve("price", { ...scenario, concurrency: 4000 }, measured, {
			usd: 0.01,
			per: "request",
		});
		expect(answer.value).toBeGreaterThan(0);
		expect(beyond).toContain("not carried within its limits");
	});

	test("where nothing is known, nothing is promised and the words say what is missing", () => {
		for (const solveFor of ["users", "context", "gpus"] as const) {
			const { answer, patch, advice } = solve(solveFor, { ...scenario, configuration: null }, unknown);
			expect(answer.value).toBeNull();
			expect(patch).toBeNull();
			expect(advice).toMatch(/not checked|not known/);
		}
	});
});

describe("one user more than are carried", () => {
	test("waits for one of the places where memory is the limit: what it adds to the first token of all", () => {
		const asked = { ...scenario, ttftSlo: 600, tpotSlo: 1 };
		const { users, oneMore, binding } = capacity(asked, measured);
		const most = users.value ?? 0;
		const at = (concurrency: number) => plan({ ...asked, concurrency }, measured);
		expect(binding).toBe("memory");
		expect(oneMore?.kind).toBe("wait");
		// The engine runs as many as before: all that the first token takes more is the wait.
		expect(oneMore?.time.value).toBeCloseTo((at(most + 1).ttft.value ?? 0) - (at(most).ttft.value ?? 0), 9);
		expect(oneMore?.time.value).toBeCloseTo((at(most).e2e.value ?? 0) / most, 9);
		expect(oneMore?.time.arithmetic).toContain(`${most} places are taken`);
	});

	test.each([
		["ttft", { ttftSlo: 2.22, tpotSlo: 1 }],
		["tpot", { ttftSlo: 600, tpotSlo: 0.02 }],
	] as const)("takes longer than the limit allows where that is the %s", (kind, limits) => {
		const asked = { ...scenario, ...limits };
		const { users, oneMore } = capacity(asked, measured);
		expect(oneMore?.kind).toBe(kind);
		const over = plan({ ...asked, concurrency: (users.value ?? 0) + 1 }, measured)[kind];
		expect(oneMore?.time).toMatchObject({ value: over.value, evidence: over.evidence });
	});

	test("nothing is said where not one is carried, or where a failure was measured", () => {
		expect(capacity({ ...scenario, ttftSlo: 0.001 }, measured).oneMore).toBeNull();
		const failures = [{ phase: "prefill" as const, tokens: 16_000, batch: 3, reason: "out of memory" }];
		const failing = { ...measured, failures: failures as typeof measured.failures };
		const { binding, oneMore } = capacity({ ...scenario, ttftSlo: 600, tpotSlo: 1 }, failing);
		expect(binding).toBe("memory");
		expect(oneMore).toBeNull();
	});
});
