import { describe, expect, it } from "vitest";
import { amountAdvice, readAmount } from "./amount.ts";
import { readTokens } from "./tokens.ts";

describe("an amount as it is typed", () => {
	it.each([
		["2.5", 2.5],
		["2,5", 2.5],
		["3,25", 3.25],
		["0,5", 0.5],
		[",5", 0.5],
		["0,0125", 0.0125],
		["1,2345", 1.2345],
		// No group of thousands begins with a nought or has four digits before it.
		["0,125", 0.125],
		["1234,500", 1234.5],
		["15", 15],
		["1.", 1],
		[".1", 0.1],
		["1.500", 1.5],
		["1e-3", 0.001],
		["1,234.5", 1234.5],
		["1,234,567", 1_234_567],
		["1,234,567.89", 1_234_567.89],
		["30 000", 30_000],
		["30\u00a0000,5", 30_000.5],
		["1_000", 1000],
		[" 2,5 ", 2.5],
	])("%j is %d", (text, value) => {
		expect(readAmount(text)).toBe(value);
	});

	it.each([
		"",
		" ",
		"two",
		"1,500",
		"12,000",
		"999,999",
		"1.234,5",
		"2,5,5",
		"1,23.5",
		"1,",
		",",
		"-2",
		"2.5.1",
		"0x10",
	])("%j is refused", (text) => {
		expect(readAmount(text)).toBeNull();
	});

	it.each([
		["1,500", "write 1500 or 1.5"],
		["$1,500", "write 1500 or 1.5"],
		["1,050 ms", "write 1050 or 1.05"],
		["12,000", "write 12000 or 12"],
		["two", "write a number"],
		["1.234,5", "write a number"],
		["-2", "write a number"],
	])("%j: %s", (text, advice) => {
		expect(amountAdvice(text, "write a number")).toBe(advice);
	});
});

describe("whole tokens as they are typed", () => {
	it.each([
		["128,000", 128_000],
		["1,500", 1500],
		["64k", 64_000],
		["1.5k", 1500],
		["2,5", null],
		["2,5k", null],
		["1.5", null],
		["0", null],
	])("%j is %j", (text, tokens) => {
		expect(readTokens(text)).toBe(tokens);
	});
});
