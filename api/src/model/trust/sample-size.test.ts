import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repetitionsNeeded, sampleSize } from "./sample-size.ts";

const usual = { alpha: 0.05, power: 0.8 };
const between = (relative: number) => ({ relative, from: "repeated runs" as const });

describe("runs of each arm", () => {
	// Tables of the two-sample t-test, two-sided: Cohen 1988, table 2.4.1; R's power.t.test rounded up.
	it.each([
		[0.2, 0.05, 0.8, 394],
		[0.5, 0.05, 0.8, 64],
		[0.8, 0.05, 0.8, 26],
		[1, 0.05, 0.8, 17],
		[1.2, 0.05, 0.8, 12],
		[0.5, 0.05, 0.9, 86],
		[0.8, 0.05, 0.9, 34],
		[0.5, 0.01, 0.8, 96],
		[2, 0.05, 0.8, 6],
	])("effect of %d standard deviations, α %d, power %d: %i", (d, alpha, power, n) => {
		expect(sampleSize(d, { alpha, power })?.perArm).toBe(n);
	});

	it("is at least two, and none where no number of runs would do", () => {
		expect(sampleSize(50, usual)?.perArm).toBe(2);
		expect(sampleSize(1e-4, usual)).toBeNull();
	});

	it("falls with the effect, rises with the power and the strictness", () => {
		const d = fc.double({ min: 0.1, max: 4, noNaN: true });
		fc.assert(
			fc.property(d, d, (a, b) => {
				const n = (effect: number, ask = usual) => sampleSize(effect, ask)?.perArm ?? Number.NaN;
				if (a < b) expect(n(a)).toBeGreaterThanOrEqual(n(b));
				expect(n(a, { ...usual, power: 0.95 })).toBeGreaterThanOrEqual(n(a));
				expect(n(a, { ...usual, alpha: 0.01 })).toBeGreaterThanOrEqual(n(a));
			}),
			{ numRuns: 40 },
		);
	});

	it.each([
		[0, usual],
		[1, { alpha: 0, power: 0.8 }],
		[1, { alpha: 0.05, power: 1 }],
	])("refuses %d with %j", (d, ask) => {
		expect(() => sampleSize(d, ask)).toThrow(RangeError);
	});
});

describe("a planned comparison", () => {
	it("takes the noise floor between runs: an effect of one floor needs 17 runs of each arm", () => {
		const needed = repetitionsNeeded([{ name: "A", noise: between(Math.log(1.05)) }], {
			effect: 0.05,
			...usual,
		});
		expect(needed).toMatchObject({ value: 17, unit: "runs", evidence: "measured" });
		// 2 · (1.960 + 0.8416)² = 15.70; 17 runs of each arm have a power of 80.70 %: R, power.t.test(n = 17, delta = 1).
		expect(needed.arithmetic).toMatch(
			/= 15\.7 by the normal distribution; 17 runs of each arm, .* 80\.7 % of/,
		);
	});

	it("pools the floors of both arms", () => {
		const s = Math.log(1.1);
		const arms = [
			{ name: "A", noise: between(s * Math.sqrt(2)) },
			{ name: "B", noise: between(0) },
		];
		expect(repetitionsNeeded(arms, { effect: 0.1, ...usual }).value).toBe(17);
	});

	it("asks for two identical arms first where the spread between runs is not known", () => {
		const inside = { relative: 0.005, from: "repetitions" as const };
		for (const noise of [null, inside]) {
			const needed = repetitionsNeeded(
				[
					{ name: "A", noise: between(0.03) },
					{ name: "B", noise },
				],
				{
					...{ effect: 0.05, ...usual },
				},
			);
			expect(needed.value).toBeNull();
			expect(needed.arithmetic).toMatch(/between runs of B was not measured.*Two identical arms first/);
		}
		expect(repetitionsNeeded([{ name: "A", noise: inside }], { effect: 0.1, ...usual }).arithmetic).toContain(
			"repetitions inside a run differ by 0.5 %",
		);
	});

	it("counts less time as it counts more on the log scale, and says where an effect cannot be seen", () => {
		const noise = between(0.1);
		const more = repetitionsNeeded([{ name: "A", noise }], { effect: 0.25, ...usual });
		const less = repetitionsNeeded([{ name: "A", noise }], { effect: 1 / 1.25 - 1, ...usual });
		expect(less.value).toBe(more.value);
		expect(repetitionsNeeded([{ name: "A", noise }], { effect: 1e-6, ...usual }).arithmetic).toMatch(
			/more than ten million runs/,
		);
		expect(repetitionsNeeded([{ name: "A", noise: between(0) }], { effect: 0.01, ...usual }).value).toBe(2);
	});
});
