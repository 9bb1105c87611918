import type { Passage } from "./passage.ts";

/** How an engine treats a request, by the number of sequences that run, and how many may run. */
export interface Engine {
	at: (running: number) => Passage;
	/** Sequences that may run at the same time, ≥ 1. */
	slots: number;
}

export interface LoadState {
	/** Sequences that run together. */
	running: number;
	/** Requests that wait for a slot. */
	waiting: number;
	ttftSeconds: number;
	tpotSeconds: number;
	/** Whole request. */
	e2eSeconds: number;
	requestsPerSecond: number;
	/** False where requests arrive faster than they can be served: the times are then not bounded. */
	stable: boolean;
}

/** Requests per second of an engine that always has `running` sequences: R / cycle(R). */
export const throughput = (engine: Engine, running: number): number => running / engine.at(running).cycle;

/** `users` who each send the next request when the last one has ended. */
export function closedLoop(engine: Engine, users: number): LoadState {
	const running = Math.max(1, Math.min(users, engine.slots));
	const { cycle, first, tpot } = engine.at(running);
	const waiting = Math.max(0, users - running);
	const queue = (waiting * cycle) / running;
	return {
		running: Math.min(users, running),
		waiting,
		ttftSeconds: first + queue,
		tpotSeconds: tpot,
		e2eSeconds: cycle + queue,
		requestsPerSecond: Math.min(users, running) / cycle,
		stable: true,
	};
}

/**
 * Requests that arrive at random at `rate` per second.
 * An arrival finds the mean number in the engine, n = rate · cycle(1 + n); near the limit it also waits for a slot, as in
 * a queue with `slots` servers (Sakasegawa's approximation).
 */
export function openLoop(engine: Engine, rate: number): LoadState {
	const { slots } = engine;
	const limit = throughput(engine, slots);
	if (rate >= limit)
		return {
			running: slots,
			waiting: Number.POSITIVE_INFINITY,
			ttftSeconds: Number.POSITIVE_INFINITY,
			tpotSeconds: engine.at(slots).tpot,
			e2eSeconds: Number.POSITIVE_INFINITY,
			requestsPerSecond: limit,
			stable: false,
		};
	const n = rising((n) => rateAt(engine, n), rate, slots);
	const { passage: _, queueSeconds: __, waitingChance: ___, ...state } = steadyState(engine, n, limit);
	return { ...state, requestsPerSecond: rate };
}

/** An arrival finds n sequences and runs beside them, where there is a slot. */
const inside = ({ slots }: Engine, n: number): number => Math.min(slots, 1 + n);

/** Requests per second that keep `n` sequences running on average: n / cycle(1 + n). */
export const rateAt = (engine: Engine, n: number): number => n / engine.at(inside(engine, n)).cycle;

/**
 * Sequences that run together while any runs, where arrivals at random keep `n` running on average: n / (1 − e⁻ⁿ), at most
 * the slots. An engine spends its time on these; an arrival finds n, and those that run see 1 + n.
 * @source the mean of a Poisson number that is not 0
 */
export const togetherWhileBusy = ({ slots }: Engine, n: number): number =>
	Math.min(slots, n < 1e-9 ? 1 : n / -Math.expm1(-n));

/** A load with what an arrival finds: its passage, and the wait for a slot. */
export interface SteadyState extends LoadState {
	passage: Passage;
	queueSeconds: number;
	/** Share of the arrivals that wait for a slot. */
	waitingChance: number;
}

/**
 * An engine in which `n` sequences run on average.
 * @param limit requests per second with every slot taken; the rate of `n` lies below it
 */
export function steadyState(engine: Engine, n: number, limit: number): SteadyState {
	const { slots } = engine;
	const passage = engine.at(inside(engine, n));
	const { cycle, first, tpot } = passage;
	const rate = n / cycle;
	const waits = waitingChance(slots, rate / limit);
	const queue = ((cycle / slots) * waits) / (1 - rate / limit);
	return {
		running: n,
		waiting: rate * queue,
		ttftSeconds: first + queue,
		tpotSeconds: tpot,
		e2eSeconds: cycle + queue,
		requestsPerSecond: rate,
		stable: true,
		passage,
		queueSeconds: queue,
		waitingChance: waits,
	};
}

/** About the share of arrivals that wait for one of `slots` slots of which a share is taken: share^(√(2(slots + 1)) − 1). */
const waitingChance = (slots: number, share: number): number => share ** (Math.sqrt(2 * (slots + 1)) - 1);

/** Where a rising function reaches `target`, between 0 and `most`. */
function rising(f: (x: number) => number, target: number, most: number): number {
	let [from, to] = [0, most];
	for (let i = 0; i < 50 && to - from > 1e-9 * to; i++) {
		const middle = (from + to) / 2;
		if (f(middle) < target) from = middle;
		else to = middle;
	}
	return (from + to) / 2;
}

/** Share by which twice the users must raise the throughput to be worth it. */
const WORTH_IT = 0.1;

/**
 * Fewest sequences at which twice as many would raise requests per second by less than a tenth, or all slots.
 * Searched by straight lines through 1/gain: for steps of c0 + c1·R and whole prompts it is 1 + 2·R·c1/c0, a line from 1.
 */
export function saturationConcurrency(engine: Engine): number {
	/** 1 where the throughput doubles, endless where it no longer rises. */
	const inverseGain = (running: number) => {
		const gain = throughput(engine, 2 * running) / throughput(engine, running) - 1;
		return gain > 0 ? 1 / gain : Number.POSITIVE_INFINITY;
	};
	const worthIt = 1 / WORTH_IT;
	const half = Math.floor(engine.slots / 2);
	let [from, inverseFrom] = [0, 1];
	let [to, inverseTo] = [half + 1, Number.POSITIVE_INFINITY];
	const straight = () => {
		const known = inverseTo < Number.POSITIVE_INFINITY;
		if (!known && from === 0) return 1;
		const slope = known ? (inverseTo - inverseFrom) / (to - from) : (inverseFrom - 1) / from;
		return (worthIt - inverseFrom) / slope;
	};
	for (let step = 0; to - from > 1; step++) {
		// A bent line is approached from one side only: every fourth step halves what is left.
		const ahead = step % 4 === 3 ? (to - from) / 2 : straight();
		const middle = Math.min(to - 1, Math.max(from + 1, Math.ceil(from + ahead)));
		const inverse = inverseGain(middle);
		if (inverse <= worthIt) [from, inverseFrom] = [middle, inverse];
		else [to, inverseTo] = [middle, inverse];
	}
	return to > half ? engine.slots : to;
}
