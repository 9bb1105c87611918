import { count, figure, seconds } from "./figures.ts";

/** One load as clients saw it. */
export interface LoadReading {
	/** Mean prompt tokens of a request. */
	input: number;
	/** Requests in flight. */
	inFlight: number;
	/** Whether requests arrived at a rate; else a fixed number of clients kept them in flight. */
	openLoop: boolean;
	/** Median where it is known, else mean. */
	ttftSeconds: number;
	/** Whether it is a median of so many requests that a slow start cannot move it. */
	steady: boolean;
}

/** Requests from which on a median forgets the first. */
const LEAST_REQUESTS = 5;

/**
 * Whether a TTFT is a median of enough requests that a slow start cannot move it.
 * @param p50 seconds; null: only a mean is known
 * @param completed requests; null: not known, then enough
 */
export function isSteady(p50: number | null, completed: number | null): boolean {
	return p50 !== null && (completed ?? LEAST_REQUESTS) >= LEAST_REQUESTS;
}

/** Prompts whose mean lengths differ by less are the same prompts. */
const SAME_LENGTH = 0.02;
/** More requests in flight never make the first token come this much sooner. */
const FELL = 0.7;

/**
 * Which of two loads is doubted where the first token came sooner under more of it. A steady time of the calmer one
 * leaves only the other: its prompts were answered from a prefix cache that an earlier load had filled. A mean, or a
 * few requests, may hold a cold start, and that is the calmer one's.
 * @param load another load of the same configuration
 * @returns whether `load` is the doubted one
 */
export function answeredFromCache(load: LoadReading, calmer: LoadReading): boolean {
	return calmer.steady && soonerUnderLoad(load, calmer);
}

/** The other side of {@link answeredFromCache}: whether `load` is the calmer one and not steady. */
export function startedCold(load: LoadReading, heavier: LoadReading): boolean {
	return !load.steady && soonerUnderLoad(heavier, load);
}

/** Why a load is doubted whose first tokens came sooner than those of a calmer one. */
export const cacheDoubt = (calmer: string): string =>
	`TTFT is lower than that of ${calmer} although more requests were in flight: a prefix cache answered, or that one was still cold`;

/** Why a load is doubted whose few requests waited longer than those of a heavier one. */
export const coldDoubt = (heavier: string): string =>
	`TTFT is higher than that of ${heavier} although fewer requests were in flight: a mean or few requests with a cold start in them, or a prefix cache answered the other`;

function soonerUnderLoad(load: LoadReading, calmer: LoadReading): boolean {
	const alike = Math.abs(load.input - calmer.input) <= SAME_LENGTH * calmer.input;
	if (!alike || load.openLoop !== calmer.openLoop || load.inFlight <= calmer.inFlight) return false;
	return load.ttftSeconds < FELL * calmer.ttftSeconds;
}

/** A prompt alone on the engine, and one sequence decoded alone. */
export interface LonePrompt {
	tokens: number;
	cached: number;
	seconds: number;
}
export interface LoneStep {
	context: number;
	seconds: number;
}

/** Shorter prompts reach into the launch floor. */
const LEAST_TOKENS = 256;
/** Room for noise of both. */
const SLOWER = 1.2;
/** Seconds and milliseconds are a thousand apart; no engine takes this many prompt tokens in one step's time. */
const FASTER = 20_000;

/**
 * What is wrong between a prompt and a step. The tokens of a prompt are computed together: each takes less time than a
 * token that is generated alone over at least as long a context, but not tens of thousands of times less.
 * @returns null where nothing is
 */
export function promptAgainstStep(prompt: LonePrompt, steps: readonly LoneStep[]): string | null {
	const { tokens, cached } = prompt;
	if (tokens < LEAST_TOKENS) return null;
	const each = prompt.seconds / tokens;
	const fastest = least(steps.filter(({ context }) => context >= cached + tokens / 2));
	if (fastest && each > SLOWER * fastest.seconds)
		return (
			`a prompt token takes ${seconds(each)} (${count(tokens)} tokens in ${seconds(prompt.seconds)}), longer than one ` +
			`that is generated alone, ${seconds(fastest.seconds)} over ${count(fastest.context)} tokens: one of the two is wrong`
		);
	const any = least(steps);
	if (any && any.seconds > FASTER * each)
		return (
			`a generated token takes ${figure(any.seconds / each, 2)} times as long as one of a prompt: ` +
			"milliseconds read as seconds?"
		);
	return null;
}

/** A time of one kind of work by its length: the tokens of a prompt, or of the context that a step reads. */
export interface TimedLength {
	tokens: number;
	seconds: number;
}

