/**
 * Measured points as the fits read them: one per distinct shape, summarised over every measurement of it.
 * All `seconds` are means on the log scale (geometric means over runs), in seconds.
 */
interface PointBase {
	/** Number of measurements (runs) behind this point. */
	n: number;
	/** Relative standard deviation (log scale) between measurements of the point; null with fewer than two. */
	betweenRuns: number | null;
	/** Relative standard deviation between repetitions inside a run, pooled; null where no run had repetitions. */
	withinRun: number | null;
	/** Ids of the measurements behind the point (at most 200 are listed; `n` counts all). */
	measurementIds: string[];
}

/** `batch` sequences of `tokens` new tokens each over `cached` tokens each, for the whole batch. */
export interface PrefillPoint extends PointBase {
	phase: "prefill";
	tokens: number;
	cached: number;
	batch: number;
	seconds: number;
}

/** One decode step of `batch` sequences at mean context `context` tokens per sequence. */
export interface DecodePoint extends PointBase {
	phase: "decode";
	batch: number;
	context: number;
	seconds: number;
}

/** What a client saw at a concurrency or a rate. Times in seconds, null where the source does not say. */
export interface ServePoint extends PointBase {
	phase: "serve";
	input: number;
	output: number;
	/** Requests in flight: the measured mean where it could be computed, else the client's limit. */
	concurrency: number | null;
	/** Offered requests per second; null for closed loop or unlimited. */
	rate: number | null;
	ttftSeconds: number | null;
	ttftP50Seconds: number | null;
	ttftP99Seconds: number | null;
	tpotSeconds: number | null;
	tpotP50Seconds: number | null;
	tpotP99Seconds: number | null;
	outputTokensPerSecond: number | null;
}

export type Point = PrefillPoint | DecodePoint | ServePoint;

/** The length or load at which a configuration stopped, e.g. "out of memory". Never averaged in. */
export interface FailurePoint {
	phase: "prefill" | "decode" | "serve";
	tokens: number | null;
	batch: number | null;
	reason: string;
	measurementId: string;
}
