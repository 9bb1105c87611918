import { expect, test } from "vitest";
import { sensitivity } from "./sensitivity.ts";

test("the widest bar first: price × GPUs / speed", () => {
	const { base, bars } = sensitivity(
		[
			{ key: "gpus", label: "GPUs", low: 4, base: 4, high: 5 },
			{ key: "price", label: "Price", low: 1, base: 2, high: 4 },
			{ key: "speed", label: "Speed", low: 5, base: 10, high: 20 },
		],
		({ price = 0, gpus = 0, speed = 1 }) => (price * gpus) / speed,
	);
	// base 2 × 4 / 10 = 0.8; price 0.4…1.6; speed at 5: 1.6, at 20: 0.4; GPUs 0.8…1.0
	expect(base).toBeCloseTo(0.8, 12);
	expect(bars.map(({ key }) => key)).toEqual(["price", "speed", "gpus"]);
	expect(bars[0]).toMatchObject({ atLow: 0.4, atHigh: 1.6, swing: expect.closeTo(1.2, 12) });
	expect(bars[1]).toMatchObject({ atLow: 1.6, atHigh: 0.4 });
	expect(bars[2]?.swing).toBeCloseTo(0.2, 12);
});

test("an end without an answer is unbounded: no number, and before all others", () => {
	const { bars } = sensitivity(
		[
			{ key: "a", label: "A", low: 1, base: 2, high: 3 },
			{ key: "b", label: "B", low: 0, base: 1, high: 2 },
		],
		({ a = 0, b = 0 }) => (b === 0 ? null : a / b),
	);
	expect(bars[0]).toMatchObject({ key: "b", atLow: null, atHigh: 1, swing: null });
});
