import type { Arrivals } from "./arrivals.ts";
import { runEngine } from "./engine.ts";
import type { LoadOutcome } from "./outcome.ts";
import { type LoadQuestion, simulateLoad } from "./simulate.ts";
import { drawRequests, type Workload } from "./workload.ts";

/** An outcome at one of several loads. */
export interface SweepPoint {
	/** Requests per second offered, or users. */
	load: number;
	outcome: Omit<LoadOutcome, "timeline">;
}

/** How an engine takes more and more load. */
export interface Sweep {
	of: "rate" | "users";
	points: SweepPoint[];
	/** Most requests per second that are served, or fewest users whose doubling gains less than a tenth; null: neither found. */
	saturation: number | null;
	/** The point with the most requests per second within every limit. */
	best: { load: number; requestsPerSecond: number } | null;
}

/** Loads of an open loop, as shares of the most that can be served. */
const SHARES = [0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95, 1, 1.1, 1.25];
/** Users are doubled up to here, or to twice the places. */
const MOST_USERS = 1024;
/** Requests of one point: enough for a 99th percentile. */
const POINT_REQUESTS = 2000;
const USERS_REQUESTS = 12;

/**
 * Most requests per second that an engine serves: what it draws from a line that never empties, its ends left out.
 * @param question whose arrivals do not matter
 */
export function servingLimit({ setting, workload, seed }: LoadQuestion): number {
	const requests = Math.min(workload.requests, POINT_REQUESTS);
	const arrivals: Arrivals = { kind: "burst", requests, everySeconds: 0 };
	const run = runEngine(setting, drawRequests({ ...workload, arrivals, requests }, seed));
	const ends = run.endSeconds.filter((end) => !Number.isNaN(end)).sort();
	const [from, to] = [Math.floor(ends.length * 0.2), Math.floor(ends.length * 0.8)];
	const seconds = (ends[to] ?? 0) - (ends[from] ?? 0);
	return seconds > 0
		? (to - from) / seconds
		: ends.length / (ends[ends.length - 1] ?? Number.POSITIVE_INFINITY);
}

/**
 * Outcomes from an idle engine to an overloaded one: at shares of the rate that can be served, or at 1, 2, 4 … users.
 * @param told called after each point with the share that is done
 */
export function sweepLoads(question: LoadQuestion, told?: (share: number) => void): Sweep {
	const users = question.workload.arrivals.kind === "users";
	const limit = users ? null : servingLimit(question);
	const loads = limit === null ? userCounts(question) : limit > 0 ? SHARES.map((share) => share * limit) : [];
	const points: SweepPoint[] = [];
	for (const load of loads) {
		const workload = users ? withUsers(question.workload, load) : withRate(question.workload, load);
		const { timeline: _, ...outcome } = simulateLoad({ ...question, workload });
		points.push({ load, outcome });
		told?.(points.length / loads.length);
	}
	return {
		of: users ? "users" : "rate",
		points,
		saturation: limit === null ? worthwhileUsers(points) : limit || null,
		best: bestOf(points),
	};
}

function userCounts({ setting: { maxSequences } }: LoadQuestion): number[] {
	const most = Math.min(MOST_USERS, 2 * maxSequences);
	return Array.from({ length: Math.floor(Math.log2(most)) + 1 }, (_, i) => 2 ** i);
}

const withUsers = (workload: Workload, users: number): Workload => ({
	...workload,
	requests: Math.min(Math.max(POINT_REQUESTS, 2 * users), Math.max(60, USERS_REQUESTS * users)),
	arrivals: { ...(workload.arrivals.kind === "users" ? workload.arrivals : {}), kind: "users", users },
});

/** The same arrivals, closer together or farther apart. */
function withRate(workload: Workload, rate: number): Workload {
	const requests = Math.min(workload.requests, POINT_REQUESTS);
	const { arrivals } = workload;
	if (arrivals.kind === "burst")
		return { ...workload, requests, arrivals: { ...arrivals, everySeconds: arrivals.requests / rate } };
	if (arrivals.kind !== "trace")
		return { ...workload, requests, arrivals: { ...arrivals, kind: "rate", requestsPerSecond: rate } };
	const times = drawRequests({ ...workload, requests, arrivals: { kind: "trace" } }, 1).arrivalSeconds;
	const seconds = times?.[requests - 1] ?? 0;
	const own = seconds > 0 ? (requests - 1) / seconds : rate;
	return { ...workload, requests, arrivals: { kind: "trace", speed: rate / own } };
}

/** Gain in requests per second that twice the users must bring to be worth it. */
const WORTH_IT = 1.1;

function worthwhileUsers(points: readonly SweepPoint[]): number | null {
	const at = points.findIndex(({ outcome }, i) => {
		const next = points[i + 1];
		return next !== undefined && next.outcome.requestsPerSecond < WORTH_IT * outcome.requestsPerSecond;
	});
	return points[at]?.load ?? null;
}

function bestOf(points: readonly SweepPoint[]): Sweep["best"] {
	const best = points.reduce<SweepPoint | null>(
		(a, b) => (a && a.outcome.goodput.requestsPerSecond >= b.outcome.goodput.requestsPerSecond ? a : b),
		null,
	);
	if (!best || best.outcome.goodput.requestsPerSecond === 0) return null;
	return { load: best.load, requestsPerSecond: best.outcome.goodput.requestsPerSecond };
}
