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

/** Lengths of a request, tokens. */
interface Lengths {
	input: number;
	output: number;
}

/** Lengths that differ by less than this factor are one kind of request: clients' means scatter. */
const SAME = 1.02;
/** Kinds of request that a fit keeps: those with the most loads. */
const MOST_SERIES = 64;
/** Squared log distance of lengths at which a kind of request tells half: a factor of two. */
const REACH = Math.log(2) ** 2;

const near = (a: number, b: number): boolean => a < b * SAME && b < a * SAME;

/** Whether two kinds of request are the same but for the scatter of clients' means. */
export const sameRequests = (a: Lengths, b: Lengths): boolean =>
	near(a.input, b.input) && near(a.output, b.output);

/** Puts loads of the same requests together, each kind named by its first. */
export function kindsOf<T>(loads: readonly T[], lengthsOf: (load: T) => Lengths): T[][] {
	const kinds: { lengths: Lengths; loads: T[] }[] = [];
	for (const load of loads) {
		const lengths = lengthsOf(load);
		const known = kinds.find((kind) => sameRequests(kind.lengths, lengths));
		if (known) known.loads.push(load);
		else kinds.push({ lengths, loads: [load] });
	}
	return kinds.map((kind) => kind.loads);
}

/** Puts measured loads of the same requests into series; loads measured at the same concurrency count as their mean. */
export const seriesOf = (residuals: readonly LoadResidual[]): LoadSeries[] =>
	kindsOf(residuals, (load) => load)
		.sort((a, b) => b.length - a.length)
		.slice(0, MOST_SERIES)
		.flatMap((loads) => {
			const [first] = loads;
			return first ? [{ input: first.input, output: first.output, residuals: byConcurrency(loads) }] : [];
		});

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
	const own = series.find((one) => sameRequests(one, load));
	if (own) return residualAt(own.residuals, load.concurrency);
	let [weights, sum] = [1 / REACH, 0];
	for (const one of series) {
		const weight = 1 / (Math.log(one.input / load.input) ** 2 + Math.log(one.output / load.output) ** 2);
		weights += weight;
		sum += weight * residualAt(one.residuals, load.concurrency);
	}
	return sum / weights;
}
