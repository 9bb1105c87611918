import { expect, it } from "vitest";
import { exactly, readMemory, unitOf, writeMemory } from "./card-memory.ts";

it.each([
	["24", "GiB", 25_769_803_776],
	["24", "GB", 24_000_000_000],
	["24 GB", "GiB", 24_000_000_000],
	["24gib", "GB", 25_769_803_776],
	["23.55", "GiB", 25_286_619_955],
	["1536", "GB", 1_536_000_000_000],
	["23,5", "GB", 23_500_000_000],
	["0,5 GiB", "GB", 536_870_912],
	["0.5", "GiB", 536_870_912],
] as const)("%s in %s are %i bytes", (text, unit, bytes) => {
	expect(readMemory(text, unit)).toBe(bytes);
});

it.each(["", "0", "1,536", "-24", "24 TB", "24 GBB", "a lot", "1e3", "0.0000001", "2000000"])(
	"%j is no card's memory",
	(text) => {
		expect(readMemory(text, "GB")).toBeNull();
	},
);

it("shows a size in the unit in which it was meant", () => {
	expect(unitOf(24 * 2 ** 30)).toBe("GiB");
	expect(unitOf(80e9)).toBe("GB");
	expect(unitOf(null)).toBe("GiB");
	expect(writeMemory(24 * 2 ** 30, "GiB")).toBe("24");
	expect(exactly(24e9).replaceAll("\u00a0", " ")).toBe("24,000,000,000 bytes: 24.0 GB, or 22.3517 GiB");
});
