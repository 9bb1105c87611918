import type { LoadOutcome, LoadStatistics } from "../load/outcome.ts";
import type { LoadQuestion } from "../load/simulate.ts";
import type { Timeline } from "../load/timeline.ts";
import { count, figure, percent, seconds } from "../trust/figures.ts";
import type { Evidence, Quantity, Unit } from "../trust/quantity.ts";
import { state } from "../trust/statement.ts";
import type { LoadSetting } from "./load-setting.ts";

export const LOAD_TIMES = ["ttft", "tpot", "e2e", "queue"] as const;
export type LoadTime = (typeof LOAD_TIMES)[number];
export const LOAD_COLUMNS = ["mean", "p50", "p90", "p95", "p99"] as const;
export type LoadColumn = (typeof LOAD_COLUMNS)[number];

/** Quantities of one simulated load. Rates and counts are over all engines side by side. */
export interface LoadResult {
	/** Each null where no request has that time. */
	times: Record<LoadTime, Record<LoadColumn, Quantity> | null>;
	requestsPerSecond: Quantity;
	outputTokensPerSecond: Quantity;
	promptTokensPerSecond: Quantity;
	goodShare: Quantity;
	goodRequestsPerSecond: Quantity;
	running: Quantity;
	waiting: Quantity;
	kvTokens: Quantity;
	busyShare: Quantity;
	completed: number;
	rejected: number;
	preemptions: number;
	saturated: boolean;
	durationSeconds: number;
	/** Of one engine. */
	timeline: Timeline;
}

const NAMES: Record<LoadTime, string> = {
	ttft: "time to first token",
	tpot: "time per output token after the first",
	e2e: "whole request",
	queue: "waiting for a place",
};
const UNITS: Record<LoadTime, Unit> = {
	ttft: "seconds",
	tpot: "seconds/token",
	e2e: "seconds",
	queue: "seconds",
};
const ENDLESS =
	"; at the slow end of its laws more arrives than is served, and the wait grows for as long as that lasts: no upper end";
const COLUMNS: Record<LoadColumn, string> = {
	mean: "mean",
	p50: "half of them at most",
	p90: "90 % of them at most",
	p95: "95 % of them at most",
	p99: "99 % of them at most",
};

/**
 * The quantities of an outcome.
 * @param low, high outcomes with both laws at the ends of their bands; where a line grows at the slow end, times that
 * hold a wait have no upper end: what the simulation gives there is only how long it ran
 */
export function resultOf(
	{ copies, sources }: LoadSetting,
	outcome: LoadOutcome,
	low: LoadOutcome,
	high: LoadOutcome,
	evidence: Evidence,
	{ seed, limits }: LoadQuestion,
): LoadResult {
	const of = `${count(outcome.requests.completed)} simulated requests, seed ${seed}`;
	const quantity = (
		value: (o: LoadOutcome) => number,
		unit: Unit,
		words: (value: number) => string,
	): Quantity => {
		const found = state(value(outcome), unit, evidence, () => `${words(value(outcome))}; ${of}`, {}, sources);
		const ends = [value(outcome), value(low), value(high)];
		return { ...found, low: Math.min(...ends), high: Math.max(...ends) };
	};
	/** A line that grows at the slow end of the laws is as long as the simulation: what waits in it has no upper end. */
	const waiting = (made: Quantity): Quantity => {
		if (!high.saturated) return made;
		const { high: _, ...open } = made;
		return { ...open, arithmetic: `${made.arithmetic}${ENDLESS}` };
	};
	const each = (name: LoadTime) =>
		outcome[name] &&
		(Object.fromEntries(
			LOAD_COLUMNS.map((column) => {
				const time = quantity(
					(o) => statistic(o[name], column) ?? statistic(outcome[name], column) ?? 0,
					UNITS[name],
					(value) => `${NAMES[name]}, ${COLUMNS[column]} ${seconds(value)}`,
				);
				return [column, name === "tpot" ? time : waiting(time)];
			}),
		) as Record<LoadColumn, Quantity>);
	const rate = (of: (o: LoadOutcome) => number) => (o: LoadOutcome) => copies * of(o);
	const over = (value: number, what: string) =>
		`${figure(value)} ${what} over ${seconds(outcome.durationSeconds)}`;
	return {
		times: { ttft: each("ttft"), tpot: each("tpot"), e2e: each("e2e"), queue: each("queue") },
		requestsPerSecond: quantity(
			rate((o) => o.requestsPerSecond),
			"requests/s",
			(v) => over(v, "requests/s"),
		),
		outputTokensPerSecond: quantity(
			rate((o) => o.outputTokensPerSecond),
			"tokens/s",
			(v) => over(v, "tokens/s"),
		),
		promptTokensPerSecond: quantity(
			rate((o) => o.promptTokensPerSecond),
			"tokens/s",
			(v) => over(v, "tokens/s"),
		),
		goodShare: quantity(
			(o) => o.goodput.share,
			"ratio",
			(v) => `${percent(v)} of the requests within ${limitWords(limits)}`,
		),
		goodRequestsPerSecond: quantity(
			rate((o) => o.goodput.requestsPerSecond),
			"requests/s",
			(v) => `${figure(v)} requests/s within ${limitWords(limits)}`,
		),
		running: quantity(
			rate((o) => o.running.mean),
			"sequences",
			(v) => `${figure(v)} run on average, ${count(copies * outcome.running.peak)} at most`,
		),
		waiting: quantity(
			rate((o) => o.waiting.mean),
			"requests",
			(v) => `${figure(v)} wait on average, ${count(copies * outcome.waiting.peak)} at most`,
		),
		kvTokens: quantity(
			rate((o) => o.kvTokens.mean),
			"tokens",
			(v) => `${figure(v)} tokens cached on average, ${count(copies * outcome.kvTokens.peak)} at most`,
		),
		busyShare: quantity(
			(o) => o.busyShare,
			"ratio",
			(v) => `the engine works ${percent(v)} of the time`,
		),
		completed: outcome.requests.completed * copies,
		rejected: outcome.requests.rejected * copies,
		preemptions: outcome.preemptions * copies,
		saturated: outcome.saturated,
		durationSeconds: outcome.durationSeconds,
		timeline: outcome.timeline,
	};
}

const statistic = (of: LoadStatistics | null, column: LoadColumn): number | null => of?.[column] ?? null;

const limitWords = ({ ttftSeconds, tpotSeconds }: NonNullable<LoadQuestion["limits"]> = {}): string =>
	[
		ttftSeconds === undefined ? "" : `${seconds(ttftSeconds)} to the first token`,
		tpotSeconds === undefined ? "" : `${seconds(tpotSeconds)} per token`,
	]
		.filter(Boolean)
		.join(" and ") || "no limit";
