import { stepOf } from "../answer/banded.ts";
import type { Scenario } from "../answer/question.ts";
import { COMMITMENTS } from "../money/choice.ts";
import { HOURS_PER_MONTH, usdPerMonth } from "../money/cost.ts";
import { kwhPerMonth } from "../money/ownership.ts";
import type { GpuPriceKind } from "../money/price.ts";
import { throughput } from "../time/load.ts";
import { inLedger } from "../trust/claim.ts";
import { count, figure, percent, seconds, usd } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Source, type Unit, weakest } from "../trust/quantity.ts";
import { state as stated } from "../trust/statement.ts";
import type { DemandFigures } from "./demand.ts";
import { replicaOf, slotsOf } from "./group.ts";
import { aheadOf, type GrownFleet } from "./growth.ts";
import {
	atPercentile,
	type FleetBinding,
	largestLoad,
	type Replica,
	type ReplicaState,
	replicaState,
} from "./replica.ts";
import { type Sizing, sizingFor, stateUnder } from "./sizing.ts";
import { type FleetQuestion, replicaLimits, type SweptCandidate } from "./sweep.ts";

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
function stateAtBound(one: SizedOption, question: FleetQuestion, end: "low" | "high"): ReplicaState | null {
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

/** What a fleet costs at a number of GPUs and a price, USD. */
export interface FleetMoney {
	perMonth: number;
	perRequest: number;
	perMillionInput: number;
	perMillionOutput: number;
}

/**
 * Money of a fleet; idle capacity is charged.
 * month = GPUs · price · 730; request = month / (mean rate · 730 · 3600); tokens: split by the engine's time
 */
export function fleetMoney(
	gpus: number,
	usdPerGpuHour: number,
	meanRequestsPerSecond: number,
	tokens: { prompt: number; output: number; inputShare: number },
): FleetMoney {
	const perMonth = usdPerMonth(gpus, usdPerGpuHour);
	const perRequest = perMonth / requestsPerMonth(meanRequestsPerSecond);
	return {
		perMonth,
		perRequest,
		perMillionInput: (perRequest * tokens.inputShare * 1e6) / tokens.prompt,
		perMillionOutput: (perRequest * (1 - tokens.inputShare) * 1e6) / tokens.output,
	};
}

/** Requests of a month: rate · 730 h · 3600 s. */
export const requestsPerMonth = (perSecond: number): number => perSecond * HOURS_PER_MONTH * 3600;

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
	const { outlook, facts, timing } = kind;
	const { asked } = outlook.resolved;
	const at = (end: "low" | "high") => sized(candidate, question, figures, end);
	const [fast, slow] = [at("low"), at("high")];
	const { basis, outsideBy } = groundOf(one);
	const memory = one.replica.slotsFromMemory ? outlook.memory.pool.evidence : "arithmetic";
	const evidence = weakest(basis, timing.ttftEvidence, timing.tpotEvidence, memory, "estimated");
	const sources = outlook.laws.sources;
	const unit = asked.gpus;
	const quantity = (
		value: number | null,
		unitOf: Unit,
		words: () => string,
		[low, high]: readonly (number | null | undefined)[] = [],
		how: Evidence = evidence,
		from: readonly Source[] = sources,
	): Quantity => {
		return withEnds(stated(value, unitOf, how, words, {}, from), low, high);
	};
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
		cost: costOf(one, figures, mean, [times(fewest, unit), times(most, unit)], evidence),
		energy: energyOf(one),
		ahead: aheadOf(one, question, figures, evidence),
		priceId: outlook.price?.entryId ?? null,
		priceKind: outlook.price?.kind ?? null,
		notes: notesOf(one, slow, basis, outsideBy),
	};

	function costOf(
		{ state: { inputShare } }: SizedOption,
		{ promptTokens: prompt, outputTokens: output }: DemandFigures,
		meanRate: number,
		[fewCards, manyCards]: (number | null)[],
		how: Evidence,
	): FleetOption["cost"] {
		const { price } = outlook;
		const tokens = { prompt, output, inputShare };
		const gpus = sizing.replicas * unit;
		const money = (cards: number | null | undefined, usdPerHour: number | undefined) =>
			cards == null || usdPerHour === undefined ? null : fleetMoney(cards, usdPerHour, meanRate, tokens);
		const [middle, low, high] = [
			money(gpus, price?.value),
			money(fewCards, price?.low),
			money(manyCards, price?.high),
		];
		const missing = `no price of ${names.gpu.name} is known: enter USD per GPU-hour, or add one to the price book`;
		const make = (of: (money: FleetMoney) => number, unitOf: Unit, words: (money: FleetMoney) => string) =>
			quantity(
				middle && of(middle),
				unitOf,
				() => (middle ? `${words(middle)}; ${price?.from() ?? ""}` : missing),
				[low && of(low), high && of(high)],
				weakest(how, price?.evidence ?? "assumed"),
				[...(price?.sources ?? []), ...sources],
			);
		const monthly = figure(requestsPerMonth(meanRate));
		/** The ends are those of the times and of the price at once: fewer GPUs at the lowest, more at the highest. */
		const bandOfMonth = (least: FleetMoney | null, most: FleetMoney | null) => {
			if (!price || !least || !most || least.perMonth === most.perMonth) return "";
			const at = (cards: number | null | undefined, usdPerHour: number, all: FleetMoney) =>
				`${count(cards ?? 0)} GPUs × ${usd(usdPerHour)} × ${HOURS_PER_MONTH} h = ${usd(all.perMonth)}`;
			const [fast, slow] =
				fewCards === manyCards
					? ["at the lowest price", "at the highest"]
					: [
							`with its times at their fast end${price.low < price.high ? " and the lowest price" : ""}`,
							`at their slow end${price.low < price.high ? " and the highest price" : ""}`,
						];
			return `; ${fast} ${at(fewCards, price.low, least)}, ${slow} ${at(manyCards, price.high, most)}`;
		};
		// With more replicas each has less to do, prompts take less of its time, and output the more.
		const shared = `split at ${load}, in the busiest hour${spareReplicas > 0 ? " with the spare ones gone" : ""}`;
		return {
			usdPerMonth: make(
				(m) => m.perMonth,
				"USD/month",
				(m) =>
					`${count(gpus)} GPUs × ${usd(price?.value ?? 0)} × ${HOURS_PER_MONTH} h = ${usd(m.perMonth)}${bandOfMonth(low, high)}`,
			),
			usdPerRequest: make(
				(m) => m.perRequest,
				"USD/request",
				(m) =>
					`${usd(m.perMonth)} / (${figure(meanRate)} requests/s × ${HOURS_PER_MONTH} h × 3,600 = ${monthly} requests)`,
			),
			usdPerMillionInputTokens: make(
				(m) => m.perMillionInput,
				"USD/million tokens",
				(m) =>
					`${usd(m.perRequest)} a request × ${percent(inputShare)} of the engine's time on prompts / ${figure(prompt)} tokens × 10⁶; ${shared}`,
			),
			usdPerMillionOutputTokens: make(
				(m) => m.perMillionOutput,
				"USD/million tokens",
				(m) =>
					`${usd(m.perRequest)} a request × ${percent(1 - inputShare)} of the engine's time on output / ${figure(output)} tokens × 10⁶; ${shared}`,
			),
		};
	}

	function energyOf({ sizing: { replicas: all } }: SizedOption): Quantity {
		const watts = facts.gpu?.tdpWatts ?? null;
		return quantity(
			watts === null ? null : all * unit * kwhPerMonth(watts),
			"kWh/month",
			() =>
				watts === null
					? "not known: the catalog has no power of this GPU"
					: `${count(all * unit)} GPUs × ${figure(watts / 1000)} kW × ${HOURS_PER_MONTH} h: at the power limit of the cards all the time, an upper bound`,
			[],
			watts === null ? "assumed" : "vendor",
			facts.gpu ? inLedger("gpu", facts.gpu) : [],
		);
	}
}

