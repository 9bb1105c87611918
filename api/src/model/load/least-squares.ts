import { normalEquations } from "../trust/nnls.ts";

const at = (values: readonly number[] | undefined, i: number) => values?.[i] ?? 0;
const squares = (values: readonly number[]) => values.reduce((sum, v) => sum + v * v, 0);

/** Solves a positive definite system. @source Cholesky, Golub & Van Loan, Matrix Computations, 4.2 */
function solved(matrix: readonly number[][], right: readonly number[]): number[] {
	const n = right.length;
	const lower = matrix.map((row) => [...row]);
	for (let j = 0; j < n; j++)
		for (let i = j; i < n; i++) {
			let sum = at(matrix[i], j);
			for (let k = 0; k < j; k++) sum -= at(lower[i], k) * at(lower[j], k);
			const line = lower[i];
			if (line) line[j] = i === j ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / at(lower[j], j);
		}
	const y: number[] = [];
	for (let i = 0; i < n; i++) {
		const sum = y.reduce((s, v, k) => s - at(lower[i], k) * v, at(right, i));
		y.push(sum / at(lower[i], i));
	}
	const x = new Array<number>(n).fill(0);
	for (let i = n - 1; i >= 0; i--) {
		let sum = at(y, i);
		for (let k = i + 1; k < n; k++) sum -= at(lower[k], i) * at(x, k);
		x[i] = sum / at(lower[i], i);
	}
	return x;
}

/** Step of the derivative, longest step of a parameter, and gain below which nothing more is won. */
const STEP = 0.02;
const LONGEST = 1;
const WORTH = 1e-4;

/**
 * Parameters that make the residuals least in square, from a start.
 * Meant for logarithms of parameters, whose derivative is taken over 2 %.
 * @param rounds most improvements
 * @returns parameters and the sum of squares
 * @source Levenberg 1944, Marquardt 1963
 */
export function leastSquares(
	residuals: (parameters: readonly number[]) => number[],
	start: readonly number[],
	rounds: number,
): { parameters: number[]; squares: number } {
	let parameters = [...start];
	let current = residuals(parameters);
	let damping = 1e-2;
	for (let round = 0; round < rounds; round++) {
		const better = improved(residuals, parameters, current, damping);
		if (!better) break;
		const gain = 1 - squares(better.residuals) / squares(current);
		({ parameters, residuals: current, damping } = better);
		if (gain < WORTH) break;
	}
	return { parameters, squares: squares(current) };
}

function improved(
	residuals: (parameters: readonly number[]) => number[],
	parameters: readonly number[],
	current: readonly number[],
	damping: number,
) {
	const moved = parameters.map((_, j) => residuals(parameters.map((v, i) => (i === j ? v + STEP : v))));
	const equations = current.map((value, i) => ({
		row: moved.map((column) => (at(column, i) - value) / STEP),
		value: -value,
		weight: 1,
	}));
	const { gram, moment } = normalEquations(equations);
	for (let tries = 0, d = damping; tries < 6; tries++, d *= 5) {
		const damped = gram.map((row, i) => row.map((v, j) => (i === j ? v * (1 + d) + 1e-9 : v)));
		const step = solved(damped, moment).map((v) => Math.max(-LONGEST, Math.min(LONGEST, v)));
		const next = parameters.map((v, i) => v + at(step, i));
		const found = residuals(next);
		if (squares(found) < squares(current))
			return { parameters: next, residuals: found, damping: Math.max(1e-6, d / 5) };
	}
	return null;
}
