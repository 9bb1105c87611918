import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Equation, leaveOneOut, nnls, normalEquations } from "./nnls.ts";

const equations = (rows: number[][], values: number[]): Equation[] =>
	rows.map((row, i) => ({ row, value: values[i] ?? 0, weight: 1 }));
const solve = (rows: number[][], values: number[]) => nnls(normalEquations(equations(rows, values)));

describe("worked by hand", () => {
	test("an exact system with a positive solution is solved exactly", () => {
		// 2 + 3x at x = 1, 2, 4
		const found = solve(
			[
				[1, 1],
				[1, 2],
				[1, 4],
			],
			[5, 8, 14],
		);
		expect(found[0]).toBeCloseTo(2, 10);
		expect(found[1]).toBeCloseTo(3, 10);
	});

	test("what would be negative becomes 0 and the rest is fitted anew", () => {
		// Falling values: the slope would be −1, the best constant is their mean.
		const found = solve(
			[
				[1, 1],
				[1, 2],
				[1, 3],
			],
			[3, 2, 1],
		);
		expect(found).toEqual([expect.closeTo(2, 12), 0]);
	});

	test("values that no positive coefficient can approach give 0", () => {
		expect(solve([[1], [2]], [-1, -2])).toEqual([0]);
	});

	test("of two equal columns the first carries all", () => {
		expect(
			solve(
				[
					[1, 1],
					[2, 2],
				],
				[3, 6],
			),
		).toEqual([expect.closeTo(3, 12), 0]);
	});

	test("a column of zeros gets 0", () => {
		expect(
			solve(
				[
					[0, 1],
					[0, 2],
				],
				[3, 6],
			),
		).toEqual([0, expect.closeTo(3, 12)]);
	});

	test("columns twelve orders of magnitude apart keep their digits", () => {
		const rows = [1e3, 1e4, 1e5, 1e6].map((s) => [1, s, s * s]);
		const found = solve(
			rows,
			rows.map(([, s = 0, v = 0]) => 0.5 + 2e-5 * s + 5e-11 * v),
		);
		expect(found[1]).toBeCloseTo(2e-5, 12);
		expect((found[2] ?? 0) / 5e-11).toBeCloseTo(1, 6);
	});

	test("a weight of 0 leaves an equation out", () => {
		const found = nnls(
			normalEquations([
				{ row: [1], value: 4, weight: 1 },
				{ row: [1], value: 100, weight: 0 },
			]),
		);
		expect(found).toEqual([4]);
	});
});

/** Hundredths: what differs by less is rounding, which normal equations do not promise to tell apart. */
const entry = fc.integer({ min: -1000, max: 1000 }).map((x) => x / 100);
const system = fc
	.record({ height: fc.integer({ min: 2, max: 14 }), width: fc.integer({ min: 1, max: 5 }) })
	.chain(({ height, width }) =>
		fc.record({
			rows: fc.array(fc.array(entry, { minLength: width, maxLength: width }), {
				minLength: height,
				maxLength: height,
			}),
			values: fc.array(entry, {
				minLength: height,
				maxLength: height,
			}),
		}),
	);

describe("the conditions of Karush, Kuhn and Tucker", () => {
	test("hold: no coefficient is negative, and none that is 0 would help by growing", () => {
		fc.assert(
			fc.property(system, ({ rows, values }) => {
				const { gram, moment } = normalEquations(equations(rows, values));
				const found = nnls({ gram, moment });
				const size = Math.max(1, ...gram.flat().map(Math.abs), ...moment.map(Math.abs));
				found.forEach((c, j) => {
					const slope = (moment[j] ?? 0) - found.reduce((sum, x, i) => sum + (gram[j]?.[i] ?? 0) * x, 0);
					expect(c).toBeGreaterThanOrEqual(0);
					expect(slope).toBeLessThanOrEqual(1e-6 * size);
					if (c > 1e-6) expect(Math.abs(slope)).toBeLessThanOrEqual(1e-6 * size);
				});
			}),
		);
	});

	test("a guess changes nothing", () => {
		fc.assert(
			fc.property(system, fc.subarray([0, 1, 2, 3, 4]), ({ rows, values }, guess) => {
				const sums = normalEquations(equations(rows, values));
				const misfit = (c: number[]) =>
					rows.reduce((sum, row, i) => {
						const predicted = row.reduce((p, x, j) => p + x * (c[j] ?? 0), 0);
						return sum + ((values[i] ?? 0) - predicted) ** 2;
					}, 0);
				expect(misfit(nnls(sums, guess))).toBeCloseTo(misfit(nnls(sums)), 4);
			}),
		);
	});
});

test("leaving one out by subtraction fits as well as fitting the others", () => {
	fc.assert(
		fc.property(system, ({ rows, values }) => {
			const all = equations(rows, values);
			leaveOneOut(all, normalEquations(all)).forEach((found, left) => {
				const others = all.filter((_, i) => i !== left);
				const direct = nnls(normalEquations(others));
				const misfit = (c: number[]) =>
					others.reduce(
						(sum, { row, value }) => sum + (value - row.reduce((p, x, j) => p + x * (c[j] ?? 0), 0)) ** 2,
						0,
					);
				expect(misfit(found)).toBeCloseTo(misfit(direct), 4);
			});
		}),
	);
});
