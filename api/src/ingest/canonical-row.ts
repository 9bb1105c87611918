import { isRecord } from "./fields.ts";
import { MOST_TOGETHER, MOST_TOKENS, MOST_TOOLS } from "./impossible.ts";
import type { Conditions, Failure, Item, Measurement, Statistics } from "./record.ts";
import { settle } from "./repetitions.ts";

type Row = Record<string, unknown>;

/** A row that cannot be read: the field and why. */
class WrongField extends Error {
	readonly field: string;

	constructor(field: string, reason: string) {
		super(reason);
		this.field = field;
	}
}

/**
 * One row of the canonical form. Times are seconds, lengths tokens (up to 1e9); batch and concurrency go up to 1e6.
 * - prefill: `tokens`, `seconds` of the whole batch; optional `cached` (0), `batch` (1)
 * - decode: `context`, `seconds` of one step; optional `batch` (1), `generated`
 * - mixed: `tokens`, `generated`, `seconds`; optional `cached` (0), `batch` (1)
 * - serve: `input`, `output`, `concurrency` or `rate`, and `tpot` or `e2e`; optional `ttft`, `itl`,
 *   `outputTokensPerSecond`, `requested`, `completed`, `durationSeconds`. Statistics are objects of `mean`,
 *   `p50`, `p90`, `p95`, `p99`, `std`, or a number, which is the mean.
 * - tools: `tools` in the request (0 or more), `seconds` until the first byte of the answer; optional `tokens` and `cached`
 *   of the prompt, `schema` (text: the kind of schemas), `toolChoice` (text), `headersSeconds`
 * - any phase with `error` (text): a failure at `tokens` and `batch`, or `tools`; optional `seconds` until it failed
 * `seconds` is a list, one per repetition, or one number; with a number, `secondsStd` and `repetitions` may say
 * what it is the mean of. `startedAt`, `note` (text) and `suspicions` (list of text) belong to every row.
 */
export function canonicalItem(
	row: unknown,
	at: string,
	conditions: Conditions,
	startedAt: string | null,
): Item {
	if (!isRecord(row)) return { kind: "rejected", at, reason: "must be an object" };
	try {
		if (row.error !== undefined)
			return { kind: "failure", at, failure: failureOf(row, conditions, startedAt) };
		return { kind: "measurement", at, measurement: measurementOf(row, conditions, startedAt) };
	} catch (wrong) {
		if (!(wrong instanceof WrongField)) throw wrong;
		return { kind: "rejected", at: `${at}.${wrong.field}`, reason: wrong.message };
	}
}

const PHASES = ["prefill", "decode", "mixed", "serve", "tools"] as const;

function phaseOf(row: Row): (typeof PHASES)[number] {
	const phase = PHASES.find((known) => known === row.phase);
	if (phase === undefined) throw new WrongField("phase", `must be one of ${PHASES.join(", ")}`);
	return phase;
}

function failureOf(row: Row, conditions: Conditions, startedAt: string | null): Failure {
	if (typeof row.error !== "string" || row.error.trim() === "") throw new WrongField("error", "must be text");
	const length = ["tokens", "context", "input"].find((name) => row[name] !== undefined);
	const phase = phaseOf(row);
	return {
		conditions,
		phase,
		...(phase === "tools" ? { seconds: optional(row, "seconds"), details: toolDetails(row) } : {}),
		tokens: length === undefined ? null : above(row, length),
		batch: phase === "tools" ? toolsOf(row) : (optional(row, "batch") ?? optional(row, "concurrency")),
		reason: row.error,
		startedAt: textOf(row, "startedAt") ?? startedAt,
	};
}

function measurementOf(row: Row, conditions: Conditions, startedAt: string | null): Measurement {
	const phase = phaseOf(row);
	if (phase === "serve") return serveOf(row, conditions, startedAt);
	const { note, ...time } = timeOf(row);
	const base = { ...shared(row, conditions, startedAt), ...time };
	if (note !== null) base.notes.push(note);
	if (phase === "tools")
		return {
			...{ ...base, phase, details: toolDetails(row), tools: toolsOf(row), tokens: optional(row, "tokens") },
			cached: row.cached === undefined || row.cached === null ? null : atLeastZero(row, "cached"),
		};
	const batch = optional(row, "batch") ?? 1;
	if (phase === "decode") {
		const context = atLeastZero(row, "context");
		return { ...base, phase, batch, context, generated: optional(row, "generated") };
	}
	const cached = row.cached === undefined ? 0 : atLeastZero(row, "cached");
	const tokens = above(row, "tokens");
	if (phase === "prefill") return { ...base, phase, tokens, cached, batch };
	return { ...base, phase, tokens, cached, batch, generated: above(row, "generated") };
}

function toolsOf(row: Row): number {
	const tools = atLeastZero(row, "tools");
	if (!Number.isInteger(tools)) throw new WrongField("tools", "must be a whole number");
	return tools;
}

function toolDetails(row: Row): Record<string, unknown> {
	const details = {
		schema: textOf(row, "schema"),
		toolChoice: textOf(row, "toolChoice"),
		headersSeconds: optional(row, "headersSeconds"),
	};
	return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null));
}

