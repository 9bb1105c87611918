import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measured, price, unknown } from "../fixtures/facts.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { plan } from "./plan.ts";
import type { Scenario } from "./question.ts";
import { reconcile } from "./reconciliation.ts";

const scenario: Scenario = {
	...BLANK_SCENARIO,
	configuration: "abc",
	context: 4000,
	output: 500,
	concurrency: 8,
	price: 2.5,
	busy: 0.6,
};
const month = { gpuHours: 730, usd: 1825, promptTokens: 400e6, outputTokens: 50e6 };

describe("a month held against its plan", () => {
	test("needs the hours in which the planned load serves as many requests", () => {
		// 400 M prompt and 50 M output tokens are 100,000 requests of 4,000 + 500.
		const perSecond = plan(scenario, measured).load.requestsPerSecond.value ?? 0;
		const { neededGpuHours, plannedGpuHours, utilisation } = reconcile(scenario, measured, month);
		const needed = 100_000 / perSecond / 3600;
		expect(neededGpuHours.value).toBeCloseTo(needed, 6);
		expect(plannedGpuHours.value).toBeCloseTo(needed / 0.6, 6);
		expect(utilisation.value).toBeCloseTo(needed / 730, 9);
		expect(utilisation.evidence).toBe(plan(scenario, measured).tpot.evidence);
	});

	test("costs what the plan says a request costs, times the requests", () => {
		const each = plan(scenario, measured).cost.usdPerRequest.value ?? 0;
		expect(reconcile(scenario, measured, month).plannedUsd.value).toBeCloseTo(100_000 * each, 6);
	});

	test("hours and price explain the whole difference", () => {
		fc.assert(
			fc.property(
				fc.double({ min: 1, max: 1e5, noNaN: true }),
				fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
				fc.double({ min: 0, max: 1e10, noNaN: true }),
				fc.double({ min: 0, max: 1e9, noNaN: true }),
				(gpuHours, usd, promptTokens, outputTokens) => {
					const told = reconcile(scenario, measured, { gpuHours, usd, promptTokens, outputTokens });
					const parts = (told.ofHoursUsd.value ?? Number.NaN) + (told.ofPriceUsd.value ?? Number.NaN);
					const scale = Math.abs(told.actualUsd.value ?? 0) + Math.abs(told.plannedUsd.value ?? 0) + 1;
					expect(Math.abs(parts - (told.differenceUsd.value ?? Number.NaN)) / scale).toBeLessThan(1e-9);
					expect(told.utilisation.low).toBeLessThanOrEqual(told.utilisation.value ?? 0);
					expect(told.utilisation.high).toBeGreaterThanOrEqual(told.utilisation.value ?? 0);
				},
			),
		);
	});

	test("by hand: 730 hours at 2.75 where 2.50 were planned are 182.50 dearer", () => {
		const { ofPriceUsd } = reconcile(scenario, measured, { ...month, usd: 730 * 2.75 });
		expect(ofPriceUsd.value).toBeCloseTo(182.5, 9);
		expect(ofPriceUsd.arithmetic).toContain("730 GPU-hours × ($2.75 − $2.50)");
	});

	test("more than the hours can serve is said to be so", () => {
		const { utilisation, findings } = reconcile(scenario, measured, { ...month, promptTokens: 1e12 });
		expect(utilisation.value).toBeGreaterThan(1);
		expect(findings[0]).toContain("More was served");
	});

	test("a price range stays a range, and without a bill it stands for what was paid", () => {
		const book = { ...measured, prices: [price] };
		const told = reconcile({ ...scenario, price: null }, book, { ...month, usd: null });
		expect((told.plannedUsd.high ?? 0) / (told.plannedUsd.low ?? 1)).toBeGreaterThan(4);
		expect(told.actualUsd.value).toBeCloseTo(730 * 4, 6); // √(2 · 8) = 4
		expect(told.actualUsd.evidence).toBe("vendor");
		expect(told.ofPriceUsd.value).toBe(0);
	});

	test("nothing is made up where nothing is known", () => {
		const told = reconcile({ ...scenario, configuration: null, price: null }, unknown, {
			...month,
			usd: null,
		});
		for (const quantity of [told.neededGpuHours, told.utilisation, told.plannedUsd, told.actualUsd]) {
			expect(quantity.value).toBeNull();
			expect(quantity.arithmetic.length).toBeGreaterThan(10);
		}
		expect(told.actualGpuHours.value).toBe(730);
	});

	test.each([
		[{ gpuHours: 0 }, "gpuHours"],
		[{ gpuHours: Number.NaN }, "gpuHours"],
		[{ promptTokens: -1 }, "promptTokens"],
		[{ usd: -5 }, "usd"],
	])("%o is refused by name", (wrong, name) => {
		expect(() => reconcile(scenario, measured, { ...month, ...wrong })).toThrow(name);
	});
});
