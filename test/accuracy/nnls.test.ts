import fc from "fast-check";
import { fcnnlsVector } from "ml-fcnnls";
import { expect, test } from "vitest";
import { nnls, normalEquations } from "../../api/src/model/trust/nnls.ts";

const entry = fc.integer({ min: -500, max: 1000 }).map((x) => x / 100);
const system = fc.integer({ min: 1, max: 5 }).chain((width) =>
	fc.integer({ min: width + 3, max: 20 }).chain((height) =>
		fc.record({
			rows: fc.array(fc.array(entry, { minLength: width, maxLength: width }), {
				minLength: height,
				maxLength: height,
			}),
			values: fc.array(entry, { minLength: height, maxLength: height }),
		}),
	),
);

const misfit = (rows: number[][], values: number[], c: number[]) =>
	rows.reduce((sum, row, i) => {
		const predicted = row.reduce((p, x, j) => p + x * (c[j] ?? 0), 0);
		return sum + ((values[i] ?? 0) - predicted) ** 2;
	}, 0);

test("fits as well as ml-fcnnls, another implementation, on random systems", () => {
	fc.assert(
		fc.property(system, ({ rows, values }) => {
			const ours = nnls(normalEquations(rows.map((row, i) => ({ row, value: values[i] ?? 0, weight: 1 }))));
			const theirs = fcnnlsVector(rows, values).K.to1DArray();
			expect(misfit(rows, values, ours)).toBeCloseTo(misfit(rows, values, theirs), 4);
		}),
		{ numRuns: 300 },
	);
});
