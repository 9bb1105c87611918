import type { Conditions, Item } from "../record.ts";
import { statisticsOf } from "./sample-statistics.ts";
import { serveItems } from "./serve-items.ts";
import { emptyRun } from "./serve-run.ts";

/** One request as a recorder saw it, in seconds on one clock. */
export interface LoggedRequest {
	input: number;
	output: number;
	/** When it was sent, or queued by the server. */
	start: number;
	firstToken: number;
	end: number;
}

/** Whether the times of a request can be: sent, then the first token, then the last. */
export function isPossible({ input, output, start, firstToken, end }: LoggedRequest): boolean {
	return input > 0 && output > 0 && firstToken > start && end >= firstToken;
}

/**
 * The serve run of a list of requests: lengths, statistics and the mean number in flight, Σ e2e over the span
 * from the first start to the last end.
 */
export function* requestLogItems(
	at: string,
	requests: readonly LoggedRequest[],
	conditions: Conditions,
	details: Record<string, unknown> = {},
): Generator<Item> {
	if (requests.length === 0) return;
	const inputs = sumOf(requests, (request) => request.input);
	const outputs = sumOf(requests, (request) => request.output);
	const durationSeconds = spanOf(requests);
	const n = requests.length;
	yield* serveItems({
		...emptyRun(at, conditions),
		input: inputs / n,
		output: outputs / n,
		requested: n,
		completed: n,
		durationSeconds,
		oneByOne: !overlap(requests),
		ttft: statisticsOf(requests.map(({ start, firstToken }) => firstToken - start)),
		tpot: statisticsOf(requests.flatMap(tpotOf)),
		e2e: statisticsOf(requests.map(({ start, end }) => end - start)),
		outputTokensPerSecond: outputs / durationSeconds,
		requests: requests.map(({ input, start, firstToken }) => ({ input, ttftSeconds: firstToken - start })),
		details: { requests: n, ...details },
	});
}

function overlap(requests: readonly LoggedRequest[]): boolean {
	const inOrder = [...requests].sort((a, b) => a.start - b.start);
	return inOrder.some(({ start }, at) => start < (inOrder[at - 1]?.end ?? Number.NEGATIVE_INFINITY));
}

function tpotOf({ output, firstToken, end }: LoggedRequest): number[] {
	const seconds = end - firstToken;
	return output > 1 && seconds > 0 ? [seconds / (output - 1)] : [];
}

function spanOf(requests: readonly LoggedRequest[]): number {
	let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const { start, end } of requests) {
		from = Math.min(from, start);
		to = Math.max(to, end);
	}
	return to - from;
}

function sumOf(requests: readonly LoggedRequest[], value: (request: LoggedRequest) => number): number {
	return requests.reduce((sum, request) => sum + value(request), 0);
}
