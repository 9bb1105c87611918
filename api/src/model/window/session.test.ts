import { describe, expect, it } from "vitest";
import { BLANK_SCENARIO } from "../answer/blank.ts";
import { plan } from "../answer/plan.ts";
import { measured } from "../fixtures/facts.ts";
import { predictPrefill } from "../time/prefill.ts";
import type { EffectiveLength } from "../trust/effective-length.ts";
import { windowBudget } from "./budget.ts";
import { priceSession, windowCautions } from "./session.ts";

const asked = {
	...{ windowTokens: 32_000, systemTokens: 2000, tools: 10, toolTokens: 100 },
	...{ messageTokens: 100, resultTokens: 900, images: 0, tokensPerImage: 0, answerTokens: 200, turns: 20 },
	relief: null,
};
const budget = windowBudget(asked);
const scenario = { ...BLANK_SCENARIO, configuration: "abc", concurrency: 1, price: 2.5 };
const session = priceSession(budget, scenario, measured, 40);

describe("a session on a measured configuration", () => {
	it("waits as long as the prefill law says, with a cached prefix by a·(s − p) + b·(s² − p²)", () => {
		const turn = session.turns[9];
		if (!turn || !measured.fits.prefill) throw new Error("no turn or no law");
		// 3,000 constant, nine turns of 1,200 before, 1,000 new; all before is shared.
		expect([turn.promptTokens, turn.sharedTokens]).toEqual([14_800, 13_800]);
		const cold = predictPrefill(measured.fits.prefill, { tokens: 14_800 }).seconds;
		const warm = predictPrefill(measured.fits.prefill, { tokens: 1000, cached: 13_800 }).seconds;
		expect(turn.ttftUncached.value).toBeCloseTo(cold, 9);
		expect(turn.ttft.value).toBeCloseTo(warm, 9);
		expect(turn.ttft.evidence).toBe("fitted");
	});

	it("costs and fits what the plan of each length says", () => {
		const turn = session.turns[19];
		const alone = plan({ ...scenario, context: 26_800, output: 200 }, measured);
		expect(turn?.usdUncached.value).toBe(alone.cost.usdPerRequest.value);
		expect(turn?.fits.value).toBe(alone.memory.maxSequences.value);
		expect(turn?.kvBytes.value).toBe(alone.memory.kvBytesPerSequence.value);
	});

	it("adds up over its requests and over a month", () => {
		const sum = (of: (turn: (typeof session.turns)[number]) => number | null) =>
			session.turns.reduce((all, turn) => all + (of(turn) ?? Number.NaN), 0);
		expect(session.waiting.value).toBeCloseTo(
			sum((turn) => turn.ttft.value),
			9,
		);
		expect(session.usd.value).toBeCloseTo(
			sum((turn) => turn.usd.value),
			12,
		);
		expect(session.usdPerMonth.value).toBeCloseTo(((session.usd.value ?? 0) * 40 * 365) / 12, 9);
		expect(session.usd.value).toBeLessThan(session.usdUncached.value ?? 0);
		expect(session.waiting.value).toBeLessThan(session.waitingUncached.value ?? 0);
		const [first, last] = [session.turns[0]?.fits.value ?? 0, session.turns[19]?.fits.value ?? 0];
		expect(session.displaced.value).toBe(first - last);
	});

	it("says what is missing where there is no price, and does not call it nothing", () => {
		const unpriced = priceSession(budget, { ...scenario, price: null }, { ...measured, prices: [] }, 40);
		expect(unpriced.usdPerMonth.value).toBeNull();
		expect(unpriced.usdPerMonth.arithmetic).toMatch(/price/);
		const none = priceSession(windowBudget({ ...full }), scenario, measured, 40);
		expect([none.turns.length, none.usd.value, none.waiting.value, none.displaced.value]).toEqual([
			0,
			null,
			null,
			null,
		]);
	});
});

describe("what a session's figures do not rest on", () => {
	const words = (windowTokens: number, turns: number) => {
		const question = { ...asked, windowTokens, turns };
		return windowCautions(question, windowBudget(question), measured).join("\n");
	};

	it("says nothing inside of what model and measurements reach", () => {
		expect(words(32_000, 20)).toBe("");
	});

	it("says that a window is larger than what the model was made for, and how far lengths lie beyond what was measured", () => {
		// Llama 3.1 8B was made for 131,072; 32,768 were measured; 200 turns of 1,200 after 3,000 and 1,000 new.
		expect(words(400_000, 100)).toContain("at most 131,072 tokens, the window asked about holds 400,000");
		expect(words(400_000, 100)).toContain("122,800 tokens, 3.7 times what was measured (32,768)");
		expect(words(131_072, 40)).toBe("");
	});

	it("says what lies beyond the length that a test says the model uses well", () => {
		const entry: EffectiveLength = {
			...{
				id: "e",
				model: "Llama 3.1 8B",
				modelId: "llama-3.1-8b",
				task: "NoLiMa",
				threshold: "85 % of its score",
			},
			...{ claimedTokens: 131_072, effectiveTokens: 4000, bound: "up to", failedAtTokens: 8000, scores: [] },
			...{
				conditions: null,
				evidence: "published",
				source: { label: "a test" },
				origin: "seed",
				enteredBy: null,
			},
		};
		const question = { ...asked, windowTokens: 32_000, turns: 2 };
		const said = (turns: number) =>
			windowCautions(question, windowBudget({ ...question, turns }), {
				...measured,
				effectiveLengths: [entry],
			});
		// 3,000 and 1,000 new are 4,000; each further turn 1,200.
		expect(said(1)).toEqual([]);
		expect(said(2).join()).toContain("Of 5,200 prompt tokens 1,200 lie beyond");
	});
});

const full = {
	...{ windowTokens: 1000, systemTokens: 2000, tools: 0, toolTokens: 0, messageTokens: 1, resultTokens: 0 },
	...{ images: 0, tokensPerImage: 0, answerTokens: 1, turns: 3, relief: null },
};
