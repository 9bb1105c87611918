import { expect, it } from "vitest";
import { endLabelShifts } from "./end-labels.ts";

const shown = { from: 1, to: 1000 };

it("leaves labels alone that are far enough apart", () => {
	expect(endLabelShifts([1, 10, 1000], shown)).toEqual([0, 0, 0]);
});

it("spreads two that coincide evenly around their place", () => {
	expect(endLabelShifts([10, 10], shown).toSorted((a, b) => a - b)).toEqual([-7, 7]);
});

it("keeps the order of the lines and a line's height between any two", () => {
	const ends = [100, 101, 102, 99, 5, 5.01];
	const shifts = endLabelShifts(ends, shown);
	const pixels = ends.map((value, i) => (240 * Math.log(1000 / value)) / Math.log(1000) + (shifts[i] ?? 0));
	const order = ends.map((value, i) => [value, pixels[i] ?? 0] as const).toSorted(([a], [b]) => b - a);
	for (const [i, [, y]] of order.entries()) {
		const above = order[i - 1];
		if (above) expect(y - above[1]).toBeGreaterThanOrEqual(13);
	}
});
