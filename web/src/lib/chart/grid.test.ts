import { expect, it } from "vitest";
import { logGrid } from "./grid.ts";

it("steps by equal factors from end to end", () => {
	expect(logGrid(1, 1000, 4)).toEqual([1, 10, 100, 1000]);
});

it("takes landmarks in and leaves out what lies beyond", () => {
	expect(logGrid(10, 1000, 3, [32, 5, 5000, 100])).toEqual([10, 32, 100, 1000]);
});

it("begins and ends exactly where asked, also at fractions", () => {
	const grid = logGrid(7.5, 16_399.5, 5);
	expect(grid[0]).toBe(7.5);
	expect(grid.at(-1)).toBe(16_399.5);
});
