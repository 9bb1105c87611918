import type { Quantity } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { changeWords, overlap, relativeTo } from "./compared.ts";

const seconds = (value: number | null): Quantity => ({
	value,
	unit: "seconds",
	evidence: "fitted",
	arithmetic: "",
});

describe("one scenario beside another", () => {
	it.each([
		[2, 3, "+50%"],
		[2, 2.05, "+2.5%"],
		[2, 1.9, "−5.0%"],
		[2, 1, "−50%"],
		[2, 2.0005, "same"],
	])("%d s and %d s differ by %s", (first, other, words) => {
		expect(changeWords(relativeTo(seconds(first), seconds(other)) ?? Number.NaN)).toBe(words);
	});

	it("says nothing of what is not known", () => {
		expect(relativeTo(seconds(null), seconds(1))).toBeNull();
		expect(relativeTo(seconds(1), seconds(null))).toBeNull();
	});

	it("tells a difference that the intervals swallow", () => {
		const between = (low: number, high: number) => ({ ...seconds((low + high) / 2), low, high });
		expect(overlap(between(1, 2), between(1.9, 3))).toBe(true);
		expect(overlap(between(1, 2), between(2.1, 3))).toBe(false);
		expect(overlap(seconds(1), between(0, 2))).toBe(false);
	});
});
