import { describe, expect, it } from "vitest";
import { parseTokens } from "./tokens.ts";

describe("parseTokens", () => {
	it.each([
		["64k", 64_000],
		["64K", 64_000],
		["65536", 65_536],
		["65,536", 65_536],
		["64Ki", 65_536],
		["1M", 1_000_000],
		[" 1.5m ", 1_500_000],
		["131 072", 131_072],
	])("reads %s as %i", (text, tokens) => {
		expect(parseTokens(text)).toBe(tokens);
	});
	it.each(["", "abc", "-5", "0", "1e99", "12x", "k", "1.2.3"])("refuses %s", (text) => {
		expect(parseTokens(text)).toBeNull();
	});
});
