import { inputShareOf } from "../answer/outlook.ts";
import type { Percentiles } from "../time/curves.ts";
import { type Engine, steadyState, throughput } from "../time/load.ts";
import { NORMAL_QUANTILES, normalQuantile } from "./demand.ts";

/** One replica to be loaded: its engine and what a request is to it. */
export interface Replica {
	engine: Engine;
	/** Seconds of the mean prompt's prefill, alone on the engine. */
	prefillSeconds: number;
	/** The same of the prompt that the share `percentile` of requests does not exceed. */
	longPrefillSeconds: number;
	/** Squared coefficient of variation of the prefills: 0 where all prompts are alike. */
	prefillVariation: number;
	outputTokens: number;
	/** The same of the outputs. */
	outputVariation: number;
	/** Percentiles over the mean that clients saw; null where the times follow from prefill and decode. */
	seen: { ttft: Percentiles; tpot: Percentiles } | null;
	/** Share of the engine's time that prompts take while so many sequences run together, 0…1. */
	promptShare: (running: number) => number;
	/** Whether the slots are what the cache holds; else what the engine was started for. */
	slotsFromMemory: boolean;
}

/** What a replica is held to. */
export interface ReplicaLimits {
	ttftSeconds: number | null;
	tpotSeconds: number | null;
	percentile: number;
	utilisationCeiling: number;
}

/** What keeps a replica from taking more. "sequences": the number it was started for. */
export type FleetBinding = "memory" | "sequences" | "ttft" | "tpot" | "throughput";

/** A share of the requests, and its standard normal quantile: looked up once for many states. */
export interface AtPercentile {
	share: number;
	z: number;
}

/** @throws RangeError for a percentile that answers are not given at */
export const atPercentile = (share: number): AtPercentile => ({ share, z: normalQuantile(share) });

/** A replica under a load. Seconds; `…At` at the percentile of the limits. */
export interface ReplicaState {
	running: number;
	requestsPerSecond: number;
	/** Share of the highest throughput, 0…1. */
	utilisation: number;
	ttftSeconds: number;
	ttftAt: number;
	tpotSeconds: number;
	/** Null with one output token. */
	tpotAt: number | null;
	e2eSeconds: number;
	e2eAt: number;
	/** Share of the engine's time that prefill takes. */
	inputShare: number;
}

/**
 * A replica in which `running` sequences run on average, its times at a percentile in closed form.
 * Engines put prefills first, so that prompts wait for prompts only: a queue with one server (see `waitAt`). Decoding stands
 * still meanwhile (see `interruptionsAt`): TPOT = (D + N_q·p)/(output − 1), D the decode steps of one request. Where clients
 * saw percentiles, those over their mean, log-linear in z.
 * @param limit requests per second with every place taken
 * @source an approximation: 95th percentiles −20 % to +25 % of the simulator's up to two thirds of the limit, too long beyond
 */
export function replicaState(
	replica: Replica,
	running: number,
	limit: number,
	at: AtPercentile,
): ReplicaState {
	const { engine, prefillSeconds, longPrefillSeconds, outputTokens, seen } = replica;
	const state = steadyState(engine, running, limit);
	const rate = state.requestsPerSecond;
	const { cycle, first } = state.passage;
	const together = Math.min(engine.slots, 1 + running);
	// Places are given back the more regularly, the more alike the answers are (Allen–Cunneen).
	const regular = (1 + replica.outputVariation) / 2;
	const queued = tail(state.queueSeconds * regular, state.waitingChance, at.share);
	const steps = outputTokens - 1;
	const decode = Math.max(0, cycle - together * prefillSeconds);
	const ttftAt = seen
		? first * seenFactor(seen.ttft, at) + (longPrefillSeconds - prefillSeconds)
		: longPrefillSeconds + waitAt(replica, rate, at.share);
	const tpotAt =
		steps < 1
			? null
			: seen
				? state.tpotSeconds * seenFactor(seen.tpot, at)
				: (decode + prefillSeconds * interruptionsAt(replica, rate, decode, at.z)) / steps;
	return {
		running,
		requestsPerSecond: rate,
		utilisation: rate / limit,
		ttftSeconds: state.ttftSeconds,
		ttftAt: ttftAt + queued,
		tpotSeconds: state.tpotSeconds,
		tpotAt,
		e2eSeconds: state.e2eSeconds,
		e2eAt: ttftAt + queued + steps * (tpotAt ?? 0),
		inputShare: inputShareOf(replica, running, "random"),
	};
}

/** Wait that a share q of requests does not exceed, where a share ρ waits at all, exponentially, and the mean over all is w. */
function tail(mean: number, waiting: number, share: number): number {
	if (mean <= 0 || waiting <= 1 - share) return 0;
	return (mean / waiting) * Math.log(waiting / (1 - share));
}

