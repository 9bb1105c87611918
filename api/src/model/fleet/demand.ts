import { checkLengths, type Lengths, meanLength } from "../load/lengths.ts";
import type { Trace } from "../load/trace.ts";
import { check } from "../time/prediction.ts";
import { quantile } from "../trust/interval.ts";

/** What is asked of a fleet: how much, how long, and when. */
export interface Demand {
	/**
	 * rate: tasks that arrive per second, mean over the day. users: people at work in the busiest hour, each sending the next
	 * request `thinkSeconds` after the last one has ended.
	 */
	load: { kind: "rate"; tasksPerSecond: number } | { kind: "users"; users: number; thinkSeconds: number };
	/** Requests that one task takes: 1 for a chat, several for an agent. */
	requestsPerTask: number;
	/** How busy each hour of a day is, relative to the others; null: all the same. */
	dailyCurve: readonly number[] | null;
	/** Growth from one month to the next, e.g. 0.05. */
	growthPerMonth: number;
	prompt: Lengths;
	output: Lengths;
	/** Read by lengths of kind trace. */
	trace?: Trace;
	/** Share of each prompt that a prefix cache holds already, 0…1. */
	cachedShare: number;
	/** In place of the share: requests that find a shared beginning cached, and others that find nothing. */
	hits?: PrefixHits | null;
}

/** A beginning that requests share, and how many of them find it in a prefix cache. */
export interface PrefixHits {
	/** Leading tokens of the prompt. */
	prefixTokens: number;
	/** Share of the requests, 0…1. */
	hitShare: number;
}

/** Share of all prompt tokens that a prefix cache holds: where hits are told, hits · prefix / prompt, the prefix at most the prompt. */
export function cachedShareOf({ cachedShare, hits }: Demand, { promptTokens }: DemandFigures): number {
	if (!hits) return cachedShare;
	return (hits.hitShare * Math.min(hits.prefixTokens, promptTokens)) / promptTokens;
}

/** Longest times that requests may take, and of how many of them. null: not limited. */
export interface ServiceLimits {
	ttftSeconds: number | null;
	tpotSeconds: number | null;
	/** Share of the requests that must be within, 0.5…0.99. */
	percentile: number;
}

/** How much room a fleet keeps. */
export interface FleetPolicy {
	/** Replicas that may fail with the limits still held: 1 is N + 1. */
	spareReplicas: number;
	/** Most of a replica's highest throughput that may be used, above 0, at most 1. */
	utilisationCeiling: number;
}

/** A demand in the figures that sizing reads. */
export interface DemandFigures {
	promptTokens: number;
	outputTokens: number;
	/** Prompt that the share `percentile` of requests does not exceed. */
	longPromptTokens: number;
	/** Squared coefficient of variation of the prompts: 0 where all are alike. */
	promptVariation: number;
	outputVariation: number;
	/** Busiest hour over the mean one, at least 1. */
	peakFactor: number;
	/** null: every prompt is alike in what of it is cached. */
	hits:
		| (PrefixHits & { /** Whether a request at the percentile is one that hits. */ longHits: boolean })
		| null;
	/** Requests per second in the busiest hour; null where they follow from the users and how fast they are served. */
	peakRequestsPerSecond: number | null;
}

/** Busiest hour over the mean one: max / mean. @throws RangeError for an empty or negative curve */
export function peakFactor(curve: readonly number[] | null): number {
	if (curve === null) return 1;
	const sum = curve.reduce((total, hour) => total + hour, 0);
	if (!(sum > 0) || curve.some((hour) => !(hour >= 0 && Number.isFinite(hour))))
		throw new RangeError("dailyCurve must hold numbers of at least 0, one of them above 0");
	return Math.max(...curve) / (sum / curve.length);
}

/** Standard normal quantiles of the percentiles that answers are given at. @source NIST/SEMATECH e-Handbook, 1.3.6.7.1 */
export const NORMAL_QUANTILES = { 0.5: 0, 0.9: 1.2816, 0.95: 1.6449, 0.99: 2.3263 } as const;
type Percentile = keyof typeof NORMAL_QUANTILES;

