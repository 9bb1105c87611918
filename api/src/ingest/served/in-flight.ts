import type { ServeRun } from "./serve-run.ts";

/** Requests in flight, and whether that is a mean that was measured or the limit that the client kept. */
export interface InFlight {
	value: number;
	basis: "measured" | "limit";
}

/**
 * Mean number of requests in flight during a run.
 * N = X · W: completed requests per second times mean end-to-end seconds (Little's law); without either,
 * the client's limit.
 * @returns requests; null where neither is known
 */
export function inFlight(run: ServeRun): InFlight | null {
	if (run.measuredInFlight !== null) return { value: run.measuredInFlight, basis: "measured" };
	const perSecond = requestsPerSecond(run);
	const seconds = meanEndToEnd(run);
	if (perSecond !== null && seconds !== null) return { value: perSecond * seconds, basis: "measured" };
	return run.limit === null ? null : { value: run.limit, basis: "limit" };
}

/** Completed requests per second of the whole run; null where the file does not say. */
export function requestsPerSecond({
	completed,
	durationSeconds,
	requestsPerSecond,
}: ServeRun): number | null {
	if (completed === null || durationSeconds === null) return requestsPerSecond;
	return completed / durationSeconds;
}

/** Mean seconds from sending a request to its last token: given, or TTFT + TPOT · (output − 1). */
export function meanEndToEnd({ e2e, ttft, tpot, output }: ServeRun): number | null {
	if (e2e?.mean != null) return e2e.mean;
	if (ttft?.mean == null || output === null) return null;
	if (output <= 1) return ttft.mean;
	return tpot?.mean == null ? null : ttft.mean + tpot.mean * (output - 1);
}

/**
 * Whether a request had the server to itself: the file shows that no two overlapped, the client allows one in
 * flight or sent only one, a closed loop measured a mean up to 1.05, or an open loop is so thin (mean up to
 * 0.1) that requests hardly ever meet.
 */
export function servesOneByOne(run: ServeRun, load: InFlight | null): boolean {
	const { limit, requested, closedLoop, oneByOne } = run;
	if (oneByOne || limit === 1 || requested === 1) return (load?.value ?? 1) <= 1.05;
	if (load === null || load.basis === "limit") return false;
	return load.value <= (closedLoop ? 1.05 : 0.1);
}
