import { check } from "../time/prediction.ts";
import type { Random } from "./random.ts";
import { periodSeconds, type Trace } from "./trace.ts";

/**
 * When requests come.
 * rate: at random, gaps gamma distributed with shape `burstiness` (1, the default: Poisson; below: in clumps).
 * burst: `requests` at once every `everySeconds`.
 * users: each sends the next request `thinkSeconds` (exponential mean; 0, the default: at once) after the last one ended.
 * trace: as recorded, `speed` times as fast, end to end until there are enough.
 */
export type Arrivals =
	| { kind: "rate"; requestsPerSecond: number; burstiness?: number }
	| { kind: "burst"; requests: number; everySeconds: number }
	| { kind: "users"; users: number; thinkSeconds?: number }
	| { kind: "trace"; speed?: number };

/** @throws RangeError that names what is out of bounds */
export function checkArrivals(arrivals: Arrivals): void {
	if (arrivals.kind === "rate") {
		check("requestsPerSecond", arrivals.requestsPerSecond, 0, true);
		check("burstiness", arrivals.burstiness ?? 1, 0, true);
	} else if (arrivals.kind === "burst") {
		check("requests of a burst", arrivals.requests, 1);
		check("everySeconds", arrivals.everySeconds, 0);
	} else if (arrivals.kind === "users") {
		check("users", arrivals.users, 1);
		check("thinkSeconds", arrivals.thinkSeconds ?? 0, 0);
	} else check("speed", arrivals.speed ?? 1, 0, true);
}

/** Seconds of each arrival from the first one on; null where users send them, whose times only the engine tells. */
export function arrivalTimes(
	arrivals: Arrivals,
	count: number,
	random: Random,
	trace: Trace | null,
): Float64Array | null {
	if (arrivals.kind === "users") return null;
	const times = new Float64Array(count);
	if (arrivals.kind === "burst") {
		for (let i = 0; i < count; i++)
			times[i] = Math.floor(i / Math.floor(arrivals.requests)) * arrivals.everySeconds;
		return times;
	}
	if (arrivals.kind === "rate") {
		const { requestsPerSecond, burstiness = 1 } = arrivals;
		for (let i = 1; i < count; i++)
			times[i] = (times[i - 1] ?? 0) + random.gamma(burstiness) / requestsPerSecond;
		return times;
	}
	if (trace) tracedTimes(times, trace, arrivals.speed ?? 1);
	return times;
}

function tracedTimes(times: Float64Array, trace: Trace, speed: number): void {
	const { arrivalSeconds } = trace;
	const rows = arrivalSeconds.length;
	const period = periodSeconds(trace);
	for (let i = 0; i < times.length; i++)
		times[i] = ((arrivalSeconds[i % rows] ?? 0) + Math.floor(i / rows) * period) / speed;
}

/** Seconds that a user waits before request `i`; null without users. */
export function thinkTimes(arrivals: Arrivals, count: number, random: Random): Float64Array | null {
	if (arrivals.kind !== "users") return null;
	const mean = arrivals.thinkSeconds ?? 0;
	return Float64Array.from({ length: count }, () => (mean > 0 ? mean * random.exponential() : 0));
}
