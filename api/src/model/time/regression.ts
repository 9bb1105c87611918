import { type Equation, nnls, normalEquations } from "../trust/nnls.ts";

/** Non-negative coefficients and the rms error on log seconds when each equation is predicted from the others. */
export function regress(equations: readonly Equation[]): { coefficients: number[]; loo: number | null } {
	return { coefficients: nnls(normalEquations(equations)), loo: leaveOneOut(equations) };
}

function leaveOneOut(equations: readonly Equation[]): number | null {
	if (equations.length < 2) return null;
	const errors = equations.map((left) => {
		const others = equations.filter((e) => e !== left);
		return Math.log(left.value / apply(nnls(normalEquations(others)), left.row));
	});
	const rms = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
	return Number.isFinite(rms) ? rms : null;
}

/** row · coefficients */
export function apply(coefficients: readonly number[], row: readonly number[]): number {
	return coefficients.reduce((sum, c, j) => sum + c * (row[j] ?? 0), 0);
}
