import { percent } from "./figures.ts";
import type { NoiseFloor } from "./noise.ts";

/** A time as it enters a comparison, with what is known of its noise. */
export interface ComparedTime {
	seconds: number;
	/** "measured" at this very shape, or by the "fitted" law inside its range. */
	from: "measured" | "fitted";
	/** Measurements behind a measured time; 1 for a law. */
	n: number;
	/** rms leave-one-out error of the law; null for a measured time, or where it is not known. */
	loo: number | null;
	/** Noise of its configuration and phase; null: nothing was repeated. */
	noise: NoiseFloor | null;
}

export type Verdict = "faster" | "slower" | "not distinguishable" | "not decided";

/** The difference of two times, judged against what identical measurements differ by. */
export interface Difference {
	/** Seconds of the other over those of the first, minus 1: above 0 it takes more time. */
	relative: number;
	/** Relative difference that 95 of 100 pairs of identical measurements stay below; null: not known. */
	floor: number | null;
	/** Whether a part of the floor is assumed, because only repetitions inside a run are known. */
	floorAssumed: boolean;
	verdict: Verdict;
	words: string;
}

/**
 * Spread between identical commands that is assumed where none was repeated. Repetitions inside a run do not show it:
 * our own CPU bench, the identical command three times, has 2.8 % for prompts and 5.7 % for steps; 3 to 4 % are typical of
 * it where the spread inside was 0.5 %. Discrete GPUs of the shared files have 0.1 to 0.5 %.
 */
export const ASSUMED_SPREAD = 0.03;
/** 97.5 % point of the normal distribution. */
const Z975 = 1.96;

/**
 * Difference of two times.
 * floor = 1.96 · √(s₁² + s₂²), s² = noise² / n for a measured time, noise² + loo² for a law
 * @param names what to call the first and the other in words
 */
export function differenceOf(first: ComparedTime, other: ComparedTime, names: [string, string]): Difference {
	const relative = other.seconds / first.seconds - 1;
	const spreads = [first, other].map(spreadOf);
	const silent = names.filter((_, i) => spreads[i] === null);
	const [s1, s2] = spreads;
	if (s1 == null || s2 == null) return undecided(relative, silent);
	const floor = Z975 * Math.hypot(s1, s2);
	const assumed = names.filter((_, i) => [first, other][i]?.noise?.from === "repetitions");
	return judged(relative, floor, assumed);
}

/** Standard deviation of the logarithm of a time; null where nothing was repeated. */
function spreadOf({ from, n, loo, noise }: ComparedTime): number | null {
	if (noise === null) return null;
	const between = noise.from === "repeated runs" ? noise.relative : Math.max(noise.relative, ASSUMED_SPREAD);
	return from === "measured" ? between / Math.sqrt(Math.max(1, n)) : Math.hypot(between, loo ?? 0);
}

/** "12.5 % more time", "3.1 % less time". */
export const timeWords = (relative: number): string =>
	`${percent(Math.abs(relative))} ${relative < 0 ? "less" : "more"} time`;

/** Whether a difference is more than identical measurements may differ by. */
export function verdictOf(relative: number, floor: number | null): Verdict {
	if (floor === null) return "not decided";
	if (Math.abs(Math.log1p(relative)) <= floor) return "not distinguishable";
	return relative < 0 ? "faster" : "slower";
}

function judged(relative: number, floor: number, assumed: readonly string[]): Difference {
	const verdict = verdictOf(relative, floor);
	const why =
		assumed.length > 0
			? `; ${percent(ASSUMED_SPREAD)} between runs are assumed of ${listed(assumed)}: repeat a run to know`
			: "";
	const said = verdict === "not distinguishable" ? verdict : timeWords(relative);
	const words = `${said} (floor ${percent(floor)}${why})`;
	return { relative, floor, floorAssumed: assumed.length > 0, verdict, words };
}

function undecided(relative: number, silent: readonly string[]): Difference {
	return {
		...{ relative, floor: null, floorAssumed: false, verdict: "not decided" },
		words: `${timeWords(relative)}, but the noise of ${listed(silent)} is not known: run the same command again`,
	};
}

const listed = (names: readonly string[]) => names.join(" and ");
