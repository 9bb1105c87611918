import { paretoFront } from "../answer/pareto.ts";
import type { Scenario } from "../answer/question.ts";
import { count, figure } from "../trust/figures.ts";
import type { Evidence, Quantity } from "../trust/quantity.ts";
import { state } from "../trust/statement.ts";
import { type FleetChoices, type FleetFacts, replicaKinds } from "./candidates.ts";
import { cachedShareOf, checkPolicy, type DemandFigures, demandFigures } from "./demand.ts";
import { type FleetOption, optionOf } from "./option.ts";
import { requestsPerMonth } from "./option-cost.ts";
import { type SizedOption, sized } from "./sized.ts";
import { type FleetQuestion, type FleetSweep, type SweptCandidate, sweepFleet } from "./sweep.ts";

export const FLEET_LATENCIES = ["ttft", "tpot", "e2e"] as const;
export type FleetLatency = (typeof FLEET_LATENCIES)[number];

/** A question for a fleet. */
export interface FleetAsk extends FleetQuestion {
	choices: FleetChoices;
	/** Which time the frontier is drawn against. */
	latency: FleetLatency;
	/** What the list is ordered by; ties by cost. */
	order: "cost" | FleetLatency;
	/** Whether what was measured comes first, then what is carried over from it, then what nobody measured. Default no. */
	surestFirst?: boolean;
	/** Whether each GPU is told at its best, once as measured, once as carried over, once as estimated. Default no. */
	perGpu?: boolean;
	/** Options told in full, the first of the list: 1…100. */
	options: number;
	/** USD per GPU-hour in place of the price book; null: the book. */
	price: number | null;
	/** Share of the card that an engine may use; null: the engine's default. */
	utilisation: number | null;
}

/** A fleet on the frontier: none is both cheaper and faster. */
export interface FrontierPoint {
	option: FleetOption;
	usdPerMonth: Quantity;
	latency: Quantity;
	/** Whether it has more replicas than the limits need, to be faster. */
	moreThanNeeded: boolean;
}

/** What a fleet for a demand can be. */
export interface FleetAnswer {
	demand: {
		promptTokens: Quantity;
		outputTokens: Quantity;
		/** null value: follows from the users and how fast they are served. */
		peakRequestsPerSecond: Quantity;
		requestsPerMonth: Quantity;
	};
	/** Candidates that were looked at, and how many of them hold the limits. */
	candidates: number;
	feasible: number;
	/** Kinds of replica that hold the limits, each with the number of sequences that suits it best. */
	kinds: number;
	/** How many of them the list has: all, or the best of each GPU. */
	listed: number;
	options: FleetOption[];
	frontier: FrontierPoint[];
	/** What does not hold the limits, by what stops it. */
	refused: { binding: string; candidates: number; examples: { label: string; reason: string }[] }[];
	/** Evidence of the first option's times, and a sentence where the answer rests on less than measurements. */
	basis: Evidence | null;
	warning: string | null;
}

/** Factors by which a fleet is made larger than it must be, for the frontier. */
const LARGER = [1.25, 1.5, 2, 3, 4, 8];
/** Kinds whose larger fleets are tried for the frontier, and points of it that are told. */
const [TRIED, POINTS] = [24, 40];

/**
 * Fleets for a demand: every candidate sized in closed form, ranked, with the frontier of cost against latency.
 * @param told called now and then with the share that is done, 0…1
 * @throws RangeError that names what is out of bounds
 * @source DESIGN 2.5, 2.6, 2.8
 */
export const answerFleet = (ask: FleetAsk, facts: FleetFacts, told?: (share: number) => void): FleetAnswer =>
	searchFleet(ask, facts, told).answer;

/** An answer, and its options as they were sized: what a simulator checks. */
export interface FleetSearch {
	answer: FleetAnswer;
	/** One for each of the answer's options. */
	sized: SizedOption[];
	figures: DemandFigures;
}

