import type { Quantity } from "@plimsoll/api/model";
import { expect, test } from "vitest";
import type { ComparedAnswer } from "../../scenarios/compared.ts";
import { comparisonCsv } from "./comparison-csv.ts";

const quantity = (value: number | null): Quantity => ({
	...{ value, unit: "seconds", evidence: "fitted", arithmetic: "" },
	...(value === null ? {} : { low: value / 2, high: 2 * value }),
});

function answer(name: string, ttft: number | null): ComparedAnswer {
	const some = quantity(1);
	const cost = {
		...{ usdPerRequest: some, usdPerMillionInputTokens: some },
		...{ usdPerMillionOutputTokens: some, usdPerMonth: some },
	};
	return {
		id: name,
		name,
		answer: {
			...{ users: 3, ttft: quantity(ttft), tpot: some, e2e: some, cost },
			scenario: { concurrency: 8, rate: null, context: 16_000, output: 500, weights: "fp8", kvK: "fp8" },
			memory: { maxSequences: some },
			load: { outputTokensPerSecond: some },
			verdict: { feasible: true, decided: true, sure: true, binding: null, reasons: [] },
		} as unknown as ComparedAnswer["answer"],
	};
}

test("each figure of each plan is a row; what is not known is empty, and no name runs as a formula", () => {
	const rows = comparisonCsv([answer("A", 2), answer('=B, "the other"', 3), answer("C", null)]).split("\r\n");
	const first = rows.filter((row) => row.startsWith("Time to the first token,"));
	expect(first).toEqual([
		"Time to the first token,seconds,A,2,1,4,fitted,,",
		'Time to the first token,seconds,"\'=B, ""the other""",3,1.5,6,fitted,0.5,',
		"Time to the first token,seconds,C,,,,fitted,,",
	]);
	expect(rows.find((row) => row.startsWith("Asked for,,A"))).toContain("8 users at once");
});