function serveOf(row: Row, conditions: Conditions, startedAt: string | null): Measurement {
	const concurrency = optional(row, "concurrency");
	const rate = optional(row, "rate");
	if (concurrency === null && rate === null)
		throw new WrongField("concurrency", "concurrency or rate is needed");
	const tpot = statisticsOf(row, "tpot");
	const e2e = statisticsOf(row, "e2e");
	const typical = tpot?.mean ?? tpot?.p50 ?? e2e?.mean ?? e2e?.p50;
	if (typical == null) throw new WrongField("tpot", "the mean of tpot or of e2e is needed");
	const completed = optional(row, "completed");
	const requested = optional(row, "requested");
	return {
		...shared(row, conditions, startedAt),
		phase: "serve",
		status: completed !== null && requested !== null && completed < requested ? "partial" : "ok",
		input: above(row, "input"),
		output: above(row, "output"),
		concurrency,
		concurrencyBasis: concurrency === null ? null : "limit",
		concurrencyLimit: concurrency,
		rate,
		requested,
		completed,
		durationSeconds: optional(row, "durationSeconds"),
		ttft: statisticsOf(row, "ttft"),
		tpot,
		itl: statisticsOf(row, "itl"),
		e2e,
		outputTokensPerSecond: optional(row, "outputTokensPerSecond"),
		seconds: [],
		secondsMean: typical,
		secondsStd: (tpot ?? e2e)?.std ?? null,
		repetitions: completed,
	};
}

/** A list of repetitions, or a mean with what is known of its spread. */
function timeOf(row: Row) {
	if (!Array.isArray(row.seconds)) {
		const secondsMean = above(row, "seconds");
		return {
			seconds: [],
			secondsMean,
			secondsStd: optional(row, "secondsStd"),
			repetitions: optional(row, "repetitions"),
			note: null,
		};
	}
	const seconds = row.seconds.map((value) => checked(value, "seconds", 0, false));
	const settled = settle(seconds);
	if (settled === null) throw new WrongField("seconds", "must hold at least one number");
	const { seconds: secondsMean, std: secondsStd, note } = settled;
	return { seconds, secondsMean, secondsStd, repetitions: seconds.length, note };
}

function shared(row: Row, conditions: Conditions, startedAt: string | null) {
	const note = textOf(row, "note");
	return {
		conditions,
		startedAt: textOf(row, "startedAt") ?? startedAt,
		status: "ok" as const,
		notes: note === null ? [] : [note],
		suspicions: suspicionsOf(row),
		details: {},
	};
}

function suspicionsOf({ suspicions }: Row): string[] {
	if (suspicions === undefined || suspicions === null) return [];
	if (Array.isArray(suspicions) && suspicions.every((text) => typeof text === "string")) return suspicions;
	throw new WrongField("suspicions", "must be a list of text");
}

function statisticsOf(row: Row, name: string): Statistics | null {
	const given = row[name];
	if (given === undefined || given === null) return null;
	if (typeof given === "number") return { ...NO_STATISTICS, mean: checked(given, name, 0, false) };
	if (!isRecord(given)) throw new WrongField(name, "must be a number or an object of numbers");
	const statistics: Statistics = { ...NO_STATISTICS };
	for (const key of ["mean", "p50", "p90", "p95", "p99", "std"] as const) {
		if (given[key] !== undefined && given[key] !== null) {
			statistics[key] = checked(given[key], `${name}.${key}`, 0, key === "std");
		}
	}
	return statistics;
}

const NO_STATISTICS: Statistics = { mean: null, p50: null, p90: null, p95: null, p99: null, std: null };

function textOf(row: Row, name: string): string | null {
	const value = row[name];
	if (value === undefined || value === null) return null;
	if (typeof value !== "string") throw new WrongField(name, "must be text");
	return value;
}

function optional(row: Row, name: string): number | null {
	return row[name] === undefined || row[name] === null ? null : above(row, name);
}

function above(row: Row, name: string): number {
	return checked(row[name], name, 0, false);
}

function atLeastZero(row: Row, name: string): number {
	return checked(row[name], name, 0, true);
}

/** The largest that the counts of a row may be; its times have none. */
const MOST: Record<string, number> = {
	...{ tokens: MOST_TOKENS, cached: MOST_TOKENS, context: MOST_TOKENS, generated: MOST_TOKENS },
	...{ input: MOST_TOKENS, output: MOST_TOKENS, batch: MOST_TOGETHER, concurrency: MOST_TOGETHER },
	tools: MOST_TOOLS,
};

function checked(value: unknown, field: string, least: number, inclusive: boolean): number {
	if (value === undefined) throw new WrongField(field, "is missing");
	if (
		typeof value !== "number" ||
		!Number.isFinite(value) ||
		value < least ||
		(!inclusive && value === least)
	) {
		throw new WrongField(field, `must be a number ${inclusive ? "of at least" : "above"} ${least}`);
	}
	const most = MOST[field];
	if (most !== undefined && value > most)
		throw new WrongField(field, `must be at most ${most}, not ${value}`);
	return value;
}
