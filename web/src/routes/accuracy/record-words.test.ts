import { expect, test } from "vitest";
import {
	adviceRecord,
	byQuestion,
	heldOf,
	percentWords,
	pointWords,
	questionWords,
	shareWords,
} from "./record-words.ts";

const row = (group: string, regime: string, points: number, held: number) => ({
	...{ group, regime, points, held },
	...{ series: 1, median: 1, p90: 2, mean: 1.2, halfWidth: 5 },
});

test("questions are told in words, in the order of how far they go", () => {
	const regimes = [row("a", "decode", 10, 95), row("b", "prefill-x4", 5, 90), row("a", "prefill-x4", 20, 95)];
	const told = byQuestion(regimes);
	expect(told.map(({ question }) => question)).toEqual([
		questionWords("prefill-x4"),
		questionWords("decode"),
	]);
	expect(told[0]?.rows.map(({ group }) => group)).toEqual(["a", "b"]);
});

test("held intervals are counted over all points", () => {
	// 95 % of 20 and 90 % of 10.
	expect(heldOf([row("a", "x", 20, 95), row("b", "x", 10, 90)])).toEqual({ held: 28, points: 30 });
});

test("percentages keep two digits", () => {
	expect(percentWords(0.107)).toBe("0.11%");
	expect(percentWords(42.2)).toBe("42%");
	expect(percentWords(null)).toBe("not known");
	expect(shareWords(0.021)).toBe("2.1%");
});

test.each([
	["prefill 512+0×1", "512 tokens"],
	["prefill 1024+8192×4", "1,024 tokens on 8,192 cached, 4 together"],
	["decode @4127.5×8", "context 4,128, 8 together"],
	["serve 1024→128 c16", "1,024 + 128 tokens, 16 in flight"],
	["serve 1024→128 r2.5", "1,024 + 128 tokens, 2.5 requests/s"],
	["something else", "something else"],
])("a point is told in words: %s", (point, words) => {
	expect(pointWords(point)).toBe(words);
});

test("advice that helped little is told together, beside where it helped", () => {
	const of = (regime: string, trials: number, before: number, advised: number, random: number) => ({
		...{ group: "a", regime, trials, before, advised, random },
	});
	const told = adviceRecord([
		of("prefill-x4", 10, 4, 0.2, 0.8),
		of("decode", 10, 6, 6.2, 5.8),
		of("serve-tpot", 30, 2, 1, 2),
	]);
	expect(told.map(({ question }) => question)).toEqual([
		questionWords("prefill-x4"),
		"Between measured lengths, batches and loads",
	]);
	// (10 · 6.2 + 30 · 1) / 40
	expect(told[1]).toMatchObject({ trials: 40, before: 3, advised: 2.3, random: 2.95 });
});
