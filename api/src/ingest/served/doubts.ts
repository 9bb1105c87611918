import {
	answeredFromCache,
	cacheDoubt,
	coldDoubt,
	isSteady,
	type LoadReading,
	startedCold,
} from "../../model/trust/plausibility.ts";
import type { Statistics } from "../record.ts";
import { type InFlight, meanEndToEnd, requestsPerSecond } from "./in-flight.ts";
import type { ServeRun } from "./serve-run.ts";

/** Below this share of completed requests the load was not the one that was asked for. */
const LEAST_COMPLETED = 0.95;

/** Reasons to doubt a run of a serving benchmark; empty where its figures agree with one another. */
export function doubtsAbout(run: ServeRun, load: InFlight | null): string[] {
	return [
		fewCompleted(run),
		...wrongUnits(run, load),
		...disorder(run),
		rateNotHeld(run),
		prefixCacheOn(run),
		prefillSlowerThanDecode(run, load),
	].filter((doubt) => doubt !== null);
}

function fewCompleted({ completed, requested }: ServeRun): string | null {
	if (completed === null || requested === null || completed >= LEAST_COMPLETED * requested) return null;
	return `only ${completed} of ${requested} requests completed (${percent(completed / requested)})`;
}

/** Milliseconds read as seconds, or the reverse, show where two figures of one run must agree. */
function wrongUnits(run: ServeRun, load: InFlight | null): (string | null)[] {
	return [
		longerThanTheRun(run),
		unlikeTheLimit(run, load),
		...beyondBelief(run),
		sumsDiffer(run),
		unlikeTokens(run),
	];
}

function longerThanTheRun({ e2e, ttft, durationSeconds }: ServeRun): string | null {
	const seconds = e2e?.mean ?? ttft?.mean ?? null;
	if (seconds === null || durationSeconds === null || seconds <= 1.05 * durationSeconds) return null;
	return `a request took ${short(seconds)} s on average in a run of ${short(durationSeconds)} s: wrong units?`;
}

/**
 * A closed loop keeps its limit in flight; the ramps at both ends cost at most a part of it. A figure that the
 * tool measured itself may count the requests that a client's one conversation fans out into.
 */
function unlikeTheLimit(run: ServeRun, load: InFlight | null): string | null {
	const { limit, closedLoop, completed } = run;
	if (limit === null || load?.basis !== "measured" || run.measuredInFlight !== null) return null;
	const enough = closedLoop && (completed ?? 0) >= 4 * limit;
	if (load.value <= 1.25 * limit && !(enough && load.value < limit / 4)) return null;
	return `${short(load.value)} requests in flight by Little's law, where the client allowed ${limit}: wrong units?`;
}

function beyondBelief({ ttft, tpot }: ServeRun): (string | null)[] {
	const first = ttft?.mean ?? ttft?.p50 ?? null;
	const each = tpot?.mean ?? tpot?.p50 ?? null;
	return [
		first !== null && (first < 1e-4 || first > 3600)
			? `a TTFT of ${short(first)} s is beyond belief: wrong units?`
			: null,
		each !== null && (each < 2e-5 || each > 30)
			? `a TPOT of ${short(each)} s is beyond belief: wrong units?`
			: null,
	];
}

/** Mean e2e = mean TTFT + mean of TPOT · (output − 1); factor 2 leaves room for unequal lengths. */
function sumsDiffer(run: ServeRun): string | null {
	if (run.e2e?.mean == null || run.tpot?.mean == null) return null;
	const sum = meanEndToEnd({ ...run, e2e: null });
	if (sum === null) return null;
	const ratio = run.e2e.mean / sum;
	if (ratio >= 0.5 && ratio <= 2) return null;
	return `end-to-end takes ${short(run.e2e.mean)} s where TTFT and TPOT make ${short(sum)} s: one of them is wrong`;
}

function unlikeTokens(run: ServeRun): string | null {
	const perSecond = requestsPerSecond(run);
	const { output, outputTokensPerSecond: given } = run;
	if (perSecond === null || output === null || given === null) return null;
	const counted = perSecond * output;
	if (Math.abs(given - counted) <= 0.05 * counted) return null;
	return `${short(given)} output tokens/s are given where tokens and duration make ${short(counted)}`;
}

function disorder({ ttft, tpot, itl, e2e }: ServeRun): (string | null)[] {
	return Object.entries({ TTFT: ttft, TPOT: tpot, ITL: itl, "end-to-end": e2e }).map(([name, statistics]) =>
		statistics === null || inOrder(statistics) ? null : `the percentiles of ${name} are out of order`,
	);
}

