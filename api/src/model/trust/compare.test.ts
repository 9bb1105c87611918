import { describe, expect, test } from "vitest";
import { fitConfiguration } from "../time/configuration.ts";
import type { DecodePoint, Point, PrefillPoint, ServePoint } from "../time/points.ts";
import { type Compared, compare } from "./compare.ts";

const base = { n: 2, betweenRuns: 0.01, withinRun: null, measurementIds: [] };
const law = (tokens: number) => 0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens;
const prefill = (tokens: number, factor = 1): PrefillPoint => ({
	...{ ...base, phase: "prefill", tokens, cached: 0, batch: 1, seconds: factor * law(tokens) },
});
const decode = (batch: number, context: number, factor = 1): DecodePoint => ({
	...{
		...base,
		phase: "decode",
		batch,
		context,
		seconds: factor * (0.008 + 1e-4 * batch + 1e-8 * batch * context),
	},
});
const serve = (concurrency: number, factor = 1): ServePoint => ({
	...{ ...base, phase: "serve", input: 1024, output: 128, concurrency, rate: null },
	...{
		ttftSeconds: null,
		ttftP50Seconds: null,
		ttftP99Seconds: null,
		tpotP50Seconds: null,
		tpotP99Seconds: null,
	},
	...{ tpotSeconds: factor * (0.01 + 2e-4 * concurrency), outputTokensPerSecond: null },
});
const compared = (name: string, points: Point[]): Compared => ({
	name,
	points,
	fits: fitConfiguration(points),
});
const LENGTHS = [512, 1024, 2048, 4096, 8192, 16_384];
const phaseOf = (all: Compared[], phase: string) => {
	const found = compare(all).find((one) => one.phase === phase);
	if (!found) throw new Error("no such phase");
	return found;
};

describe("prompts", () => {
	const a = compared(
		"A",
		LENGTHS.map((tokens) => prefill(tokens)),
	);

	test("that take 10 % more time at every length are 10 % slower by the median", () => {
		const b = compared(
			"B",
			LENGTHS.map((tokens) => prefill(tokens, 1.1)),
		);
		const { rows, summaries } = phaseOf([a, b], "prefill");
		expect(rows.map(({ shape }) => shape)).toEqual(
			LENGTHS.map((tokens) => `${tokens.toLocaleString("en-US")} tokens`),
		);
		for (const { differences } of rows) {
			expect(differences[0]).toBeNull();
			expect(differences[1]?.relative).toBeCloseTo(0.1, 9);
			// 1.96 · √(0.01²/2 + 0.01²/2)
			expect(differences[1]?.floor).toBeCloseTo(0.0196, 6);
			expect(differences[1]?.verdict).toBe("slower");
		}
		expect(summaries[0]).toBeNull();
		expect(summaries[1]?.words).toBe("10 % more time (floor 1.96 %), median of 6 prompts");
	});

	test("that differ by less than the noise are not told apart", () => {
		const b = compared(
			"B",
			LENGTHS.map((tokens) => prefill(tokens, 1.015)),
		);
		expect(phaseOf([a, b], "prefill").summaries[1]?.words).toBe(
			"not distinguishable (floor 1.96 %), median of 6 prompts",
		);
	});

	test("are held at the lengths of both, by the law where one did not measure that very length", () => {
		const b = compared(
			"B",
			[300, 700, 1500, 3000, 6000].map((tokens) => prefill(tokens)),
		);
		const { rows } = phaseOf([a, b], "prefill");
		// B reaches from 300 to 6,000 tokens, A from 512 to 16,384: what both cover lies between 512 and 6,000.
		expect(rows.map(({ at }) => at)).toEqual([512, 700, 1024, 1500, 2048, 3000, 4096, 6000]);
		const [first] = rows;
		expect(first?.times.map((time) => time?.from)).toEqual(["measured", "fitted"]);
		for (const { differences } of rows) expect(differences[1]?.relative).toBeCloseTo(0, 2);
	});

	test("of ranges that do not meet are not compared, and what to measure is said", () => {
		const far = compared(
			"B",
			[65_536, 131_072].map((tokens) => prefill(tokens)),
		);
		const { rows, summaries } = phaseOf([a, far], "prefill");
		expect(rows).toEqual([]);
		expect(summaries[1]?.words).toMatch(/no prompts lie in what both measured: llama-bench/);
	});

	test("of four configurations are each held against the first", () => {
		const others = [1.1, 0.9, 1].map((factor, i) =>
			compared(
				"BCD"[i] ?? "",
				LENGTHS.map((tokens) => prefill(tokens, factor)),
			),
		);
		const { summaries } = phaseOf([a, ...others], "prefill");
		expect(summaries.map((summary) => summary?.difference?.verdict)).toEqual([
			...[undefined, "slower", "faster", "not distinguishable"],
		]);
	});

	test("at many lengths are shown at ten of them, the shortest and the longest included", () => {
		const many = Array.from({ length: 40 }, (_, i) => prefill(256 * (i + 1)));
		const { rows } = phaseOf([compared("A", many), compared("B", many)], "prefill");
		expect(rows).toHaveLength(10);
		expect([rows[0]?.at, rows.at(-1)?.at]).toEqual([256, 10_240]);
	});
});

describe("steps and loads", () => {
	const steps = (factor = 1) =>
		[1, 8].flatMap((batch) => [1024, 8192].map((context) => decode(batch, context, factor)));

	test("are compared at each batch and context", () => {
		const { rows, summaries } = phaseOf([compared("A", steps()), compared("B", steps(0.8))], "decode");
		expect(rows.map(({ shape }) => shape)).toEqual([
			...[
				"alone at 1,024 tokens",
				"alone at 8,192 tokens",
				"8 together at 1,024 tokens",
				"8 together at 8,192 tokens",
			],
		]);
		expect(summaries[1]?.words).toBe("20 % less time (floor 1.96 %), median of 4 decode steps");
	});

	test("count as the same load where lengths and requests in flight are about equal", () => {
		const a = compared(
			"A",
			[1, 8, 32].map((clients) => serve(clients)),
		);
		const b = compared(
			"B",
			[1, 8.1, 32].map((clients) => ({ ...serve(clients, 1.2), input: 1020.6 })),
		);
		const { rows } = phaseOf([a, b], "serve");
		expect(rows.map(({ shape }) => shape)).toEqual([
			...[
				"1,024 → 128 tokens, 1 in flight",
				"1,024 → 128 tokens, 8 in flight",
				"1,024 → 128 tokens, 32 in flight",
			],
		]);
		for (const { differences } of rows) expect(differences[1]?.relative).toBeCloseTo(0.2, 2);
	});

	test("of which one measured none name who", () => {
		const summary = phaseOf([compared("A", steps()), compared("B", [prefill(512)])], "decode").summaries[1];
		expect(summary).toMatchObject({
			difference: null,
			words: expect.stringMatching(/^B has no measured decode steps/),
		});
	});
});
