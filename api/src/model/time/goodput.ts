/** Longest times that a request may take and still be good, in seconds; what is left out is not limited. */
export interface LatencyLimits {
	ttftSeconds?: number;
	tpotSeconds?: number;
	e2eSeconds?: number;
}

/** Times of one request, in seconds; null: it has none (one output token has no TPOT). */
export interface RequestTimes {
	ttftSeconds: number;
	tpotSeconds: number | null;
	e2eSeconds: number | null;
}

/**
 * Requests per second that meet every limit at once; a limit that is just reached is met.
 * good / duration
 * @param durationSeconds length of the run, above 0
 * @returns how many requests were good, and requests/s
 * @throws RangeError where the duration is not above 0
 * @source vLLM bench serve --goodput: every limit holds for a request, or it does not count
 */
export function goodput(
	requests: readonly RequestTimes[],
	limits: LatencyLimits,
	durationSeconds: number,
): { good: number; requestsPerSecond: number } {
	if (!(durationSeconds > 0))
		throw new RangeError(`durationSeconds is ${durationSeconds}; it must be above 0`);
	const good = requests.filter((request) => isGood(request, limits)).length;
	return { good, requestsPerSecond: good / durationSeconds };
}

function isGood({ ttftSeconds, tpotSeconds, e2eSeconds }: RequestTimes, limits: LatencyLimits): boolean {
	return (
		ttftSeconds <= (limits.ttftSeconds ?? Number.POSITIVE_INFINITY) &&
		(tpotSeconds ?? 0) <= (limits.tpotSeconds ?? Number.POSITIVE_INFINITY) &&
		(e2eSeconds ?? 0) <= (limits.e2eSeconds ?? Number.POSITIVE_INFINITY)
	);
}
