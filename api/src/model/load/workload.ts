import { check } from "../time/prediction.ts";
import { type Arrivals, arrivalTimes, checkArrivals, thinkTimes } from "./arrivals.ts";
import { checkLengths, type Lengths, lengthDrawer, meanLength } from "./lengths.ts";
import { Random } from "./random.ts";
import type { Trace } from "./trace.ts";

/** What is asked of an engine: when requests come and how long they are. */
export interface Workload {
	arrivals: Arrivals;
	/** Requests to simulate. */
	requests: number;
	prompt: Lengths;
	output: Lengths;
	/** Share of each prompt that a prefix cache holds already, 0…1; trace: as the trace says. Default 0. */
	cachedShare?: number | "trace";
	/** Read by every part of kind trace. */
	trace?: Trace;
}

/** The requests of a workload, drawn: an entry each. */
export interface Requests {
	count: number;
	promptTokens: Int32Array;
	/** Leading prompt tokens found in the prefix cache; less than the prompt. */
	cachedTokens: Int32Array;
	outputTokens: Int32Array;
	/** Seconds, not falling; null where users send them. */
	arrivalSeconds: Float64Array | null;
	/** Where users send them: how many there are, and how long each pauses before request `i`. */
	users: number;
	thinkSeconds: Float64Array | null;
}

/** Streams of random numbers, one for each use. */
const STREAMS = { arrivals: 1, prompts: 2, outputs: 3, thinking: 4 };

/**
 * Draws the requests of a workload; the same for the same seed.
 * @throws RangeError that names what is out of bounds, or what a trace is missing for
 */
export function drawRequests(workload: Workload, seed: number): Requests {
	checkWorkload(workload);
	const { arrivals, trace = null } = workload;
	const count = Math.floor(workload.requests);
	const rows = trace?.arrivalSeconds.length ?? 1;
	const traced = (of: ArrayLike<number> | undefined) => (i: number) => of?.[i % rows] ?? 0;
	const prompt = lengthDrawer(
		workload.prompt,
		new Random(seed, STREAMS.prompts),
		traced(trace?.promptTokens),
	);
	const output = lengthDrawer(
		workload.output,
		new Random(seed, STREAMS.outputs),
		traced(trace?.outputTokens),
	);
	const promptTokens = Int32Array.from({ length: count }, (_, i) => prompt(i));
	const outputTokens = Int32Array.from({ length: count }, (_, i) => output(i));
	return {
		count,
		promptTokens,
		outputTokens,
		cachedTokens: cachedTokens(workload, promptTokens),
		arrivalSeconds: arrivalTimes(arrivals, count, new Random(seed, STREAMS.arrivals), trace),
		users: arrivals.kind === "users" ? Math.floor(arrivals.users) : 0,
		thinkSeconds: thinkTimes(arrivals, count, new Random(seed, STREAMS.thinking)),
	};
}

/** Mean tokens of prompt and output of a request. */
export function meanTokens({ prompt, output, trace }: Workload): { prompt: number; output: number } {
	return {
		prompt: meanLength(prompt, trace?.promptTokens ?? []),
		output: meanLength(output, trace?.outputTokens ?? []),
	};
}

/**
 * Whether the requests stay in step: users who start together, never pause and ask for equal lengths come back together.
 * Each wave then waits for all its prompts, which no crowd of people does.
 */
export function staysInStep({ arrivals, prompt, output }: Workload): boolean {
	if (arrivals.kind !== "users" || arrivals.users < 2 || (arrivals.thinkSeconds ?? 0) > 0) return false;
	return prompt.kind === "fixed" && output.kind === "fixed";
}

/** At least the last token of a prompt is always computed: it gives the first token of the answer. */
function cachedTokens({ cachedShare = 0, trace }: Workload, promptTokens: Int32Array): Int32Array {
	const rows = trace?.arrivalSeconds.length ?? 1;
	return promptTokens.map((tokens, i) => {
		const cached = cachedShare === "trace" ? (trace?.cachedTokens?.[i % rows] ?? 0) : cachedShare * tokens;
		return Math.max(0, Math.min(tokens - 1, Math.round(cached)));
	});
}

function checkWorkload({ arrivals, requests, prompt, output, cachedShare = 0, trace }: Workload): void {
	checkArrivals(arrivals);
	check("requests", requests, 1);
	checkLengths("prompt", prompt);
	checkLengths("output", output);
	if (cachedShare !== "trace") check("cachedShare", cachedShare, 0);
	if (cachedShare !== "trace" && cachedShare > 1)
		throw new RangeError(`cachedShare must be at most 1, not ${cachedShare}`);
	const reads = [arrivals.kind, prompt.kind, output.kind, cachedShare].includes("trace");
	if (reads && !(trace && trace.arrivalSeconds.length > 0))
		throw new RangeError("trace must hold at least one request, it is read for arrivals, lengths or cache");
}