/** As `answerFleet`, with what a further check of its options needs. */
export function searchFleet(ask: FleetAsk, facts: FleetFacts, told?: (share: number) => void): FleetSearch {
	checkPolicy(ask.policy);
	const figures = demandFigures(ask.demand, ask.limits.percentile);
	const shared = {
		cached: cachedShareOf(ask.demand, figures),
		price: ask.price,
		utilisation: ask.utilisation,
		ttftSlo: ask.limits.ttftSeconds,
		tpotSlo: ask.limits.tpotSeconds,
	};
	const kinds = replicaKinds(facts, ask.choices, figures, shared);
	const sweep = sweepFleet(kinds, ask.choices, ask, figures, told);
	const best = bestOfEachKind(sweep.feasible, ask);
	const listed = ask.perGpu ? bestOfEachGpu(best) : best;
	const fleets = listed.slice(0, ask.options).flatMap((candidate) => sized(candidate, ask, figures) ?? []);
	const options = fleets.map((one) => optionOf(one, ask, figures));
	const frontier = frontierOf(sweep.feasible, best, ask, figures);
	told?.(1);
	const answer: FleetAnswer = {
		demand: describeDemand(ask, figures),
		candidates: sweep.candidates,
		feasible: sweep.feasible.length,
		...{ kinds: best.length, listed: listed.length },
		options,
		frontier,
		refused: refusedOf(sweep),
		basis: options[0]?.basis ?? null,
		warning: warningOf(options[0]),
	};
	return { answer, sized: fleets, figures };
}

/** What a candidate is ordered by: those of unchecked memory last; without a price after all others, by its GPUs. */
function comparing({
	order,
	surestFirst = false,
}: FleetAsk): (a: SweptCandidate, b: SweptCandidate) => number {
	const latency = latencyOf(order === "cost" ? "e2e" : order);
	const byCost = (a: SweptCandidate, b: SweptCandidate) => {
		if (a.usdPerMonth === null || b.usdPerMonth === null)
			return Number(a.usdPerMonth === null) - Number(b.usdPerMonth === null) || a.gpus - b.gpus;
		return a.usdPerMonth - b.usdPerMonth;
	};
	const byTime = (a: SweptCandidate, b: SweptCandidate) => latency(a) - latency(b);
	// Whether the memory suffices is known of those that come first.
	const byMemory = (a: SweptCandidate, b: SweptCandidate) =>
		Number(a.kind.fits === null) - Number(b.kind.fits === null);
	const byGround = (a: SweptCandidate, b: SweptCandidate) => (surestFirst ? groundOf(a) - groundOf(b) : 0);
	const [first, then] = order === "cost" ? [byCost, byTime] : [byTime, byCost];
	return (a, b) => byMemory(a, b) || byGround(a, b) || first(a, b) || then(a, b);
}

/** 0: measured as it is, 1: carried over from another setup, 2: measured by nobody. */
function groundOf({ kind: { basis } }: SweptCandidate): number {
	if (basis === "transferred") return 1;
	return basis === "estimated" || basis === "assumed" ? 2 : 0;
}

/** Of kinds in their order the first of each GPU on each ground. */
function bestOfEachGpu(kinds: readonly SweptCandidate[]): SweptCandidate[] {
	const seen = new Set<string>();
	return kinds.filter((candidate) => {
		const { gpu, configuration } = candidate.kind.facts;
		const key = `${gpu?.id ?? configuration?.gpuName} ${groundOf(candidate)}`;
		if (seen.has(key)) return false;
		seen.add(key);
		return true;
	});
}

const latencyOf =
	(which: FleetLatency) =>
	({ ttftAt, tpotAt, e2eAt }: SweptCandidate): number =>
		({ ttft: ttftAt, tpot: tpotAt, e2e: e2eAt })[which];

/** Of each kind of replica the best number of sequences, in order. */
function bestOfEachKind(feasible: readonly SweptCandidate[], ask: FleetAsk): SweptCandidate[] {
	const compare = comparing(ask);
	const best = new Map<SweptCandidate["kind"], SweptCandidate>();
	for (const candidate of feasible) {
		const known = best.get(candidate.kind);
		if (!known || compare(candidate, known) < 0) best.set(candidate.kind, candidate);
	}
	return [...best.values()].sort(compare);
}

