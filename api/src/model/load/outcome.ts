import { goodput } from "../time/goodput.ts";
import type { Run } from "./run.ts";
import type { Timeline } from "./timeline.ts";

/** Statistics of one time over all requests that ended, in seconds; null where no request has it. */
export interface LoadStatistics {
	mean: number;
	p50: number;
	p90: number;
	p95: number;
	p99: number;
	max: number;
}

/** Longest times of a request that is good, in seconds; what is left out is not limited. */
export interface LoadLimits {
	ttftSeconds?: number | undefined;
	tpotSeconds?: number | undefined;
}

/** What a load does to an engine. */
export interface LoadOutcome {
	requests: { asked: number; completed: number; rejected: number };
	/** From the first arrival to the last token. */
	durationSeconds: number;
	ttft: LoadStatistics | null;
	/** Over requests of two output tokens and more. */
	tpot: LoadStatistics | null;
	e2e: LoadStatistics | null;
	/** From arrival to admission. */
	queue: LoadStatistics | null;
	requestsPerSecond: number;
	outputTokensPerSecond: number;
	promptTokensPerSecond: number;
	/** Requests within every limit at once: share of all asked, and per second. */
	goodput: { share: number; requestsPerSecond: number };
	/** Whether requests came faster than they were served: the line was still growing when the last one came. */
	saturated: boolean;
	/** Share of the duration in which the engine worked. */
	busyShare: number;
	/** Means are over the duration. */
	running: { mean: number; peak: number };
	waiting: { mean: number; peak: number };
	kvTokens: { mean: number; peak: number };
	preemptions: number;
	iterations: number;
	timeline: Timeline;
}

/** Percentiles, by type 7 of Hyndman & Fan, of the values that are numbers. */
export function loadStatistics(values: Float64Array): LoadStatistics | null {
	const known = values.filter((value) => !Number.isNaN(value)).sort();
	const last = known.length - 1;
	if (last < 0) return null;
	const at = (share: number) => {
		const place = share * last;
		const below = known[Math.floor(place)] ?? 0;
		return below + ((known[Math.ceil(place)] ?? 0) - below) * (place - Math.floor(place));
	};
	const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
	return { mean, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: known[last] ?? 0 };
}

/** Seconds of each request; NaN where it has none. */
export interface RequestSeconds {
	ttft: Float64Array;
	tpot: Float64Array;
	e2e: Float64Array;
	queue: Float64Array;
}

/** TTFT = first token − arrival, TPOT = (last − first token)/(output − 1), e2e = last token − arrival. */
export function requestSeconds({ requests, ...run }: Run): RequestSeconds {
	const from = (end: Float64Array) => end.map((seconds, i) => seconds - (run.arrivalSeconds[i] ?? 0));
	const tpot = run.endSeconds.map((seconds, i) => {
		const steps = (requests.outputTokens[i] ?? 0) - 1;
		return steps > 0 ? (seconds - (run.firstTokenSeconds[i] ?? 0)) / steps : Number.NaN;
	});
	return {
		ttft: from(run.firstTokenSeconds),
		tpot,
		e2e: from(run.endSeconds),
		queue: from(run.startSeconds),
	};
}

/** Summarises a run. */
export function outcomeOf(run: Run, limits: LoadLimits = {}): LoadOutcome {
	const seconds = requestSeconds(run);
	const completed = run.endSeconds.reduce((count, end) => (Number.isNaN(end) ? count : count + 1), 0);
	const durationSeconds = duration(run);
	const per = (amount: number) => (durationSeconds > 0 ? amount / durationSeconds : 0);
	const queued = total(seconds.queue);
	return {
		requests: { asked: run.requests.count, completed, rejected: run.rejected },
		durationSeconds,
		ttft: loadStatistics(seconds.ttft),
		tpot: loadStatistics(seconds.tpot),
		e2e: loadStatistics(seconds.e2e),
		queue: loadStatistics(seconds.queue),
		requestsPerSecond: per(completed),
		outputTokensPerSecond: per(tokensOf(run, run.requests.outputTokens)),
		promptTokensPerSecond: per(tokensOf(run, run.requests.promptTokens)),
		goodput: goodputOf(seconds, limits, run.requests.count, durationSeconds),
		saturated: isSaturated(run),
		busyShare: per(run.busySeconds),
		running: { mean: per(run.runningSeconds), peak: run.peakRunning },
		waiting: { mean: per(queued), peak: run.peakWaiting },
		kvTokens: { mean: per(run.kvTokenSeconds), peak: run.peakKvTokens },
		preemptions: run.preemptions,
		iterations: run.iterations,
		timeline: run.timeline,
	};
}

const total = (values: Float64Array) => values.reduce((sum, v) => (Number.isNaN(v) ? sum : sum + v), 0);

function duration({ arrivalSeconds, endSeconds }: Run): number {
	const known = (values: Float64Array) => values.filter((value) => !Number.isNaN(value));
	const first = known(arrivalSeconds).reduce((least, v) => Math.min(least, v), Number.POSITIVE_INFINITY);
	const ends = known(endSeconds);
	return ends.length > 0 ? ends.reduce((most, v) => Math.max(most, v)) - first : 0;
}

/** Tokens of the requests that ended. */
const tokensOf = ({ endSeconds }: Run, tokens: Int32Array) =>
	tokens.reduce((sum, count, i) => (Number.isNaN(endSeconds[i]) ? sum : sum + count), 0);

function goodputOf(seconds: RequestSeconds, limits: LoadLimits, asked: number, durationSeconds: number) {
	if (!(durationSeconds > 0)) return { share: 0, requestsPerSecond: 0 };
	const ended = Array.from(seconds.ttft, (ttftSeconds, i) => ({
		ttftSeconds,
		tpotSeconds: Number.isNaN(seconds.tpot[i]) ? null : (seconds.tpot[i] ?? null),
		e2eSeconds: null,
	})).filter((request) => !Number.isNaN(request.ttftSeconds));
	const { ttftSeconds = Number.POSITIVE_INFINITY, tpotSeconds = Number.POSITIVE_INFINITY } = limits;
	const { good, requestsPerSecond } = goodput(ended, { ttftSeconds, tpotSeconds }, durationSeconds);
	return { share: good / asked, requestsPerSecond };
}

/** Deviations of a random queue, and share of the requests, that the line must exceed at the end to be called growing. */
const GROWING = { deviations: 3, share: 0.02 };

/** A line that grows holds (1 − served/offered) of all requests when the last one comes; chance alone holds about √n. */
function isSaturated({ requests, startSeconds }: Run): boolean {
	const { count, arrivalSeconds } = requests;
	const last = arrivalSeconds?.[count - 1] ?? 0;
	if (last === 0) return false;
	const waiting = startSeconds.reduce((sum, start) => (start > last ? sum + 1 : sum), 0);
	return waiting > Math.max(GROWING.share * count, GROWING.deviations * Math.sqrt(count));
}
