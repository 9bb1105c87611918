import { usdPerMonth } from "../money/cost.ts";
import type { FleetChoices } from "./candidates.ts";
import type { Demand, DemandFigures, FleetPolicy, ServiceLimits } from "./demand.ts";
import {
	type Refusal,
	type ReplicaKind,
	replicaOf,
	type ServingKind,
	servingKind,
	slotsOf,
} from "./group.ts";
import { atPercentile, type FleetBinding, largestLoad, type ReplicaLimits, replicaState } from "./replica.ts";
import { sizingFor } from "./sizing.ts";
import { tabulated } from "./tabulated.ts";

/** A candidate that holds the limits, at the largest load of its replicas. Plain numbers, from tables. */
export interface SweptCandidate {
	kind: ServingKind;
	maxSequences: number;
	binding: FleetBinding;
	replicas: number;
	gpus: number;
	/** null: no price is known. */
	usdPerMonth: number | null;
	ttftAt: number;
	tpotAt: number;
	e2eAt: number;
}

/** Candidates that cannot serve, by what stops them. */
export interface RefusedCandidates {
	binding: FleetBinding | "unknown";
	/** How many. */
	candidates: number;
	/** Some of them, with the reason in words. */
	examples: { kind: ReplicaKind; maxSequences: number | null; reason: string }[];
}

export interface FleetSweep {
	candidates: number;
	feasible: SweptCandidate[];
	refused: RefusedCandidates[];
}

export interface FleetQuestion {
	demand: Demand;
	limits: ServiceLimits;
	policy: FleetPolicy;
}

const EXAMPLES = 5;

/**
 * The largest load of every candidate, and the replicas and money that a demand then takes.
 * @param told called now and then with the share that is done, 0…1
 */
export function sweepFleet(
	kinds: readonly ReplicaKind[],
	choices: FleetChoices,
	question: FleetQuestion,
	figures: DemandFigures,
	told?: (share: number) => void,
): FleetSweep {
	const feasible: SweptCandidate[] = [];
	const refused = new Map<string, RefusedCandidates>();
	const refuse = (
		binding: RefusedCandidates["binding"],
		count: number,
		example: RefusedCandidates["examples"][number],
	) => {
		const known = refused.get(binding) ?? { binding, candidates: 0, examples: [] };
		known.candidates += count;
		if (known.examples.length < EXAMPLES) known.examples.push(example);
		refused.set(binding, known);
	};
	const limits = replicaLimits(question);
	let candidates = 0;
	for (const [i, one] of kinds.entries()) {
		if (told && i % 256 === 0) told(i / kinds.length);
		const kind = servingKind(one, figures);
		const starts = startsOf(kind, one, choices);
		candidates += starts.length;
		if (isRefusal(kind)) {
			refuse(kind.binding, starts.length, { kind: one, maxSequences: null, reason: kind.reason });
			continue;
		}
		const most = Math.max(...starts.map((start) => slotsOf(kind, start)));
		const table = tabulated(kind.timing.engine, 2 * most);
		let places = 0;
		for (const maxSequences of starts) {
			// Beyond what the cache holds, starting a replica for more changes nothing.
			if (slotsOf(kind, maxSequences) === places) continue;
			places = slotsOf(kind, maxSequences);
			const found = candidateOf(kind, maxSequences, table.at, question, limits, figures);
			if ("reason" in found) refuse(found.binding, 1, { kind: one, maxSequences, reason: found.reason });
			else feasible.push(found);
		}
	}
	return { candidates, feasible, refused: [...refused.values()] };
}

export const isRefusal = (kind: ServingKind | Refusal): kind is Refusal => "reason" in kind;

/** Numbers of sequences to start a replica for: those chosen; what was measured as it is keeps its own where it says one. */
function startsOf(
	kind: ServingKind | Refusal,
	{ scenario }: ReplicaKind,
	{ maxSequences }: FleetChoices,
): readonly number[] {
	const asMeasured = scenario.configuration !== null && scenario.gpus === null;
	const started = isRefusal(kind) || !asMeasured ? null : kind.outlook.resolved.scenario.maxSequences;
	return started === null ? maxSequences : [started];
}

/** Limits of one replica. */
export const replicaLimits = ({ limits, policy }: FleetQuestion): ReplicaLimits => ({
	...limits,
	utilisationCeiling: policy.utilisationCeiling,
});

function candidateOf(
	kind: ServingKind,
	maxSequences: number,
	at: ServingKind["timing"]["engine"]["at"],
	question: FleetQuestion,
	limits: ReplicaLimits,
	figures: DemandFigures,
): SweptCandidate | { binding: FleetBinding; reason: string } {
	const replica = replicaOf(kind, maxSequences);
	const table = { ...replica, engine: { at, slots: replica.engine.slots } };
	const largest = largestLoad(table, limits);
	if (!largest.feasible) return { binding: largest.binding, reason: tooSlow(largest, limits) };
	const state = replicaState(table, largest.running, largest.limit, atPercentile(limits.percentile));
	const { replicas } = sizingFor(question.demand, figures, question.policy, state);
	const gpus = replicas * kind.outlook.resolved.asked.gpus;
	const price = kind.outlook.price?.value ?? null;
	return {
		kind,
		maxSequences,
		binding: largest.binding,
		replicas,
		gpus,
		usdPerMonth: price === null ? null : usdPerMonth(gpus, price),
		ttftAt: state.ttftAt,
		tpotAt: state.tpotAt ?? 0,
		e2eAt: state.e2eAt,
	};
}

function tooSlow(
	{ binding, smallest }: Extract<ReturnType<typeof largestLoad>, { feasible: false }>,
	{ ttftSeconds, tpotSeconds, utilisationCeiling }: ReplicaLimits,
): string {
	if (binding === "throughput")
		return `no load is small enough for a ceiling of ${Number((100 * utilisationCeiling).toPrecision(3))} % of its highest throughput`;
	const seconds = (value: number | null) => `${Number((value ?? 0).toPrecision(3))} s`;
	const when = smallest.running === 0 ? "even when alone" : "under the smallest load";
	return binding === "ttft"
		? `too slow ${when}: the first token takes ${seconds(smallest.ttftAt)}, ${seconds(ttftSeconds)} are allowed`
		: `too slow ${when}: a token takes ${seconds(smallest.tpotAt)}, ${seconds(tpotSeconds)} are allowed`;
}
