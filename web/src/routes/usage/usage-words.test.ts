import { expect, test } from "vitest";
import { callerText, tokensText, transportsText, usageHeadline } from "./usage-words.ts";

const sizes = (p95: number) => ({ p50: 1, p95, p99: p95, max: p95 });
const usage = {
	...{ from: null, to: null, results: 0, transports: {}, tokenRule: "", notKept: 0, operations: [] },
};

test("says what is largest, or that there is nothing", () => {
	expect(usageHeadline(usage)).toBe("Nothing was asked for yet");
	const operations = [
		{ operation: "fleet", results: 2, failed: 0, bytes: sizes(234_378), tokens: sizes(80_000), outliers: [] },
	];
	expect(usageHeadline({ ...usage, results: 2, operations })).toMatch(/^2 answers; .* of “fleet”: 234\D*kB/);
});

test("names callers by key, program and way, once each", () => {
	const one = { transport: "mcp" as const, results: 1, largestBytes: 1, lastAt: "" };
	expect(callerText({ ...one, caller: "ci", client: "agent", version: "1.2" })).toBe(
		"key ci, agent 1.2 by mcp",
	);
	expect(callerText({ ...one, caller: null, transport: "browser", client: "browser", version: null })).toBe(
		"browser",
	);
});

test("marks tokens as estimated", () => {
	expect(tokensText(5072)).toMatch(/^≈ 5.?072$/);
	expect(tokensText(undefined)).toBe("no text");
	expect(transportsText({ http: 1, mcp: 12 })).toBe("12 by mcp, 1 by http");
});
