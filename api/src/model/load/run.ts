import type { Timeline } from "./timeline.ts";
import type { Requests } from "./workload.ts";

/** What became of each request (seconds from the start; NaN: never), and of the engine. */
export interface Run {
	requests: Requests;
	arrivalSeconds: Float64Array;
	/** First admitted. */
	startSeconds: Float64Array;
	firstTokenSeconds: Float64Array;
	endSeconds: Float64Array;
	/** Requests longer than the whole cache. */
	rejected: number;
	/** Times that a sequence was thrown out and computed again. */
	preemptions: number;
	iterations: number;
	/** Seconds in which the engine worked, and ∫ over them of the sequences running and of cached tokens. */
	busySeconds: number;
	runningSeconds: number;
	kvTokenSeconds: number;
	peakRunning: number;
	peakWaiting: number;
	peakKvTokens: number;
	timeline: Timeline;
}

const never = (count: number) => new Float64Array(count).fill(Number.NaN);

/** A run before its first iteration. */
export function emptyRun(requests: Requests): Run {
	const { count } = requests;
	return {
		requests,
		arrivalSeconds: never(count),
		startSeconds: never(count),
		firstTokenSeconds: never(count),
		endSeconds: never(count),
		rejected: 0,
		preemptions: 0,
		iterations: 0,
		busySeconds: 0,
		runningSeconds: 0,
		kvTokenSeconds: 0,
		peakRunning: 0,
		peakWaiting: 0,
		peakKvTokens: 0,
		timeline: { seconds: [], running: [], waiting: [], kvTokens: [] },
	};
}
