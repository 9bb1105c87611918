import fc from "fast-check";
import { expect, it } from "vitest";
import { last } from "./halving.ts";

it("finds the last number for which something holds, from wherever it is begun", () => {
	const whole = fc.integer({ min: 0, max: 5000 });
	fc.assert(
		fc.property(whole, whole, whole, (end, most, known) => {
			const begun = Math.min(known, end, most);
			expect(last(most, (n) => n <= end, begun)).toBe(Math.min(end, most));
		}),
	);
});

it("asks about as often as a number has bits", () => {
	let asked = 0;
	last(65_536, (n) => {
		asked += 1;
		return n <= 777;
	});
	expect(asked).toBeLessThanOrEqual(18);
});