/** Fleets that no other beats in both cost and latency; larger ones than the limits need are tried as well. */
function frontierOf(
	feasible: readonly SweptCandidate[],
	best: readonly SweptCandidate[],
	ask: FleetAsk,
	figures: DemandFigures,
): FrontierPoint[] {
	const latency = latencyOf(ask.latency);
	const cost = ({ usdPerMonth }: SweptCandidate) => usdPerMonth ?? Number.POSITIVE_INFINITY;
	const front = paretoFront(
		feasible.length,
		(i) => cost(feasible[i] as SweptCandidate),
		(i) => latency(feasible[i] as SweptCandidate),
	).map((i) => feasible[i] as SweptCandidate);
	const tried = [...new Set([...front, ...best.filter((c) => c.usdPerMonth !== null)])].slice(
		0,
		front.length + TRIED,
	);
	const exact = tried.flatMap((candidate) =>
		[1, ...LARGER].flatMap((more) => {
			const one = sized(candidate, ask, figures, "middle", more);
			return one ? [{ one, more }] : [];
		}),
	);
	const stateLatency = ({ state: at }: SizedOption) =>
		({ ttft: at.ttftAt, tpot: at.tpotAt ?? 0, e2e: at.e2eAt })[ask.latency];
	const dollars = ({ candidate: { kind }, sizing }: SizedOption) =>
		sizing.replicas *
		kind.outlook.resolved.asked.gpus *
		(kind.outlook.price?.value ?? Number.POSITIVE_INFINITY);
	const chosen = paretoFront(
		exact.length,
		(i) => dollars(exact[i]?.one as SizedOption),
		(i) => stateLatency(exact[i]?.one as SizedOption),
	);
	return chosen.slice(0, POINTS).flatMap((i) => {
		const found = exact[i];
		if (!found) return [];
		const option = optionOf(found.one, ask, figures, "fixed");
		return [
			{
				option,
				usdPerMonth: option.cost.usdPerMonth,
				latency: option[ask.latency],
				moreThanNeeded: found.more > 1,
			},
		];
	});
}

function describeDemand({ demand }: FleetAsk, figures: DemandFigures): FleetAnswer["demand"] {
	const { load, requestsPerTask, prompt, output, dailyCurve } = demand;
	const peak = figures.peakRequestsPerSecond;
	const mean = peak === null ? null : peak / figures.peakFactor;
	const users = () => "follows from the users and how fast they are served: told with each option";
	const kind = {
		fixed: "as given",
		uniform: "mean of a uniform range",
		lognormal: "mean of a lognormal",
		trace: "mean of the trace",
	};
	return {
		promptTokens: state(
			figures.promptTokens,
			"tokens",
			"arithmetic",
			() => `${figure(figures.promptTokens)}, ${kind[prompt.kind]}`,
		),
		outputTokens: state(
			figures.outputTokens,
			"tokens",
			"arithmetic",
			() => `${figure(figures.outputTokens)}, ${kind[output.kind]}`,
		),
		peakRequestsPerSecond: state(peak, "requests/s", "arithmetic", () =>
			load.kind === "users"
				? users()
				: `${figure(load.tasksPerSecond)} tasks/s × ${figure(requestsPerTask)} requests each × ${figure(figures.peakFactor)}${dailyCurve ? ", the busiest hour over the mean one" : ": every hour alike"} = ${figure(peak ?? 0)}`,
		),
		requestsPerMonth: state(
			mean === null ? null : requestsPerMonth(mean),
			"requests/month",
			"arithmetic",
			() => (mean === null ? users() : `${figure(mean)} requests/s × 730 h × 3,600`),
		),
	};
}

function refusedOf({ refused }: FleetSweep): FleetAnswer["refused"] {
	return refused.map(({ binding, candidates, examples }) => ({
		binding,
		candidates,
		examples: examples.map(({ kind, maxSequences, reason }) => ({
			label: labelOf(
				kind.scenario,
				kind.facts.gpu?.name ?? kind.facts.configuration?.label ?? "",
				maxSequences,
			),
			reason,
		})),
	}));
}

const labelOf = (
	{ gpus, weights, kvK, engine }: Scenario,
	gpu: string,
	maxSequences: number | null,
): string =>
	[
		`${gpu}${gpus ? ` × ${count(gpus)}` : ""}`,
		engine,
		weights && `${weights} weights`,
		kvK && `${kvK} cache`,
		maxSequences && `${count(maxSequences)} sequences`,
	]
		.filter(Boolean)
		.join(" · ");

function warningOf(first: FleetOption | undefined): string | null {
	if (!first) return "No candidate holds the limits.";
	const words: Partial<Record<Evidence, string>> = {
		estimated: "The first option rests on an estimate from data sheets: measure it before money rests on it.",
		transferred:
			"The first option is carried over from another setup that was measured: measure it before money rests on it.",
		extrapolated: "The first option lies outside of what was measured.",
		assumed: "The first option rests on an assumption that nobody confirmed.",
	};
	return words[first.basis] ?? null;
}
