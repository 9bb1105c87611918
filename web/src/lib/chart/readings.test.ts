import { describe, expect, it } from "vitest";
import { prefillOption } from "./options/prefill.ts";
import { keyOf, nearestPlace, placesOf, readingAt, tableOf } from "./readings.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

/** A law known beyond what was measured: dots at 1,000 and 4,000, the curve to 16,000. */
const option = prefillOption({
	curve: [
		{ x: 1000, y: 0.1, low: 0.09, high: 0.11, evidence: "fitted" },
		{ x: 4000, y: 0.5, low: 0.45, high: 0.56, evidence: "fitted" },
		{ x: 16_000, y: 3.2, low: 2.2, high: 4.7, evidence: "extrapolated" },
	],
	points: [
		{ x: 1000, y: 0.101 },
		{ x: 4000, y: 0.49 },
	],
	range: { from: 1000, to: 4000 },
	powerLaw: null,
});

describe("what a chart says", () => {
	it("names every place once, ascending", () => {
		expect(placesOf(option)).toEqual([1000, 4000, 16_000]);
	});

	it("finds the place nearest to a pointer, by factor on a log axis", () => {
		expect(nearestPlace([1000, 4000, 16_000], 1900)).toBe(1000);
		expect(nearestPlace([1000, 4000, 16_000], 2100)).toBe(4000);
		expect(nearestPlace([1000, 4000, 16_000], 1e9)).toBe(16_000);
		expect(nearestPlace([], 5)).toBeNull();
	});

	it("reads law, interval and measurement at a measured place", () => {
		const { lines } = readingAt(option, 1000);
		expect(lines.map(({ name, text }) => [name, plain(text)])).toEqual([
			["95% interval", "90.0 ms – 110 ms"],
			["Fitted law", "100 ms"],
			["Measured", "101 ms"],
		]);
	});

	it("says that the law is extrapolated where it is, once", () => {
		const { lines } = readingAt(option, 16_000);
		expect(lines.map((line) => line.name)).toEqual(["95% interval", "Fitted law, extrapolated"]);
	});

	it("gives the same values as a table", () => {
		const table = tableOf(option);
		expect(table.columns).toEqual(["95% interval", "Fitted law", "Fitted law, extrapolated", "Measured"]);
		expect(table.rows.map((row) => [row.at, plain(row.cells.at(-1) ?? "")])).toEqual([
			[1000, "101 ms"],
			[4000, "490 ms"],
			[16_000, ""],
		]);
	});

	it("has a key in which no two entries look alike", () => {
		const key = keyOf(option);
		const looks = key.map(({ kind, dash, symbol }) => `${kind} ${dash} ${symbol}`);
		expect(new Set(looks).size).toBe(key.length);
	});
});
