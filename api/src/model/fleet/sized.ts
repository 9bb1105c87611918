import { throughput } from "../time/load.ts";
import type { DemandFigures } from "./demand.ts";
import { replicaOf } from "./group.ts";
import { atPercentile, largestLoad, type Replica, type ReplicaState, replicaState } from "./replica.ts";
import { type Sizing, sizingFor, stateUnder } from "./sizing.ts";
import { type FleetQuestion, replicaLimits, type SweptCandidate } from "./sweep.ts";

/** A fleet worked out with the engine's own law, at the middle and at both bounds of its times. */
export interface SizedOption {
	candidate: SweptCandidate;
	replica: Replica;
	limit: number;
	largest: ReplicaState;
	sizing: Sizing;
	/** A working replica in the busiest hour. */
	state: ReplicaState;
}

/**
 * Sizes a candidate by its own laws, not by the table of the sweep.
 * @param more working replicas for one that the limits need: above 1 for a fleet that is faster than it must be
 * @returns null where the exact law does not hold the limits that the table held
 */
export function sized(
	candidate: SweptCandidate,
	question: FleetQuestion,
	figures: DemandFigures,
	end: "middle" | "low" | "high" = "middle",
	more = 1,
): SizedOption | null {
	const replica = replicaOf(candidate.kind, candidate.maxSequences, end);
	const at = atPercentile(question.limits.percentile);
	const found = largestLoad(replica, replicaLimits(question));
	if (!found.feasible) return null;
	const largest = replicaState(replica, found.running, found.limit, at);
	const needed = sizingFor(question.demand, figures, question.policy, largest);
	const one = {
		candidate: { ...candidate, binding: found.binding },
		replica,
		limit: found.limit,
		largest,
		sizing: needed,
		state: largest,
	};
	return resized(one, question, Math.ceil(needed.working * more));
}

/** The same kind of replica, so many of them working; null where they are too few. */
export function resized(one: SizedOption, question: FleetQuestion, working: number): SizedOption | null {
	const at = atPercentile(question.limits.percentile);
	const { demand, policy } = question;
	const state = stateUnder(one.replica, one.limit, at, demand, one.sizing.peakRequestsPerSecond, working);
	if (!state) return null;
	const peakRequestsPerSecond =
		demand.load.kind === "users" ? state.requestsPerSecond * working : one.sizing.peakRequestsPerSecond;
	return {
		...one,
		state,
		sizing: { working, replicas: working + policy.spareReplicas, peakRequestsPerSecond },
	};
}

/** The same working replicas with the times at a bound; null where they are then too few. */
export function stateAtBound(
	one: SizedOption,
	question: FleetQuestion,
	end: "low" | "high",
): ReplicaState | null {
	const { kind, maxSequences } = one.candidate;
	const replica = replicaOf(kind, maxSequences, end);
	const limit = throughput(replica.engine, replica.engine.slots);
	const { working, peakRequestsPerSecond } = one.sizing;
	return stateUnder(
		replica,
		limit,
		atPercentile(question.limits.percentile),
		question.demand,
		peakRequestsPerSecond,
		working,
	);
}
