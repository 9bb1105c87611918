import type { Scenario } from "../answer/question.ts";
import type { GpuPriceKind } from "../money/price.ts";
import { count, figure, percent, seconds } from "../trust/figures.ts";
import { type Evidence, type Quantity, weakest } from "../trust/quantity.ts";
import { state as stated } from "../trust/statement.ts";
import type { DemandFigures } from "./demand.ts";
import { slotsOf } from "./group.ts";
import { aheadOf, type GrownFleet } from "./growth.ts";
import { type OptionQuantity, optionCost, optionEnergy } from "./option-cost.ts";
import { countingOf, describeLargest, groundOf, namesOf, notesOf } from "./option-words.ts";
import type { FleetBinding, ReplicaState } from "./replica.ts";
import { type SizedOption, sized, stateAtBound } from "./sized.ts";
import type { FleetQuestion } from "./sweep.ts";

/** One fleet that holds the limits: what it is, what it carries, what it costs. Times are at the percentile asked for. */
export interface FleetOption {
	/** Names the candidate: the same question gives the same one. */
	id: string;
	label: string;
	/** Whose plan has the same numbers: the working replicas at the busiest hour. */
	scenario: Scenario;
	configuration: { id: string; label: string; attribution: string | null } | null;
	gpu: { id: string | null; name: string };
	engine: string | null;
	gpusPerReplica: number;
	tp: number;
	weights: string | null;
	kv: string | null;
	maxSequences: number;
	/** How the laws of its times are known: measured, carried over or estimated. */
	basis: Evidence;
	/** What keeps a replica from taking more. */
	binding: FleetBinding;
	/** Replicas that the load needs; the rest are spare. */
	working: number;
	replicas: Quantity;
	gpus: Quantity;
	/** Of one replica, within the limits. */
	largestRequestsPerSecond: Quantity;
	running: Quantity;
	ttft: Quantity;
	tpot: Quantity;
	e2e: Quantity;
	/** Share of what the fleet could serve that the mean hour takes; the rest is idle and paid. */
	utilisation: Quantity;
	idleShare: Quantity;
	cost: {
		usdPerMonth: Quantity;
		usdPerRequest: Quantity;
		usdPerMillionInputTokens: Quantity;
		usdPerMillionOutputTokens: Quantity;
	};
	/** At the power limit of the cards, all hours, without the building: an upper bound. */
	energy: Quantity;
	/** What the demand takes after it has grown for some months; empty where it does not grow. */
	ahead: GrownFleet[];
	/** Version of the price book behind the money; null: a price that was given, or none. */
	priceId: string | null;
	/** How that version is paid: a reserved hour and one on demand are not the same goods. */
	priceKind: GpuPriceKind | null;
	notes: string[];
}

/**
 * A fleet in quantities: each with its band, evidence, arithmetic and sources.
 * @param counted "needed": the number of replicas follows from the limits, so that it has a band and the money with it;
 * "fixed": so many are there, and only times and price have a band
 */
