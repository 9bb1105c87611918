import { studentT975 } from "./student.ts";

/**
 * Quantile of a sample, linear between the order statistics (type 7 of Hyndman & Fan 1996, as numpy and R have it).
 * @param share 0…1
 * @returns NaN for an empty sample
 */
export function quantile(sample: readonly number[], share: number): number {
	if (!(share >= 0 && share <= 1)) throw new RangeError(`share must lie in 0…1, not ${share}`);
	const sorted = [...sample].sort((a, b) => a - b);
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)] ?? Number.NaN;
	const above = sorted[Math.ceil(place)] ?? Number.NaN;
	return below + (above - below) * (place - Math.floor(place));
}

/** Factor by which a value lies beyond a range, on either side; 1 inside. Values below 1 count as 1. */
export function beyond(value: number, [from, to]: readonly [number, number]): number {
	const least = Math.max(1, value);
	return Math.max(1, least / Math.max(1, to), from / least);
}

/** How the interval widens per octave outside the measured range. */
const PER_OCTAVE = 1.6;
const widening = (factor: number) => 1 + PER_OCTAVE * Math.log2(factor);

/** Leaving one out further than this beyond the others tests an extrapolation that nobody asks for. */
const FAR = 5;

/** An error on log seconds of a point predicted from the others, which it lay beyond by `factor`. */
export interface Miss {
	log: number;
	factor: number;
}

/**
 * Root mean square of leave-one-out errors on log seconds. An error made far outside the other points is scaled back to
 * what the interval's own widening would make of it at a factor of five.
 * @returns null with fewer than three errors, nothing being left then to test them with, or where one is not finite
 */
export function looError(misses: readonly Miss[]): number | null {
	if (misses.length < 3) return null;
	const squares = misses.map(({ log, factor }) => (log * Math.min(1, widening(FAR) / widening(factor))) ** 2);
	const rms = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
	return Number.isFinite(rms) ? rms : null;
}

/** Relative error that is assumed even where leave-one-out finds none: clocks, warm-up, other processes. */
const LEAST_ERROR = 0.005;
/** Assumed instead of a leave-one-out error where there are too few points for one. */
const UNTESTED_ERROR = 0.03;
/** Error assumed of a direction in which only one value was measured. */
export const UNSEEN_ERROR = 0.05;
/** Fewer points than four are judged like four: public series tell how far such curves err. */
const LEAST_DEGREES = 3;

/** Quantile of Student's t that an interval of `n` points is made with. */
export const intervalQuantile = (n: number): number => studentT975(Math.max(LEAST_DEGREES, n - 1));

/** A factor of a hundred says that nothing is known; a wider interval would say no more. */
const WIDEST = Math.log(100);

/**
 * Half-width of the 95 % interval on log seconds.
 * t(.975, n−1) · √(1 + 1/n) · √(loo² + 0.5 %²) · (1 + 1.6·octaves)
 * @param factor beyond the measured range, ≥ 1
 * @source DESIGN 2.7; 1.6, 0.5 % and the factor of five hold the coverage of the accuracy table
 */
export function halfWidth({ n, loo }: { n: number; loo: number | null }, factor: number): number {
	const error = Math.hypot(loo ?? UNTESTED_ERROR, LEAST_ERROR);
	const half = intervalQuantile(n) * Math.sqrt(1 + 1 / Math.max(1, n)) * error * widening(factor);
	return Math.min(half, WIDEST);
}
