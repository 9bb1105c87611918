import fc from "fast-check";
import { expect, it } from "vitest";
import { TokenClock } from "./token-clock.ts";

const cases = fc.record({
	hundredths: fc.integer({ min: 100, max: 800 }),
	before: fc.nat({ max: 500 }),
	steps: fc.nat({ max: 400 }),
});

/** Tokens after so many steps, counted in whole hundredths. */
const tokens = (hundredths: number, steps: number) => Math.floor((hundredths * steps) / 100);

it("gains, their sum and the steps for them agree with counting step by step", () => {
	fc.assert(
		fc.property(cases, ({ hundredths, before, steps }) => {
			const clock = new TokenClock(hundredths / 100);
			clock.advance(before);
			const gain = (i: number) => tokens(hundredths, before + i) - tokens(hundredths, before);
			expect(clock.tokens).toBe(tokens(hundredths, before));
			expect(clock.gain(steps)).toBe(gain(steps));
			let sum = 0;
			for (let i = 0; i < steps; i++) sum += gain(i);
			expect(clock.gains(steps)).toBe(sum);
			let fewest = 0;
			while (gain(fewest) < steps) fewest++;
			expect(clock.stepsFor(steps)).toBe(fewest);
			let most = 0;
			while (gain(most + 1) <= steps) most++;
			expect(clock.stepsWithin(steps)).toBe(most);
		}),
	);
});
