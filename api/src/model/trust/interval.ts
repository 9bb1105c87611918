/** Two-sided 95 % points of Student's t for 1 to 30 degrees of freedom. @source NIST/SEMATECH handbook, 1.3.6.7.2 */
const T975 = [
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
	2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** 97.5 % quantile of Student's t; above 30 degrees of freedom by the Cornish–Fisher expansion. */
export function studentT975(degrees: number): number {
	const z = 1.959964;
	return (
		T975[degrees - 1] ??
		z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2)
	);
}

/** Error that stays even where leave-one-out finds none. */
const FLOOR = 0.005;

/**
 * Half-width of the 95 % interval on log seconds.
 * t(.975, n−1) · √(1 + 1/n) · √(loo² + 0.5 %²) · (1 + 2·octaves)
 */
export function halfWidth(fit: { n: number; loo: number | null }, octaves: number): number {
	const n = Math.max(2, fit.n);
	return studentT975(n - 1) * Math.sqrt(1 + 1 / n) * Math.hypot(fit.loo ?? 0.3, FLOOR) * (1 + 2 * octaves);
}