const times = (value: number | null, factor: number): number | null =>
	value === null ? null : value * factor;

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

/** How the number of replicas came about, in words. */
function countingOf(
	{ sizing, largest }: SizedOption,
	{ demand, policy }: FleetQuestion,
	figures: DemandFigures,
	counted: "needed" | "fixed",
	slow: SizedOption | null,
): string {
	const { working, peakRequestsPerSecond } = sizing;
	const needed = sizingFor(demand, figures, policy, largest).working;
	const sum = `⌈${figure(peakRequestsPerSecond)} requests/s in the busiest hour / ${figure(largest.requestsPerSecond)} of one replica⌉`;
	const spare = policy.spareReplicas > 0 ? ` + ${policy.spareReplicas} spare` : "";
	if (counted === "fixed") return `${sum} or more = ${count(working)}${spare}`;
	const endless = slow ? "" : "; at the slow end of its times no number holds the limits";
	return working === needed
		? `${sum} = ${count(working)}${spare}${endless}`
		: `${sum} = ${count(needed)} in closed form; ${count(working)} by the simulator${spare}${endless}`;
}

function describeLargest(
	{ candidate, largest, limit }: SizedOption,
	{ limits, policy }: FleetQuestion,
): string {
	const slo = [
		limits.ttftSeconds === null ? "" : `the first token in ${seconds(limits.ttftSeconds)}`,
		limits.tpotSeconds === null ? "" : `each further one in ${seconds(limits.tpotSeconds)}`,
	].filter(Boolean);
	const held =
		slo.length > 0
			? `with ${slo.join(" and ")} for ${figure(limits.percentile * 100)} % of requests`
			: "without limits of time";
	const bound: Record<FleetBinding, string> = {
		memory: `${percent(policy.utilisationCeiling)} of ${figure(limit)} requests/s: more places in the cache would bring more`,
		sequences: `${percent(policy.utilisationCeiling)} of ${figure(limit)} requests/s: started for ${count(candidate.maxSequences)} sequences, more would bring more`,
		throughput: `${percent(policy.utilisationCeiling)} of ${figure(limit)} requests/s, which is what its speed allows`,
		ttft: "the first token binds",
		tpot: "the time per token binds",
	};
	return `${figure(largest.requestsPerSecond)} requests/s ${held}: ${bound[candidate.binding]}`;
}

