import { describe, expect, test } from "vitest";
import { bytes, count, figure, seconds } from "./figures.ts";
import { bytesOf, decimalOf, GB, GIB, MIB, numberInLine, shareOf, tokensBehind, tokensOf } from "./units.ts";

test("an H100 of 81,559 MiB is 79.65 GiB and 85.52 GB", () => {
	expect((81_559 * MIB) / GIB).toBeCloseTo(79.65, 2);
	expect((81_559 * MIB) / GB).toBeCloseTo(85.52, 2);
});

test("128K is 128,000 tokens, or 131,072 where the model's limit is meant", () => {
	expect(tokensOf("128K")).toBe(128_000);
	expect(tokensOf("128K", 1024)).toBe(131_072);
	expect(tokensOf("1,28")).toBeNull();
});

test("a table that mixes conventions is read by its bytes", () => {
	expect(tokensBehind("1k", 0.125 * GIB, 131_072)).toBe(1024);
	expect(tokensBehind("16k", 1.95 * GIB, 131_072)).toBe(16_000);
});

test("80 GB on a GPU's box is 80 GiB", () => {
	expect(bytesOf("80GB", "binary")).toBe(80 * GIB);
	expect(bytesOf("80 GB", "decimal")).toBe(80 * GB);
	expect(bytesOf("23.58GiB", "decimal")).toBe(23.58 * GIB);
	expect(bytesOf("much", "binary")).toBeNull();
});

describe("numbers in log lines", () => {
	test.each([
		["GPU KV cache size: 2,042,016 tokens", 2_042_016],
		["KV self size  = 3072,00 MiB", 3072],
		["total_gpu_memory=23.58GiB", 23.58],
		["Maximum concurrency for 4096 tokens per request: 0.00x", 0],
		["model size       = 84,604 GiB (3,083 BPW)", 84.604],
	])("%s", (line, value) => {
		expect(numberInLine(line)).toBe(value);
	});

	test("a line without one gives none", () => {
		expect(numberInLine("Application startup complete.")).toBeNull();
	});
});

describe("printing", () => {
	test.each([
		[count(327_680), "327,680"],
		[count(-1_234_567), "−1,234,567"],
		[count(12), "12"],
		[figure(0.012345), "0.01235"],
		[figure(123_456.7), "123,457"],
		[figure(2.5e-9), "2.5e−9"],
		[figure(1), "1"],
		[bytes(41_943_040_000), "41.94 GB"],
		[bytes(-15e9), "−15 GB"],
		[bytes(2.62e12), "2.62 TB"],
		[seconds(0.0312), "31.2 ms"],
		[seconds(77), "77 s"],
	])("%s", (printed, wanted) => {
		expect(printed).toBe(wanted);
	});
});

test.each([
	["1.234,56", 1234.56],
	["1,234.56", 1234.56],
	["1.234.567", 1_234_567],
	["0,123", 0.123],
	["-12,5", -12.5],
	["4.31", 4.31],
	["1,234", null],
	["1.234", null],
	["1.234.56", null],
	["1,23.4", null],
	["", null],
	["12 GPUs", null],
])("a number with a point or a comma: %s", (text, value) => {
	expect(decimalOf(text)).toBe(value);
});

test.each([
	["0.05", 0.05],
	["5%", 0.05],
	["5 %", 0.05],
	["0,5 %", 0.005],
	[" .5% ", 0.005],
	["0,05", 0.05],
	["7%", 0.07],
	["5", 5],
	["1e-2", 0.01],
	["1,500", null],
	["5 percent", null],
	["-5%", null],
	["", null],
	["%", null],
	[".", null],
])("the share %j is %j", (text, share) => {
	expect(shareOf(text)).toBe(share);
});
