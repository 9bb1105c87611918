import { deviation, mean } from "./fields.ts";

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

/** What the repetitions of one point say together, in seconds. */
export interface Settled {
	/** Their mean; their median where a few of them were slow. */
	seconds: number;
	/** Sample standard deviation of those that were not slow; null: fewer than two, or all equal. */
	std: number | null;
	/** Which were slow and what was made of it; null: none. */
	note: string | null;
	/** Why this is no time of a steady machine; null: it is one. */
	doubt: string | null;
}

/** Share of slow repetitions up to which the others say what the time is. */
const FEW_SLOW = 0.25;

/**
 * The time of a point from its repetitions.
 * A repetition of more than 1.5 times the typical one of the faster half is another event (a cold cache, another process
 * on the machine), not noise: the faster half shows the machine undisturbed as long as half of them are. While at most
 * a quarter of them are such, and at least three are not, the point is sound: its time is the median of all, which those
 * few cannot move beyond the slowest third of the others, and its spread that of the others; the mean would mix two
 * events into a time that never was. With more slow ones, or fewer others, nothing tells which of the two times is the
 * machine's: the mean stands, with a doubt. A time that rises by a tenth from the first to the last of the others is a
 * machine that slows down, and doubted too: what it holds in the end was not reached.
 * @param seconds one per repetition, above 0
 * @returns null for an empty list
 */
export function settle(seconds: readonly number[]): Settled | null {
	const plain = mean(seconds);
	if (plain === null) return null;
	const slow = slowOnes(seconds);
	if (slow.length === 0) {
		return { seconds: plain, std: deviation(seconds) || null, note: null, doubt: slowsDown(seconds) };
	}
	const others = seconds.filter((_, index) => !slow.includes(index));
	const named = slowInWords(seconds, slow, others);
	if (slow.length > FEW_SLOW * seconds.length || others.length < FEW) {
		return { seconds: plain, std: deviation(seconds), note: null, doubt: named };
	}
	const middle = median(seconds);
	const note = `${named}: the time is the median of all, their mean is ${(plain / middle).toFixed(2)} times as long`;
	return { seconds: middle, std: deviation(others) || null, note, doubt: slowsDown(others) };
}

/** Indices of the repetitions that took more than 1.5 times the median of the faster half (Tukey's lower hinge). */
function slowOnes(seconds: readonly number[]): number[] {
	// The hinge is at least the fastest: most rows need no sorting.
	if (seconds.length < FEW || Math.max(...seconds) <= FAR * Math.min(...seconds)) return [];
	const fasterHalf = [...seconds].sort((a, b) => a - b).slice(0, Math.ceil(seconds.length / 2));
	const most = FAR * median(fasterHalf);
	return [...seconds.keys()].filter((index) => (seconds[index] ?? 0) > most);
}

function slowInWords(seconds: readonly number[], slow: readonly number[], others: readonly number[]): string {
	const times = (Math.max(...seconds) / median(others)).toFixed(1);
	const names = slow.map((index) => index + 1);
	return names.length === 1
		? `repetition ${names[0]} of ${seconds.length} was slow, ${times} times the others`
		: `repetitions ${names.slice(0, -1).join(", ")} and ${names.at(-1)} of ${seconds.length} were slow, up to ${times} times the others`;
}

/** Rise of the time over the repetitions from which on the mean is not what the machine holds. */
const THROTTLED = 0.1;

function slowsDown(seconds: readonly number[]): string | null {
	const [first, last] = [seconds[0] ?? 0, seconds.at(-1) ?? 0];
	// Most rows need no counting of pairs.
	if (seconds.length < 5 || last < (1 + THROTTLED) * first) return null;
	const trend = trendOf(seconds);
	if (trend === null || trend.direction !== "rising") return null;
	const rise = `${(100 * trend.change).toFixed(0)} %`;
	return `the time of a repetition rises by ${rise} from the first to the last: the machine slowed down`;
}