function namesOf({ candidate: { kind, maxSequences }, sizing }: SizedOption) {
	const { facts, outlook } = kind;
	const { asked, scenario, engine } = outlook.resolved;
	const { configuration } = facts;
	const gpu = {
		id: facts.gpu?.id ?? configuration?.gpuId ?? null,
		name: facts.gpu?.name ?? configuration?.gpuName ?? "unnamed GPU",
	};
	const split = asked.gpus === 1 ? "" : ` on ${asked.gpus} GPUs each`;
	const parts = [`${gpu.name} × ${count(sizing.replicas * asked.gpus)}`, engine ?? "engine not said"];
	const formats = [
		`${scenario.weights} weights`,
		`${scenario.kvK} cache`,
		`${count(maxSequences)} sequences`,
	];
	const own = configuration
		? { id: configuration.id, label: configuration.label, attribution: configuration.attribution }
		: null;
	return {
		id: [
			gpu.id,
			engine,
			asked.gpus,
			asked.tp,
			scenario.weights,
			scenario.kvK,
			maxSequences,
			own?.id ?? "",
			kind.scenario.tp ?? "",
		].join("~"),
		label: `${parts.join(" · ")} · ${count(sizing.replicas)} replicas${split} · ${formats.join(", ")}`,
		configuration: own,
		gpu,
		engine,
	};
}

/** How the times are known at the load that the fleet really has, and how far that lies beyond what was measured. */
function groundOf({ candidate: { kind }, state }: SizedOption): { basis: Evidence; outsideBy: number } {
	const { timing, outlook, scenario } = kind;
	const { decode } = outlook.laws;
	if (timing.served || !decode)
		return { basis: weakest(kind.basis, timing.ttftEvidence, timing.tpotEvidence), outsideBy: 1 };
	const context = scenario.context + scenario.output / 2;
	const step = stepOf(decode, { batch: Math.max(1, state.running), context });
	const outsideBy = Math.max(step.outsideBy, timing.prefill?.outsideBy ?? 1);
	return { basis: weakest(kind.basis, step.evidence), outsideBy };
}

function notesOf(
	{ candidate: { kind } }: SizedOption,
	slow: SizedOption | null,
	basis: Evidence,
	outsideBy: number,
): string[] {
	const notes: string[] = [];
	if (basis === "estimated")
		notes.push(
			"No measurement: estimated from the card's peak and bandwidth, right within a factor of about two.",
		);
	if (basis === "transferred") notes.push("Carried over from another setup that was measured.");
	if (outsideBy > 1)
		notes.push(
			`At its load ${figure(outsideBy, 2)} times beyond the batches and lengths that were measured.`,
		);
	if (!slow) notes.push("At the slow end of its times it does not hold the limits at any load.");
	if (kind.fits === null)
		notes.push("Memory was not checked: something about the card or the model is not known.");
	const { price } = kind.outlook;
	const commitment = price?.kind ? COMMITMENTS[price.kind] : undefined;
	if (commitment) notes.push(commitment);
	return notes;
}