export function optionOf(
	one: SizedOption,
	question: FleetQuestion,
	figures: DemandFigures,
	counted: "needed" | "fixed" = "needed",
): FleetOption {
	const { candidate, sizing, state, largest, limit } = one;
	const { kind, maxSequences } = candidate;
	const { outlook, timing } = kind;
	const { asked } = outlook.resolved;
	const at = (end: "low" | "high") => sized(candidate, question, figures, end);
	const [fast, slow] = [at("low"), at("high")];
	const { basis, outsideBy } = groundOf(one);
	const memory = one.replica.slotsFromMemory ? outlook.memory.pool.evidence : "arithmetic";
	const evidence = weakest(basis, timing.ttftEvidence, timing.tpotEvidence, memory, "estimated");
	const sources = outlook.laws.sources;
	const unit = asked.gpus;
	const quantity: OptionQuantity = (value, unitOf, words, [low, high] = [], how = evidence, from = sources) =>
		withEnds(stated(value, unitOf, how, words, {}, from), low, high);
	const band = (of: SizedOption | null) =>
		counted === "fixed" ? sizing.replicas : (of?.sizing.replicas ?? null);
	const [fewest, most] = [band(fast), band(slow)];
	const counting = countingOf(one, question, figures, counted, slow);
	const names = namesOf(one);
	const { spareReplicas } = question.policy;
	const share = `${figure(question.limits.percentile * 100)} % of requests`;
	const bounds = (["low", "high"] as const).map((end) => stateAtBound(one, question, end));
	const time = (of: (state: ReplicaState) => number | null) => bounds.map((bound) => bound && of(bound));
	const endless = bounds[1] ? "" : "; at the slow end of their times so many replicas are too few";
	const mean = sizing.peakRequestsPerSecond / figures.peakFactor;
	const use = mean / (sizing.replicas * limit);
	const load = `${figure(state.requestsPerSecond)} requests/s on each of ${count(sizing.working)} working ${sizing.working === 1 ? "replica" : "replicas"}`;
	// With more replicas each has less to do, prompts take less of its time, and output the more.
	const split = `split at ${load}, in the busiest hour${spareReplicas > 0 ? " with the spare ones gone" : ""}`;
	const gpusEach = unit === 1 ? "1 GPU" : `${unit} GPUs`;
	/** What the number is at both ends of the times, where it is another. */
	const ends = (few: number | null, many: number | null, words: (replicas: number) => string) =>
		few === many || few === null || many === null
			? ""
			: `; with its times at their fast end ${words(few)}, at their slow end ${words(many)}`;
	return {
		...names,
		scenario: {
			...kind.scenario,
			gpus: unit * sizing.working,
			concurrency: null,
			maxSequences,
			rate: sizing.peakRequestsPerSecond,
			ttftSlo: question.limits.ttftSeconds,
			tpotSlo: question.limits.tpotSeconds,
		},
		gpusPerReplica: unit,
		tp: asked.tp,
		weights: asked.weights,
		kv: asked.kvK,
		maxSequences,
		basis,
		binding: candidate.binding,
		working: sizing.working,
		replicas: quantity(
			sizing.replicas,
			"replicas",
			() => `${counting}${ends(fewest, most, (n) => count(n))}`,
			[fewest, most],
		),
		gpus: quantity(
			sizing.replicas * unit,
			"GPUs",
			() =>
				`${count(sizing.replicas)} replicas × ${gpusEach} = ${count(sizing.replicas * unit)}${ends(fewest, most, (n) => `${count(n)} replicas = ${count(n * unit)}`)}`,
			[times(fewest, unit), times(most, unit)],
		),
		largestRequestsPerSecond: quantity(
			largest.requestsPerSecond,
			"requests/s",
			() => describeLargest(one, question),
			[slow?.largest.requestsPerSecond, fast?.largest.requestsPerSecond],
		),
		running: quantity(
			state.running,
			"sequences",
			() =>
				`${load}: on average ${figure(state.running, 3)} run on each, of ${count(slotsOf(kind, maxSequences))} places`,
		),
		ttft: quantity(
			state.ttftAt,
			"seconds",
			() =>
				`${share} within ${seconds(state.ttftAt)} at ${load}: prefill alone ${seconds(one.replica.longPrefillSeconds)}, mean with the waiting ${seconds(state.ttftSeconds)}; closed form${endless}`,
			time((bound) => bound.ttftAt),
		),
		tpot: quantity(
			state.tpotAt,
			"seconds/token",
			() =>
				state.tpotAt === null
					? "one output token has no time per further token"
					: `${share} within ${seconds(state.tpotAt)} at ${load}, mean ${seconds(state.tpotSeconds)}; closed form${endless}`,
			time((bound) => bound.tpotAt),
		),
		e2e: quantity(
			state.e2eAt,
			"seconds",
			() =>
				`${seconds(state.ttftAt)} + ${figure(kind.scenario.output - 1)} × ${seconds(state.tpotAt ?? 0)} = ${seconds(state.e2eAt)}${endless}`,
			time((bound) => bound.e2eAt),
		),
		utilisation: quantity(
			use,
			"ratio",
			() =>
				`${figure(mean)} requests/s in the mean hour / (${count(sizing.replicas)} replicas × ${figure(limit)} at most) = ${percent(use)}`,
		),
		idleShare: quantity(1 - use, "ratio", () => `1 − ${percent(use)}: paid and not used`),
		cost: optionCost(
			{ one, figures, mean, evidence, cards: [times(fewest, unit), times(most, unit)], split },
			quantity,
		),
		energy: optionEnergy(one, quantity),
		ahead: aheadOf(one, question, figures, evidence),
		priceId: outlook.price?.entryId ?? null,
		priceKind: outlook.price?.kind ?? null,
		notes: notesOf(one, slow, basis, outsideBy),
	};
}

/** A quantity with its ends: both where both are known and differ, one where the other is not known. */
function withEnds(made: Quantity, low: number | null | undefined, high: number | null | undefined): Quantity {
	const { value } = made;
	if (value === null) return made;
	const [from, to] = [low == null ? null : Math.min(low, value), high == null ? null : Math.max(high, value)];
	if (from === to) return made;
	if (from !== null && (from < value || to !== null)) made.low = from;
	if (to !== null && (to > value || from !== null)) made.high = to;
	return made;
}

const times = (value: number | null, factor: number): number | null =>
	value === null ? null : value * factor;
