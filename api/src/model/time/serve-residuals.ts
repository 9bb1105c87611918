import { type Residual, residualAt } from "./residuals.ts";

/** Loads of requests of one kind: ln(measured / law) by requests in flight, ascending. */
export interface LoadSeries {
	input: number;
	output: number;
	residuals: Residual[];
}

/** One measured load and how far the law is off there. */
export interface LoadResidual {
	input: number;
	output: number;
	concurrency: number;
	log: number;
}

/** Lengths whose logs differ by less are one kind of request: clients' means scatter. */
const SAME = 0.02;
/** Kinds of request that a fit keeps: those with the most loads. */
const MOST_SERIES = 64;
/** Squared log distance of lengths at which a kind of request tells half: a factor of two. */
const REACH = Math.log(2) ** 2;

const distance = (a: { input: number; output: number }, b: { input: number; output: number }): number =>
	Math.log(a.input / b.input) ** 2 + Math.log(a.output / b.output) ** 2;

/** Whether two kinds of request are the same but for the scatter of clients' means. */
export const sameRequests = (
	a: { input: number; output: number },
	b: { input: number; output: number },
): boolean => distance(a, b) < SAME ** 2;

/** Puts measured loads of the same requests into series; loads measured at the same concurrency count as their mean. */
export function seriesOf(residuals: readonly LoadResidual[]): LoadSeries[] {
	const series: (LoadSeries & { loads: LoadResidual[] })[] = [];
	for (const load of residuals) {
		const known = series.find((one) => sameRequests(one, load));
		if (known) known.loads.push(load);
		else series.push({ input: load.input, output: load.output, residuals: [], loads: [load] });
	}
	return series
		.sort((a, b) => b.loads.length - a.loads.length)
		.slice(0, MOST_SERIES)
		.map(({ input, output, loads }) => ({ input, output, residuals: byConcurrency(loads) }));
}

function byConcurrency(loads: readonly LoadResidual[]): Residual[] {
	const at = new Map<number, number[]>();
	for (const { concurrency, log } of loads) at.set(concurrency, [...(at.get(concurrency) ?? []), log]);
	return [...at]
		.map(([concurrency, logs]) => ({ at: concurrency, log: logs.reduce((a, b) => a + b, 0) / logs.length }))
		.sort((a, b) => a.at - b.at);
}

/**
 * ln(measured / law) expected of a load: what requests of its kind showed, else what others did, the less the less alike
 * they are: Σ w·r / (Σ w + 1/ln²2) with w = 1 / squared log distance of the lengths.
 */
export function loadResidual(
	series: readonly LoadSeries[],
	load: { input: number; output: number; concurrency: number },
): number {
	let [weights, sum] = [1 / REACH, 0];
	for (const one of series) {
		const squared = distance(one, load);
		const residual = residualAt(one.residuals, load.concurrency);
		if (squared < SAME ** 2) return residual;
		weights += 1 / squared;
		sum += residual / squared;
	}
	return sum / weights;
}
