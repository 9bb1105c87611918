import type { ToolsAnswer } from "@plimsoll/api";
import { describe, expect, it } from "vitest";
import { extraWords, findingGroups, leaveOut, moreWords, toolsHeadline, windowLink } from "./tools-words.ts";

const quantity = (value: number | null, unit: string) => ({
	value,
	unit,
	evidence: "estimated",
	arithmetic: "",
});
const answer = (tools: number, tokens: number, seconds: number | null) =>
	({
		tools: Array.from({ length: tools }, () => ({})),
		tokens: quantity(tokens, "tokens"),
		all: { tokens, share: quantity(tokens / 100_000, "ratio"), firstToken: quantity(seconds, "seconds") },
		question: { windowTokens: 100_000 },
	}) as unknown as ToolsAnswer;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("tools in words", () => {
	it("says what they weigh, and no time where none is known", () => {
		expect(plain(toolsHeadline(answer(14, 2500, 0.351)))).toBe(
			"14 tools weigh 2,500 tokens: 2.50% of the window, 351 ms of the first token",
		);
		expect(plain(toolsHeadline(answer(1, 100, null)))).toBe("1 tool weighs 100 tokens: 0.100% of the window");
	});

	it("says up to how many tools in use something lighter stays lighter", () => {
		expect(extraWords({ addsPerTool: 184, worthUpTo: 12 })).toBe(
			"184 tokens for each tool in use; smaller than all schemas up to 12 of them",
		);
		expect(extraWords({ addsPerTool: 20, worthUpTo: 0 })).toMatch(/no smaller/);
		expect(extraWords({ addsPerTool: null, worthUpTo: null })).toBe("");
	});

	it("says once what is known of findings alike, gravest first", () => {
		const finding = (severity: "fails" | "check", at: string) => ({
			...{ severity, at, what: "w", known: severity, advice: "a" },
		});
		const groups = findingGroups([
			{ name: "one", findings: [finding("check", "x"), finding("fails", "y")] },
			{ name: "two", findings: [finding("check", "z")] },
		]);
		expect(groups.map(({ severity, places }) => [severity, places.length])).toEqual([
			["fails", 1],
			["check", 2],
		]);
		expect(groups[1]?.places.map(({ tool, at }) => `${tool} ${at}`)).toEqual(["one x", "two z"]);
	});

	it("takes the weight to the window budget, rather a token too many", () => {
		const link = windowLink(answer(3, 1000, 1), "?configuration=abc&leaveOut=2&price=2");
		expect(Object.fromEntries(new URL(link, "http://x").searchParams)).toEqual({
			...{ configuration: "abc", price: "2", window: "100000", tools: "3", toolTokens: "334" },
		});
	});

	it("keeps which tools a profile leaves out, in order", () => {
		expect(leaveOut(null, 5, false)).toBe("5");
		expect(leaveOut("5", 3, false)).toBe("3,5");
		expect(leaveOut("3,5", 3, true)).toBe("5");
		expect(leaveOut("5", 5, true)).toBeNull();
	});

	it("compares languages", () => {
		expect(moreWords(24, 19)).toBe("26.3% more");
		expect(moreWords(19, 19)).toBe("the same");
		expect(moreWords(15, 20)).toBe("25.0% less");
	});
});
