import { mean } from "../fields.ts";

/** A repetition this many times as long as the typical one is another event, not noise. */
const FAR = 1.5;
/** Fewer values than this say little about the steady state. */
const FEW = 3;
/** Consistency factor of the median absolute deviation for a normal distribution. */
const MAD_SCALE = 1.4826;
/** Robust z beyond which a value stands apart (Iglewicz and Hoaglin use 3.5). */
const OUTLYING = 3.5;

/** Middle value; the mean of the two middle ones of an even count. NaN for an empty list. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const half = sorted.length / 2;
	const [below, above] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
	return below === undefined || above === undefined ? Number.NaN : (below + above) / 2;
}

/**
 * Values that stand apart from the rest: |x − median| / (1.4826 · MAD) > 3.5, which one wild value cannot hide.
 * @returns each with its robust z, in the order of the list; none where all values are equal
 */
export function outliers(values: readonly number[]): { value: number; robustZ: number }[] {
	const middle = median(values);
	const spread = MAD_SCALE * median(values.map((value) => Math.abs(value - middle)));
	if (!(spread > 0)) return [];
	return values
		.map((value) => ({ value, robustZ: Math.abs(value - middle) / spread }))
		.filter(({ robustZ }) => robustZ > OUTLYING);
}

/** Repetitions without a cold start: the first, where it took more than 1.5 times the median of the others. */
export function warmPart(seconds: readonly number[]): {
	warm: number[];
	mean: number | null;
	warning: string | null;
} {
	const [first, ...others] = seconds;
	const cold = first !== undefined && others.length > 0 && first > FAR * median(others);
	const warm = cold ? others : [...seconds];
	return { warm, mean: mean(warm), warning: warm.length < FEW ? "too few samples" : null };
}

export interface Trend {
	/** Value of the first repetition. */
	cold: number;
	/** Median of the last third (at least four values): what the machine holds. */
	steady: number;
	/** Last over first, minus 1. */
	change: number;
	direction: "declining" | "rising" | "level";
}

/** Change that counts as a trend, where nearly every value also goes that way. */
const LEAST_CHANGE = 0.02;
const LEAST_AGREEMENT = 0.8;

/** How values drift over their repetitions, e.g. as a machine heats up; null with fewer than five. */
export function trendOf(values: readonly number[]): Trend | null {
	const [cold] = values;
	const last = values.at(-1);
	if (cold === undefined || last === undefined || values.length < 5) return null;
	const change = last / cold - 1;
	const steady = median(values.slice(-Math.max(4, Math.round(values.length / 3))));
	const agreement = shareOfPairs(values, Math.sign(change));
	const drifts = Math.abs(change) >= LEAST_CHANGE && agreement >= LEAST_AGREEMENT;
	return { cold, steady, change, direction: !drifts ? "level" : change < 0 ? "declining" : "rising" };
}

/** Share of all pairs, earlier and later, that differ in the given direction (as Mann and Kendall count). */
function shareOfPairs(values: readonly number[], sign: number): number {
	let agreeing = 0;
	let pairs = 0;
	for (const [at, earlier] of values.entries()) {
		for (const later of values.slice(at + 1)) {
			pairs++;
			if (Math.sign(later - earlier) === sign) agreeing++;
		}
	}
	return agreeing / pairs;
}

/** The repetition that took more than 1.5 times the median, in words; null where all are alike. */
export function unevenRepetition(seconds: readonly number[]): string | null {
	if (seconds.length < FEW) return null;
	const slowest = Math.max(...seconds);
	// The median is at least the fastest: most rows need no sorting.
	if (slowest <= FAR * Math.min(...seconds)) return null;
	const typical = median(seconds);
	if (slowest <= FAR * typical) return null;
	const which = seconds.indexOf(slowest) + 1;
	return `repetition ${which} of ${seconds.length} took ${(slowest / typical).toFixed(1)} times the median`;
}

/** Rise of the time over the repetitions from which on the mean is not what the machine holds. */
const THROTTLED = 0.1;

/** Why the mean of the repetitions stands for no steady state: one stands apart, or they slow down; null where it does. */
export function repetitionDoubt(seconds: readonly number[]): string | null {
	const uneven = unevenRepetition(seconds);
	if (uneven !== null || seconds.length < 5) return uneven;
	const [first, last] = [seconds[0] ?? 0, seconds.at(-1) ?? 0];
	// Most rows need no counting of pairs.
	if (last < (1 + THROTTLED) * first) return null;
	const trend = trendOf(seconds);
	if (trend === null || trend.direction !== "rising") return null;
	const rise = `${(100 * trend.change).toFixed(0)} %`;
	return `the time of a repetition rises by ${rise} from the first to the last: the machine slowed down`;
}
