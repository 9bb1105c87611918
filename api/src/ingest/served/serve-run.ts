import type { Conditions, Statistics } from "../record.ts";

/** What any serving benchmark says about one run, in seconds and tokens. null: the source does not say. */
export interface ServeRun {
	/** Place in the file, "result 2". */
	at: string;
	conditions: Conditions;
	startedAt: string | null;
	/** Mean prompt and output tokens of a request. */
	input: number | null;
	output: number | null;
	requested: number | null;
	completed: number | null;
	/** Whether the file was cut inside this run. */
	cut: boolean;
	/** Where it was cut, in words; null: it was not, or the place is not known. */
	fault: string | null;
	durationSeconds: number | null;
	/** Completed requests per second, where it is given instead of the two above. */
	requestsPerSecond: number | null;
	/** Offered requests per second; null: closed loop, all at once, or not said. */
	rate: number | null;
	/** Requests the client allows in flight. */
	limit: number | null;
	/** Whether the client keeps `limit` requests in flight all the time. */
	closedLoop: boolean;
	/** Whether all requests were sent at the start, without a limit. */
	atOnce: boolean;
	/** Whether the file shows that no two requests overlapped. */
	oneByOne: boolean;
	/** Requests in flight as the tool itself measured them, on average. */
	measuredInFlight: number | null;
	ttft: Statistics | null;
	tpot: Statistics | null;
	itl: Statistics | null;
	e2e: Statistics | null;
	outputTokensPerSecond: number | null;
	/** Share of the prompt tokens that came from a prefix cache, 0 … 1. */
	cachedShare: number | null;
	/** Prompt tokens and TTFT of each completed request, where the file lists them. */
	requests: { input: number; ttftSeconds: number }[];
	details: Record<string, unknown>;
	/** What the file holds and cannot be, in words: a note of the measurement, or why there is none. */
	leftOut: string[];
	notes: string[];
	suspicions: string[];
}

/** A run of which nothing is known but its place and conditions. Each call gives a new object. */
export function emptyRun(at: string, conditions: Conditions): ServeRun {
	return {
		at,
		conditions,
		startedAt: null,
		input: null,
		output: null,
		requested: null,
		completed: null,
		cut: false,
		fault: null,
		durationSeconds: null,
		requestsPerSecond: null,
		rate: null,
		limit: null,
		closedLoop: false,
		atOnce: false,
		oneByOne: false,
		measuredInFlight: null,
		ttft: null,
		tpot: null,
		itl: null,
		e2e: null,
		outputTokensPerSecond: null,
		cachedShare: null,
		requests: [],
		details: {},
		leftOut: [],
		notes: [],
		suspicions: [],
	};
}
