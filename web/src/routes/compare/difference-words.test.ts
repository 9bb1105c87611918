import type { Difference } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { differenceWords, summaryWords } from "./difference-words.ts";

const difference = (special: Partial<Difference>): Difference => ({
	...{ relative: 0.12, floor: 0.018, floorAssumed: false, verdict: "slower", words: "" },
	...special,
});

describe("a difference", () => {
	it.each<[string, Partial<Difference>]>([
		["12% more time (floor 1.8%)", {}],
		["20% less time (floor 1.8%)", { relative: -0.2, verdict: "faster" }],
		["not distinguishable (floor 1.8%)", { relative: 0.01, verdict: "not distinguishable" }],
		["12% more time; noise not known", { floor: null, verdict: "not decided" }],
	])("reads %s", (words, special) => {
		expect(differenceWords(difference(special))).toBe(words);
	});
});

describe("a summary", () => {
	it("names who is held against whom, over how many", () => {
		const summary = { difference: difference({}), words: "" };
		expect(summaryWords(summary, "B", 8)).toBe("B against A: 12% more time (floor 1.8%), median of 8.");
		expect(summaryWords(summary, "B", 1)).toBe("B against A: 12% more time (floor 1.8%).");
	});

	it("says what is assumed, what to repeat, and what is missing", () => {
		const assumed = { difference: difference({ floorAssumed: true }), words: "" };
		expect(summaryWords(assumed, "B", 2)).toContain("assumed, 3% between runs");
		const unknown = { difference: difference({ floor: null, verdict: "not decided" }), words: "" };
		expect(summaryWords(unknown, "C", 2)).toContain("Run the same command again");
		expect(summaryWords({ difference: null, words: "no prompts lie in what both measured" }, "D", 0)).toBe(
			"D: no prompts lie in what both measured",
		);
	});
});
