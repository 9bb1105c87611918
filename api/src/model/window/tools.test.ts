import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLANK_SCENARIO } from "../answer/blank.ts";
import { plan } from "../answer/plan.ts";
import { measured, servePoints } from "../fixtures/facts.ts";
import { fitServe } from "../time/serve-law.ts";
import { priceToolSet, priceTools, type ToolsQuestion } from "./tools.ts";

const question: ToolsQuestion = {
	...{ windowTokens: 100_000, otherTokens: 1000, tools: [3000, 1000, 500], requestsPerDay: 200 },
	evidence: { all: "estimated", each: "estimated" },
};
const scenario = { ...BLANK_SCENARIO, configuration: "abc", concurrency: 1, price: 2.5, output: 100 };
const priced = priceTools(question, scenario, measured);
const law = measured.fits.prefill?.coefficients ?? { a: Number.NaN, b: Number.NaN, f: 0, k: 0 };

describe("what tools cost in every request", () => {
	it("takes a·Δs + b·Δ(s²) of the first token", () => {
		const { a, b, k } = law;
		expect(k).toBeLessThan(1000);
		expect(priced.all.firstToken.value).toBeCloseTo(a * 4500 + b * (5500 ** 2 - 1000 ** 2), 12);
		// One tool: what leaving it out saves.
		expect(priced.each[0]?.firstToken.value).toBeCloseTo(a * 3000 + b * (5500 ** 2 - 2500 ** 2), 12);
		expect(priced.firstTokenCached.value).toBeCloseTo(b * 2 * 1000 * 4500, 12);
		expect(priced.all.firstToken).toMatchObject({
			evidence: "estimated",
			arithmetic: expect.stringContaining("× 4,500 tokens"),
		});
	});

	it("takes of the window, of the cache and of the money what the plans with and without differ by", () => {
		const at = (context: number) => plan({ ...scenario, context, cached: 0 }, measured);
		const [whole, bare] = [at(5500), at(1000)];
		const differ = (of: (made: typeof whole) => number | null) => (of(whole) ?? 0) - (of(bare) ?? 0);
		expect(priced.all.share.value).toBe(0.045);
		expect(priced.all.kvBytes.value).toBe(differ(({ memory }) => memory.kvBytesPerSequence.value));
		expect(priced.all.kvBytes.value).toBeGreaterThan(0);
		expect(priced.all.displaced.value).toBe(-differ(({ memory }) => memory.maxSequences.value));
		expect(priced.all.displaced.value).toBeGreaterThan(0);
		expect(priced.all.usdPerMonth.value).toBeCloseTo(
			(differ(({ cost }) => cost.usdPerRequest.value) * 200 * 365) / 12,
			9,
		);
		expect(priced.usdPerMonthCached.value).toBeLessThan(priced.all.usdPerMonth.value ?? 0);
		expect(priced.ttft.value).toBe(whole.ttft.value);
		expect(priced.ttftWithout.value).toBe(bare.ttft.value);
	});

	it("costs no less with tools than without where clients measured one length: their times do not see the prompt", () => {
		const serve = fitServe(servePoints.filter(({ input }) => input === 1024));
		const facts = { ...measured, fits: { ...measured.fits, serve } };
		const asked = priceTools(
			{ ...question, tools: [300] },
			{ ...scenario, output: 256, concurrency: 8 },
			facts,
		);
		expect(asked.usdPerMonthCached.value).toBeGreaterThan(0);
		expect(asked.all.usdPerMonth.value).toBeGreaterThan(asked.usdPerMonthCached.value ?? Number.NaN);
		expect(asked.ttft.value).toBeGreaterThan(asked.ttftWithout.value ?? Number.NaN);
	});

	it("divides bytes and money by tokens, so that the parts add up", () => {
		const sum = (of: "kvBytes" | "usdPerMonth" | "share") =>
			priced.each.reduce((all, each) => all + (each[of].value ?? Number.NaN), 0);
		for (const of of ["kvBytes", "usdPerMonth", "share"] as const)
			expect(sum(of)).toBeCloseTo(priced.all[of].value ?? 0, 9);
	});

	it("never costs less with one tool more, and nothing without any", () => {
		const tokens = fc.integer({ min: 0, max: 20_000 });
		fc.assert(
			fc.property(fc.array(tokens, { maxLength: 8 }), tokens, tokens, (tools, more, otherTokens) => {
				const price = (list: number[]) =>
					priceTools({ ...question, otherTokens, tools: list }, scenario, measured, { arithmetic: false })
						.all;
				const [few, many] = [price(tools), price([more, ...tools])];
				for (const of of ["share", "firstToken", "kvBytes", "displaced"] as const)
					expect(many[of].value).toBeGreaterThanOrEqual(few[of].value ?? Number.NaN);
			}),
			{ numRuns: 40 },
		);
		const none = priceToolSet(0, question, scenario, measured);
		expect([none.firstToken.value, none.kvBytes.value, none.usdPerMonth.value]).toEqual([0, 0, 0]);
	});

	it("says what is not known, and does not call it nothing", () => {
		const blind = priceTools(
			question,
			{ ...scenario, price: null },
			{
				...measured,
				...{ fits: { prefill: null, decode: null, serve: null }, model: null, gpu: null, prices: [] },
			},
		);
		for (const figure of [blind.all.firstToken, blind.firstTokenCached, blind.all.usdPerMonth]) {
			expect(figure.value).toBeNull();
			expect(figure.arithmetic).toMatch(/\w{4}/);
		}
		expect(blind.each[0]?.usdPerMonth.value).toBeNull();
	});

	it("says how far beyond the longest measured prompt it reaches", () => {
		const far = priceToolSet(5_000_000, question, scenario, measured).firstToken;
		expect(far.arithmetic).toMatch(/beyond the longest measured prompt/);
	});

	it.each([
		[{ windowTokens: 0 }, /windowTokens/],
		[{ tools: [1, -1] }, /tools\[1\]/],
		[{ tools: [1.5] }, /tools\[0\]/],
		[{ requestsPerDay: Number.NaN }, /requests/],
	])("refuses %j", (change, words) => {
		expect(() => priceTools({ ...question, ...change }, scenario, measured)).toThrow(words);
	});
});
