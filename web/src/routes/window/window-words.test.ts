import { windowBudget } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { fullestParts, nothingFits, resentWords, windowHeadline } from "./window-words.ts";

const question = {
	...{ windowTokens: 200_000, systemTokens: 12_000, tools: 15, toolTokens: 400, messageTokens: 0 },
	...{ resultTokens: 3000, images: 0, tokensPerImage: 0, answerTokens: 0, turns: 100, relief: null },
};
const answer = (change: Partial<typeof question> = {}) => {
	const asked = { ...question, ...change };
	const { turns, ...budget } = windowBudget(asked);
	return { question: asked, budget, session: { turns } } as unknown as Parameters<typeof fullestParts>[0] &
		Parameters<typeof windowHeadline>[0];
};

describe("a window in words", () => {
	it("says when it is full and of what", () => {
		expect(windowHeadline(answer())).toBe(
			"Full at turn 61: 18,000 tokens before the task, 3,000 more with every turn",
		);
		expect(windowHeadline(answer({ turns: 20 }))).toMatch(/^20 turns fit/);
		expect(windowHeadline(answer({ systemTokens: 200_000 }))).toMatch(/^No turn fits/);
		const [first, ...others] = fullestParts(answer());
		// 60 turns of 3,000 of 198,000.
		expect(first).toMatchObject({ name: "Tool results", tokens: 180_000 });
		expect(first?.share).toBeCloseTo(180 / 198, 9);
		expect(others.map(({ name }) => name)).toEqual(["System rules", "Tool schemas"]);
		expect(fullestParts(answer({ systemTokens: 200_000 }))).toEqual([]);
	});

	it("says what is larger than what where nothing fits", () => {
		// 12,000 of rules, 15 × 400 of tools, 3,000 of a result.
		expect(nothingFits(answer({ windowTokens: 4096 }))).toMatch(
			/^The first request carries 21,000 tokens, the window holds 4,096: choose/,
		);
	});

	it("says how much is sent again", () => {
		// Prompts of 21, 24 and 27 thousand; 21 and 24 of them had been sent before.
		expect(resentWords(answer({ turns: 3 }))).toBe(
			"72,000 prompt tokens are sent in all; 63% of them had been sent with the request before.",
		);
	});
});