/** z of a percentile. @throws RangeError for one that answers are not given at */
export function normalQuantile(percentile: number): number {
	if (percentile in NORMAL_QUANTILES) return NORMAL_QUANTILES[percentile as Percentile];
	const known = Object.keys(NORMAL_QUANTILES).join(", ");
	throw new RangeError(`percentile must be one of ${known}, not ${percentile}`);
}

/** Tokens that a share of the requests does not exceed. lognormal: median · (p95/median)^(z/1.645) */
export function lengthAt(lengths: Lengths, percentile: number, traced: ArrayLike<number>): number {
	switch (lengths.kind) {
		case "fixed":
			return lengths.tokens;
		case "uniform":
			return lengths.from + percentile * (lengths.to - lengths.from);
		case "lognormal":
			return (
				lengths.median *
				(lengths.p95 / lengths.median) ** (normalQuantile(percentile) / NORMAL_QUANTILES[0.95])
			);
		case "trace":
			return quantile(Array.from(traced), percentile);
	}
}

/** Variance over the squared mean. uniform: (to − from)²/12 over the mean's square; lognormal: e^σ² − 1 */
export function variationOf(lengths: Lengths, traced: ArrayLike<number>): number {
	switch (lengths.kind) {
		case "fixed":
			return 0;
		case "uniform":
			return (lengths.to - lengths.from) ** 2 / 12 / meanLength(lengths, traced) ** 2;
		case "lognormal":
			return Math.exp((Math.log(lengths.p95 / lengths.median) / NORMAL_QUANTILES[0.95]) ** 2) - 1;
		case "trace": {
			const mean = meanLength(lengths, traced);
			const squares = Array.from(traced, (tokens) => (tokens - mean) ** 2);
			return squares.reduce((sum, square) => sum + square, 0) / Math.max(1, squares.length) / mean ** 2;
		}
	}
}

/**
 * A demand in figures.
 * peak = tasks/s · requests per task · max / mean of the daily curve
 * @throws RangeError that names what is out of bounds
 */
export function demandFigures(demand: Demand, percentile: number): DemandFigures {
	checkDemand(demand);
	const { load, prompt, output, trace, requestsPerTask } = demand;
	const factor = peakFactor(demand.dailyCurve);
	return {
		promptTokens: meanLength(prompt, trace?.promptTokens ?? []),
		outputTokens: meanLength(output, trace?.outputTokens ?? []),
		longPromptTokens: lengthAt(prompt, percentile, trace?.promptTokens ?? []),
		promptVariation: variationOf(prompt, trace?.promptTokens ?? []),
		outputVariation: variationOf(output, trace?.outputTokens ?? []),
		hits: demand.hits ? { ...demand.hits, longHits: demand.hits.hitShare >= percentile } : null,
		peakFactor: factor,
		peakRequestsPerSecond: load.kind === "rate" ? load.tasksPerSecond * requestsPerTask * factor : null,
	};
}

function checkDemand(demand: Demand): void {
	const { load, prompt, output, cachedShare, requestsPerTask, growthPerMonth, hits } = demand;
	if (load.kind === "rate") check("tasksPerSecond", load.tasksPerSecond, 0, true);
	else {
		check("users", load.users, 1);
		check("thinkSeconds", load.thinkSeconds, 0);
	}
	check("requestsPerTask", requestsPerTask, 0, true);
	check("growthPerMonth", growthPerMonth, -1, true);
	checkLengths("prompt", prompt);
	checkLengths("output", output);
	check("cachedShare", cachedShare, 0);
	if (cachedShare > 1) throw new RangeError(`cachedShare must be at most 1, not ${cachedShare}`);
	if (!hits) return;
	check("prefixTokens", hits.prefixTokens, 0);
	check("hitShare", hits.hitShare, 0);
	if (hits.hitShare > 1) throw new RangeError(`hitShare must be at most 1, not ${hits.hitShare}`);
}

/** @throws RangeError for room that cannot be kept */
export function checkPolicy({ spareReplicas, utilisationCeiling }: FleetPolicy): void {
	check("spareReplicas", spareReplicas, 0);
	check("utilisationCeiling", utilisationCeiling, 0, true);
	if (utilisationCeiling > 1)
		throw new RangeError(`utilisationCeiling must be at most 1, not ${utilisationCeiling}`);
}
