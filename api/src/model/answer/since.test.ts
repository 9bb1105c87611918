import { expect, test } from "vitest";
import { measured, price } from "../fixtures/facts.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { plan } from "./plan.ts";
import { changeSince } from "./since.ts";

const scenario = { ...BLANK_SCENARIO, configuration: "abc" };
const withPrice = (usd: number) => {
	const facts = { ...measured, prices: [{ ...price, usdPerGpuHourLow: usd, usdPerGpuHourHigh: usd }] };
	return { plan: plan(scenario, facts), facts };
};

test("names the price that moved, from what to what, and what it does to the money", () => {
	const { figures, because, verdictTurned } = changeSince(withPrice(5.43), withPrice(3));
	expect(because).toEqual(["prices: $5.43 → $3.00 per GPU-hour"]);
	expect(verdictTurned).toBe(false);
	// 3 / 5.43 − 1 = −44.75 %, in every figure of money and in no other.
	for (const { relative } of figures) expect(relative).toBeCloseTo(-0.4475, 4);
	expect(figures.map(({ figure }) => figure)).toEqual([
		"One request",
		"A million prompt tokens",
		"A million output tokens",
		"A month",
	]);
});
