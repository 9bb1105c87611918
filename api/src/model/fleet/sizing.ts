import { rateAt } from "../time/load.ts";
import type { Demand, DemandFigures, FleetPolicy } from "./demand.ts";
import { type AtPercentile, type Replica, type ReplicaState, replicaState } from "./replica.ts";

/** How many replicas a demand takes, and what each of them then carries. */
export interface Sizing {
	/** Those that the load needs, without the spare ones. */
	working: number;
	replicas: number;
	/** Requests per second in the busiest hour. */
	peakRequestsPerSecond: number;
}

/** A whole number just below is the same whole number: 3.0000000001 replicas are 3. */
const wholeUp = (value: number): number => Math.max(1, Math.ceil(value - 1e-9));

/**
 * Replicas for a demand, each loaded to `state` at most.
 * rate: ⌈peak / rate of one⌉ + spare; users: ⌈users / (rate of one · (think + e2e))⌉ + spare, by Little's law
 */
export function sizingFor(
	{ load }: Demand,
	{ peakRequestsPerSecond }: DemandFigures,
	{ spareReplicas }: FleetPolicy,
	state: Pick<ReplicaState, "requestsPerSecond" | "e2eSeconds">,
): Sizing {
	const one = state.requestsPerSecond;
	const working =
		load.kind === "users"
			? wholeUp(load.users / (one * (load.thinkSeconds + state.e2eSeconds)))
			: wholeUp((peakRequestsPerSecond ?? 0) / one);
	const peak =
		load.kind === "users"
			? load.users / (load.thinkSeconds + state.e2eSeconds)
			: (peakRequestsPerSecond ?? 0);
	return { working, replicas: working + spareReplicas, peakRequestsPerSecond: peak };
}

const STEPS = 40;

/**
 * A replica that carries its share of a demand, found by halving: requests per second, or users by Little's law.
 * @returns null where the share is more than it can serve
 */
export function stateUnder(
	replica: Replica,
	limit: number,
	at: AtPercentile,
	{ load }: Demand,
	peakRequestsPerSecond: number,
	working: number,
): ReplicaState | null {
	const share = load.kind === "users" ? load.users / working : peakRequestsPerSecond / working;
	const think = load.kind === "users" ? load.thinkSeconds : 0;
	const taken = (running: number) => {
		if (load.kind === "rate") return rateAt(replica.engine, running);
		const state = replicaState(replica, running, limit, at);
		return state.requestsPerSecond * (think + state.e2eSeconds);
	};
	// Users wait for their answers and never send more than is served; a rate can be too much.
	if (load.kind === "rate" && share >= limit) return null;
	let [from, to] = [0, replica.engine.slots];
	for (let i = 0; i < STEPS; i++) {
		const middle = (from + to) / 2;
		if (taken(middle) < share) from = middle;
		else to = middle;
	}
	return replicaState(replica, from, limit, at);
}