/**
 * Seconds that a prompt waits for the prompts before it, at a percentile: M/G/1, ρ = rate·p.
 * mean w = ρ·p·(1 + cv²)/(2·(1 − ρ)), and beyond its chance ρ about exponential: (w/ρ)·ln(ρ/(1 − q))
 * @source Pollaczek–Khinchine; Kleinrock, Queueing Systems I, 5.6
 */
function waitAt({ prefillSeconds: p, prefillVariation }: Replica, rate: number, share: number): number {
	const busy = Math.min(0.999, rate * p);
	return tail((busy * p * (1 + prefillVariation)) / (2 * (1 - busy)), busy, share);
}

/**
 * Prefills of others that fall between the first and the last token of a request, at a percentile.
 * Those that waited when it got its first token, N₀ = ρ + ρ²(1 + cv²)/(2(1 − ρ)), and those that arrive while it decodes,
 * rate·D; each lets others arrive while it runs: mean (N₀ + rate·D)/(1 − ρ), variance of a total progeny. Its quantile as
 * that of a gamma distribution with this mean and variance.
 * @source total progeny of a branching process with Poisson offspring (Borel–Tanner); Wilson & Hilferty 1931
 */
function interruptionsAt(
	{ prefillSeconds, prefillVariation }: Replica,
	rate: number,
	decode: number,
	z: number,
): number {
	const busy = Math.min(0.999, rate * prefillSeconds);
	if (busy === 0) return 0;
	const left = busy + (busy * busy * (1 + prefillVariation)) / (2 * (1 - busy));
	const first = left + rate * decode;
	const mean = first / (1 - busy);
	const variance = (first + left * left) / (1 - busy) ** 2 + (first * busy) / (1 - busy) ** 3;
	const shape = (mean * mean) / variance;
	return mean * Math.max(0, 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3;
}

/** A percentile over the mean as clients saw it; 1 where none was seen. */
function seenFactor({ p50, p99 }: Percentiles, { z }: AtPercentile): number {
	if (p99 === null) return 1;
	const middle = p50 ?? 1;
	return middle * (p99 / middle) ** (z / NORMAL_QUANTILES[0.99]);
}

const holds = (state: ReplicaState, limits: ReplicaLimits): FleetBinding | null => {
	if (limits.ttftSeconds !== null && state.ttftAt > limits.ttftSeconds) return "ttft";
	if (limits.tpotSeconds !== null && state.tpotAt !== null && state.tpotAt > limits.tpotSeconds)
		return "tpot";
	return null;
};

/** Steps of the search for the largest load: 2⁻¹⁴ of what the slots allow, and up to as many again for 1 % of a small load. */
const [STEPS, MOST_STEPS, WITHIN] = [14, 28, 0.01];

/** The largest load that a replica takes, and what keeps it from more; or the limit that its smallest load breaks, if any. */
export type LargestLoad =
	| { feasible: true; running: number; limit: number; binding: FleetBinding }
	| { feasible: false; binding: FleetBinding; smallest: ReplicaState };

/**
 * The largest load of one replica within limits: times at a percentile, and a share of its highest throughput.
 * All of them grow with the load, so that the first one that breaks is found by halving.
 */
export function largestLoad(replica: Replica, limits: ReplicaLimits): LargestLoad {
	const { engine } = replica;
	const limit = throughput(engine, engine.slots);
	const percentile = atPercentile(limits.percentile);
	const at = (running: number) => replicaState(replica, running, limit, percentile);
	const alone = at(0);
	const broken = holds(alone, limits);
	if (broken) return { feasible: false, binding: broken, smallest: alone };
	let [from, to] = [0, engine.slots];
	let binding: FleetBinding | null = null;
	for (let i = 0; i < STEPS || (i < MOST_STEPS && to - from > WITHIN * from); i++) {
		const middle = (from + to) / 2;
		const state = at(middle);
		const why = state.utilisation > limits.utilisationCeiling ? "throughput" : holds(state, limits);
		if (why === null) from = middle;
		else [to, binding] = [middle, why];
	}
	if (from === 0 && binding !== null) return { feasible: false, binding, smallest: at(to) };
	return {
		feasible: true,
		running: from,
		limit,
		binding: binding === null || binding === "throughput" ? fullBinding(replica, limit) : binding,
	};
}

/** Gain in throughput that twice the places must bring, to say that places are what is missing. */
const WORTH_IT = 1.1;

/** What keeps a replica at its ceiling from a higher throughput: places, where twice as many would bring more, else speed. */
function fullBinding({ engine, slotsFromMemory }: Replica, limit: number): FleetBinding {
	if (throughput(engine, 2 * engine.slots) < WORTH_IT * limit) return "throughput";
	return slotsFromMemory ? "memory" : "sequences";
}
