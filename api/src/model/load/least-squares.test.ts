import { expect, it } from "vitest";
import { leastSquares } from "./least-squares.ts";

it("finds the parameters of y = A·exp(−k·t) from points that follow it", () => {
	const [A, k] = [5, 0.3];
	const times = [0, 1, 2, 4, 8];
	const residuals = ([a = 0, b = 0]: readonly number[]) =>
		times.map((t) => Math.exp(a) * Math.exp(-Math.exp(b) * t) - A * Math.exp(-k * t));
	const { parameters, squares } = leastSquares(residuals, [0, 0], 60);
	expect(Math.exp(parameters[0] ?? 0)).toBeCloseTo(A, 2);
	expect(Math.exp(parameters[1] ?? 0)).toBeCloseTo(k, 3);
	expect(squares).toBeLessThan(1e-4);
});

it("solves a linear problem as the normal equations do", () => {
	// y = 1 + 2x through (0, 1.1), (1, 2.9), (2, 5.1), (3, 6.9): slope 1.96, intercept 1.06 by hand.
	const ys = [1.1, 2.9, 5.1, 6.9];
	const { parameters } = leastSquares(([p = 0, q = 0]) => ys.map((y, x) => p + q * x - y), [0, 0], 40);
	expect(parameters[0]).toBeCloseTo(1.06, 3);
	expect(parameters[1]).toBeCloseTo(1.96, 3);
});