function inOrder({ p50, p90, p95, p99 }: Statistics): boolean {
	const known = [p50, p90, p95, p99].filter((value) => value !== null);
	return known.every((value, at) => at === 0 || value >= (known[at - 1] ?? 0) * (1 - 1e-9));
}

/**
 * Offered more than was served, and requests piled up: more than one waits for its first token on average.
 * The queue then grows as long as the run lasts, and TTFT with it. A low rate alone is no sign: the last
 * requests of any run still have to finish.
 */
export function rateNotHeld(run: ServeRun): string | null {
	const served = requestsPerSecond(run);
	if (run.rate === null || served === null || served >= 0.9 * run.rate) return null;
	const waiting = run.ttft?.mean == null ? null : served * run.ttft.mean;
	if (waiting !== null && waiting <= 1) return null;
	return `${short(served)} requests/s were served where ${short(run.rate)} were offered: the queue grew all along`;
}

/** A prompt that was answered in part from the cache says nothing of the time of the whole. */
export function prefixCacheOn({ cachedShare }: ServeRun): string | null {
	if (cachedShare === null || cachedShare < 0.05) return null;
	return `${percent(cachedShare)} of the prompt tokens are repeats that a prefix cache answers: TTFT is no time of the whole prompt`;
}

/** A prompt is computed in parallel, so per token it cannot be slower than one token after the other. */
function prefillSlowerThanDecode(
	{ input, ttft, tpot, limit }: ServeRun,
	load: InFlight | null,
): string | null {
	const alone = limit === 1 || (load !== null && load.value <= 1.05);
	const first = ttft?.p50 ?? ttft?.mean ?? null;
	const each = tpot?.mean ?? tpot?.p50 ?? null;
	if (!alone || input === null || input < 256 || first === null || each === null) return null;
	if (first / input <= each) return null;
	return `a prompt token takes ${short(first / input)} s, longer than a generated one: TTFT holds more than the prompt`;
}

/** Whether chunks carry several tokens or come bundled: the median gap is then near 0 while the mean is TPOT. */
export function arrivesInGroups(itl: Statistics | null): boolean {
	return itl?.mean != null && itl.p50 !== null && itl.p50 < itl.mean / 10;
}

/** Whether a few slow first requests pull the mean TTFT away from its median. */
export function coldStart(ttft: Statistics | null): boolean {
	return ttft?.mean != null && ttft.p50 !== null && ttft.mean > 1.5 * ttft.p50;
}

/**
 * Runs whose TTFT fell although more requests were in flight: their prompts were answered from the prefix
 * cache that an earlier run had filled, or the earlier one was cold. Marks in place the one that is doubted.
 * @param runs runs of one file; only those of equal conditions and prompt length are compared
 */
export function markOddLoads(runs: readonly ServeRun[]): void {
	for (const run of runs) {
		const among = (odd: (load: LoadReading, other: LoadReading) => boolean) =>
			runs.find((other) => sameConditions(run, other) && holds(odd, run, other));
		const calmer = among(answeredFromCache);
		if (calmer) run.suspicions.push(cacheDoubt(calmer.at));
		const heavier = among(startedCold);
		if (heavier) run.suspicions.push(coldDoubt(heavier.at));
	}
}

const sameConditions = (a: ServeRun, b: ServeRun): boolean =>
	a !== b && JSON.stringify(a.conditions) === JSON.stringify(b.conditions);

function holds(odd: (load: LoadReading, other: LoadReading) => boolean, a: ServeRun, b: ServeRun): boolean {
	const [load, other] = [readingOf(a), readingOf(b)];
	return load !== null && other !== null && odd(load, other);
}

function readingOf({ input, limit, measuredInFlight, rate, ttft, completed }: ServeRun): LoadReading | null {
	const inFlight = limit ?? measuredInFlight;
	const ttftSeconds = ttft?.p50 ?? ttft?.mean ?? null;
	if (input === null || inFlight === null || ttftSeconds === null) return null;
	const steady = isSteady(ttft?.p50 ?? null, completed);
	return { input, inFlight, openLoop: rate !== null, ttftSeconds, steady };
}

/**
 * A remark where the prompts were not as long as the client was told to make them: the option does nothing
 * with another data set, and what counts is what was sent.
 */
export function lengthRemark(asked: number | null, measured: number | null): string | null {
	if (asked === null || measured === null || Math.abs(measured - asked) <= 0.1 * asked) return null;
	return `flag and data disagree: ${asked} input tokens were asked for, ${Number(measured.toFixed(1))} were sent on average`;
}

/** A number as a reader wants it in a sentence: four figures. */
function short(value: number): string {
	return String(Number(value.toPrecision(4)));
}

function percent(share: number): string {
	return `${Number((100 * share).toPrecision(3))} %`;
}
