import { BLANK_SCENARIO } from "@plimsoll/api/model";
import { expect, test } from "vitest";
import { changes, durationWords, questionWords, sureWords } from "./advice-words.ts";

test("an interval is told by its half", () => {
	expect(sureWords(0.123)).toBe("±12%");
	expect(sureWords(0.0052)).toBe("±0.52%");
	expect(sureWords(null)).toBe("not known");
	expect(sureWords(1)).toBe("within a factor of 2.0");
	expect(sureWords(29.3)).toBe("within a factor of 30");
});

test.each([
	[0.3, "under a second"],
	[41.7, "about 42\u00a0s"],
	[260, "about 4\u00a0min"],
	[9000, "about 2.5\u00a0h"],
	[null, null],
])("%s seconds are %s", (seconds, words) => {
	expect(durationWords(seconds)).toBe(words);
});

test("only what a measurement changes is told", () => {
	const now = { ttft: 0.12, tpot: 0.05 };
	expect(changes(now, { ttft: 0.05, tpot: 0.05 })).toEqual([
		{ label: "First token", from: "±12%", to: "±5.0%" },
	]);
	expect(changes({ ttft: null, tpot: 0.05 }, { ttft: 0.1, tpot: null })).toEqual([
		{ label: "First token", from: "not known", to: "±10%" },
	]);
});

test("the question is told by its length and its load", () => {
	expect(questionWords({ ...BLANK_SCENARIO, context: 16_000, concurrency: 8 })).toBe(
		"Prompts of 16,000 tokens, 8 at once",
	);
	expect(questionWords({ ...BLANK_SCENARIO, context: 500, concurrency: null, rate: 2.5 })).toBe(
		"Prompts of 500 tokens, 2.50 a second",
	);
});
