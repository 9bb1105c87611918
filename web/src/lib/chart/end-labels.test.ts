import { expect, it } from "vitest";
import { spread } from "./end-labels.ts";

it("leaves labels alone that are far enough apart", () => {
	expect(spread([32, 120, 60])).toEqual([32, 120, 60]);
});

it("spreads two that coincide evenly around their place", () => {
	expect(spread([100, 100]).toSorted((a, b) => a - b)).toEqual([93, 107]);
});

it("spreads a crowd around its middle, in the order of the lines", () => {
	// Three within a line's height, 14 pixels: they stand 14 apart around 102, the mean of what they wanted.
	expect(spread([103, 100, 103])).toEqual([102, 88, 116]);
});

it("keeps the order of the lines and a line's height between any two", () => {
	const wanted = [80, 79.5, 79, 81, 190, 189.9];
	const placed = spread(wanted);
	const order = wanted.map((y, i) => [y, placed[i] ?? 0] as const).toSorted(([a], [b]) => a - b);
	for (const [i, [, y]] of order.entries()) {
		const above = order[i - 1];
		if (above) expect(y - above[1]).toBeGreaterThanOrEqual(13.999);
	}
});