/** More work of the same kind may be faster by noise, never by half. */
const LESS_TAKES = 2;

/**
 * Times that do not go with others of their kind: more to do in less than half the time. Of two that contradict each
 * other the one is odd that contradicts more of the rest; where neither does, both are.
 * @returns the odd ones, with the reason
 */
export function oddAmong<T extends TimedLength>(
	what: "step" | "prompt",
	times: readonly T[],
): Map<T, string> {
	const contradicted = inConflict(times);
	const against = (one: T) =>
		contradicted.filter((other) => contradict(one, other) || contradict(other, one));
	const conflicts = new Map(contradicted.map((one) => [one, against(one)]));
	const weight = (one: T) => conflicts.get(one)?.length ?? 0;
	const odd = new Map<T, string>();
	for (const [one, others] of conflicts) {
		const other = others.find((rest) => weight(one) >= weight(rest));
		if (other) odd.set(one, describeOdd(what, one, other));
	}
	return odd;
}

/** Those that contradict any other, found by the slowest of all shorter and the fastest of all longer ones. */
function inConflict<T extends TimedLength>(times: readonly T[]): T[] {
	const byLength = [...times].sort((a, b) => a.tokens - b.tokens);
	const found = new Set<T>();
	const look = (order: readonly T[], conflict: (one: T, extreme: T) => boolean, beats: typeof conflict) => {
		let extreme: T | undefined;
		for (let at = 0, passed = 0; at < order.length; at++) {
			const one = order[at] as T;
			// Only those of another length count: they are taken in when it is left.
			for (; order[passed]?.tokens !== one.tokens; passed++) {
				const next = order[passed] as T;
				if (!extreme || beats(next, extreme)) extreme = next;
			}
			if (extreme && conflict(one, extreme)) found.add(one);
		}
	};
	look(byLength, contradict, (one, slowest) => one.seconds > slowest.seconds);
	const longestFirst = byLength.reverse();
	look(
		longestFirst,
		(one, fastest) => contradict(fastest, one),
		(one, fastest) => one.seconds < fastest.seconds,
	);
	return times.filter((one) => found.has(one));
}

const contradict = (more: TimedLength, less: TimedLength) =>
	more.tokens > less.tokens && LESS_TAKES * more.seconds < less.seconds;

function describeOdd(what: "step" | "prompt", one: TimedLength, other: TimedLength): string {
	const of = (tokens: number) => `${what === "step" ? "over" : "of"} ${count(tokens)} tokens`;
	return (
		`a ${what} ${of(one.tokens)} takes ${seconds(one.seconds)}, one ${of(other.tokens)} ${seconds(other.seconds)}: ` +
		"more work never takes half the time"
	);
}

const least = (steps: readonly LoneStep[]): LoneStep | undefined =>
	steps.reduce<LoneStep | undefined>((a, b) => (a && a.seconds <= b.seconds ? a : b), undefined);

/** Factors around 1000 at which a time is taken for one of the wrong unit: further than any law errs here. */
const THOUSAND = { from: 300, to: 3000 };

/**
 * Whether a time is about a thousand times what the law of its own configuration expects, or a thousandth.
 * @param expected seconds by the law; the point lies inside what was measured
 * @returns null where it is neither
 */
export function wrongThousand(measured: number, expected: number): string | null {
	const factor = measured > expected ? measured / expected : expected / measured;
	if (!(factor >= THOUSAND.from && factor <= THOUSAND.to)) return null;
	return measured > expected
		? `${seconds(measured)} is ${count(Math.round(factor))} times what the earlier runs lead to expect (${seconds(expected)}): milliseconds read as seconds?`
		: `${seconds(measured)} is a ${count(Math.round(factor))}th of what the earlier runs lead to expect (${seconds(expected)}): seconds read as milliseconds?`;
}

/** Times that no language model on any machine takes, per token of a prompt, per step, per anything. */
const LEAST = { prefill: 1e-8, decode: 1e-5 };
const [LEAST_SECONDS, MOST_SECONDS] = [1e-6, 86_400];

/**
 * Whether a time is beyond belief on any hardware.
 * @param perToken prefill: seconds per new token of all sequences; decode: seconds per step
 */
export function beyondBelief(phase: "prefill" | "decode", perToken: number, total: number): string | null {
	if (perToken < LEAST[phase])
		return `${seconds(perToken)} per ${phase === "prefill" ? "prompt token" : "step"} is beyond belief: wrong units?`;
	if (total < LEAST_SECONDS) return `${seconds(total)} is less than a microsecond: wrong units?`;
	return total > MOST_SECONDS ? `${seconds(total)} is more than a day: wrong units?` : null;
}
