import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageTokens, type WindowQuestion, windowBudget } from "./budget.ts";

const question = (change: Partial<WindowQuestion> = {}): WindowQuestion => ({
	...{ windowTokens: 200_000, systemTokens: 12_000, tools: 15, toolTokens: 400 },
	...{ messageTokens: 0, resultTokens: 3000, images: 0, tokensPerImage: 0, answerTokens: 0, turns: 100 },
	relief: null,
	...change,
});

describe("a window of 200,000 tokens that tool results fill", () => {
	// 12,000 + 15 · 400 = 18,000; (200,000 − 18,000) / 3,000 = 60.7.
	it("is full at turn 61 where 18,000 tokens are constant and a turn brings 3,000", () => {
		const { constantTokens, turnTokens, fullAtTurn, turns } = windowBudget(question());
		expect([constantTokens, turnTokens, fullAtTurn, turns.length]).toEqual([18_000, 3000, 61, 60]);
	});

	it("holds results for over 80 % of what is used after 30 turns: 90,000 of 108,000", () => {
		const turn = windowBudget(question()).turns[29];
		expect(turn?.parts).toMatchObject({ system: 12_000, tools: 6000, results: 90_000 });
		expect((turn?.parts.results ?? 0) / (turn?.usedTokens ?? 1)).toBeCloseTo(0.8333, 4);
	});

	it("takes 45 turns where 62,500 tokens are constant: (200,000 − 62,500) / 3,000 = 45.8", () => {
		const { fullAtTurn, turns } = windowBudget(question({ systemTokens: 62_500, tools: 0 }));
		expect([fullAtTurn, turns.length]).toEqual([46, 45]);
	});

	it("is not begun where the constant part alone is too large", () => {
		expect(windowBudget(question({ systemTokens: 200_000 }))).toMatchObject({ fullAtTurn: 1, turns: [] });
	});
});

describe("requests of a session", () => {
	it("carry the whole history anew, and share with the one before all that it carried", () => {
		const { turns, promptTokens, sharedTokens, outputTokens } = windowBudget(
			question({
				tools: 0,
				systemTokens: 1000,
				messageTokens: 100,
				resultTokens: 0,
				answerTokens: 50,
				turns: 3,
			}),
		);
		expect(turns.map((turn) => turn.promptTokens)).toEqual([1100, 1250, 1400]);
		expect(turns.map((turn) => turn.sharedTokens)).toEqual([0, 1150, 1300]);
		expect([promptTokens, sharedTokens, outputTokens]).toEqual([3750, 2450, 150]);
	});

	const small = { windowTokens: 10_000, systemTokens: 1000, tools: 0 };

	it("are summed up by a large one of its own, after which only the constant part is shared", () => {
		const { turns, fullAtTurn } = windowBudget(
			question({ ...small, turns: 5, relief: { kind: "compact", atShare: 0.65, summaryTokens: 500 } }),
		);
		expect(fullAtTurn).toBeNull();
		expect(turns.map((one) => [one.kind, one.promptTokens, one.outputTokens, one.sharedTokens])).toEqual([
			["turn", 4000, 0, 0],
			["turn", 7000, 0, 4000],
			["compaction", 7000, 500, 7000],
			["turn", 4500, 0, 1000],
			["turn", 7500, 0, 4500],
			["compaction", 7500, 500, 7500],
			["turn", 4500, 0, 1000],
		]);
	});

	it("cannot be summed up where there is no room left for the summary", () => {
		const late = { kind: "compact", atShare: 0.7, summaryTokens: 500 } as const;
		// 7,000 of 10,000 are not more than 0.7; the next turn fills the window.
		expect(windowBudget(question({ ...small, relief: late })).fullAtTurn).toBe(4);
	});

	it("are cleared by nobody", () => {
		const { turns } = windowBudget(
			question({
				...{ windowTokens: 10_000, systemTokens: 1000, tools: 0, turns: 5 },
				relief: { kind: "clear", atShare: 0.6, keptTurns: 1 },
			}),
		);
		expect(turns.map(({ promptTokens, cleared }) => [promptTokens, cleared])).toEqual([
			[4000, false],
			[7000, false],
			[7000, true],
			[7000, true],
			[7000, true],
		]);
	});
});

describe("an image", () => {
	it.each([
		[28, 28, 1],
		[29, 28, 2],
		[1092, 1092, 39 * 39],
		[1920, 1080, 69 * 39],
	])("of %i × %i pixels takes %i tokens", (width, height, tokens) => {
		expect(imageTokens(width, height)).toBe(tokens);
	});

	it("of no size is refused", () => {
		expect(() => imageTokens(0, 10)).toThrow("width must lie between 1 and 100,000 pixels, not 0");
	});
});

describe("any session", () => {
	const some = fc.nat({ max: 5000 });
	const questions = fc.record({
		...{
			windowTokens: fc.integer({ min: 1, max: 200_000 }),
			systemTokens: some,
			tools: fc.nat({ max: 100 }),
		},
		...{ toolTokens: fc.nat({ max: 500 }), messageTokens: some, resultTokens: some, answerTokens: some },
		...{
			images: fc.nat({ max: 3 }),
			tokensPerImage: fc.nat({ max: 2000 }),
			turns: fc.integer({ min: 1, max: 60 }),
		},
		relief: fc.oneof(
			fc.constant(null),
			fc.record({
				kind: fc.constant("compact" as const),
				atShare: fc.double({ min: 0.1, max: 1, noNaN: true }),
				summaryTokens: some,
			}),
			fc.record({
				kind: fc.constant("clear" as const),
				atShare: fc.double({ min: 0.1, max: 1, noNaN: true }),
				keptTurns: fc.nat({ max: 5 }),
			}),
		),
	});

	it("never holds more than its window, shares no more than it carries, and adds up", () => {
		fc.assert(
			fc.property(questions, (asked) => {
				const { turns, fullAtTurn, constantTokens } = windowBudget(asked);
				for (const one of turns) {
					expect(one.usedTokens).toBeLessThanOrEqual(asked.windowTokens);
					expect(one.sharedTokens).toBeLessThanOrEqual(one.promptTokens);
					expect(one.promptTokens).toBeGreaterThanOrEqual(constantTokens);
					expect(one.usedTokens).toBe(one.promptTokens + one.outputTokens);
				}
				const worked = turns.filter(({ kind }) => kind === "turn").length;
				expect(worked).toBe(fullAtTurn === null ? asked.turns : fullAtTurn - 1);
			}),
		);
	});
});
