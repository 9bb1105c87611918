import { noteDevice } from "./devices.ts";
import { count, deviation, finite, mean, numbers, positive, text } from "./fields.ts";
import { Fingerprints } from "./fingerprints.ts";
import { llamaBenchConditions, RESULT_FIELDS } from "./llama-bench-settings.ts";
import { failureOfLine } from "./llama-failures.ts";
import { tableCells } from "./markdown-table.ts";
import type { Conditions, Item, Measurement } from "./record.ts";

type Row = Record<string, unknown>;

/** Tokens of one test: `prompt` new on top of `depth` cached, then `generated` one by one. */
export interface Shape {
	prompt: number;
	generated: number;
	depth: number;
}

/**
 * Turns the rows of one llama-bench file into items, whatever layout they came in.
 * The clock of a row covers the new prompt tokens and the generated tokens, not the depth before them.
 */
export class LlamaBenchRows {
	/** Device names from start-up lines above the rows. */
	readonly startup: string[] = [];
	private readonly seen = new Fingerprints();
	private readonly settings = new Settings(this.startup);

	/** A line between the rows: it may name a device, a failure, or the same row in a second layout. */
	noise(line: string, at: string): Item[] {
		noteDevice(line, this.startup);
		const cells = tableCells(line);
		if (cells?.some((cell) => shapeOfTest(cell) !== null)) {
			return [{ kind: "aside", at, reason: "a table row of the same run: its other layout is read" }];
		}
		const failure = failureOfLine(line, at);
		return failure === null ? [] : [failure];
	}

	/** A row from the names and the values of its columns. */
	columns(names: string[], cells: string[], at: string): Item {
		if (cells.length !== names.length) {
			return {
				kind: "rejected",
				at,
				reason: `the row has ${cells.length} values for ${names.length} columns`,
			};
		}
		const row: Row = {};
		for (let column = 0; column < names.length; column++) row[names[column] ?? ""] = cells[column];
		return this.item(row, at);
	}

	item(row: Row, at: string, status: "ok" | "partial" = "ok"): Item {
		const shape = shapeOf(row);
		if (typeof shape === "string") return { kind: "rejected", at, reason: shape };
		const tokens = shape.prompt + shape.generated;
		const timing = timingOf(row, tokens);
		if (typeof timing === "string") return { kind: "rejected", at, reason: timing };
		const { conditions, number } = this.settings.of(row);
		if (this.seen.repeated(identity(row, shape, number, at))) {
			return { kind: "aside", at, reason: "the same row stands above: same settings, time and samples" };
		}
		return { kind: "measurement", at, measurement: measurement(row, shape, timing, conditions, status) };
	}
}

/** Conditions of rows; equal settings share one object. Neighbours are mostly equal, so they are tried first. */
class Settings {
	private readonly known = new Map<string, { conditions: Conditions; number: number }>();
	private readonly startup: readonly string[];
	private last: { row: Row; fields: number; entry: { conditions: Conditions; number: number } } | null = null;

	constructor(startup: readonly string[]) {
		this.startup = startup;
	}

	of(row: Row): { conditions: Conditions; number: number } {
		if (this.last !== null && sameSettings(row, this.last.row, this.last.fields)) return this.last.entry;
		const settings = Object.entries(row).filter(([name]) => !RESULT_FIELDS.has(name));
		const key = JSON.stringify(settings);
		let entry = this.known.get(key);
		if (entry === undefined) {
			entry = { conditions: llamaBenchConditions(row, this.startup), number: this.known.size };
			this.known.set(key, entry);
		}
		this.last = { row, fields: settings.length, entry };
		return entry;
	}
}

function sameSettings(row: Row, other: Row, fields: number): boolean {
	let same = 0;
	for (const name in row) {
		if (RESULT_FIELDS.has(name)) continue;
		if (row[name] !== other[name]) return false;
		same++;
	}
	return same === fields;
}

/** Same key, same time and same samples is the same row; without a time only equal nanoseconds prove it. */
function identity(row: Row, shape: Shape, settings: number, at: string): string {
	const proof = row.test_time !== undefined || row.avg_ns !== undefined ? row.test_time : at;
	return [
		settings,
		shape.prompt,
		shape.generated,
		shape.depth,
		proof,
		row.avg_ns,
		row.avg_ts,
		row.stddev_ts,
		row.samples_ns,
	].join("|");
}

function shapeOf(row: Row): Shape | string {
	const test = text(row.test);
	if (test !== null) return shapeOfTest(test) ?? `unknown test "${test}"`;
	// Only llama-bench rows may lack a depth: builds before b5163 had none. A missing length is a zero one.
	const shape = {
		prompt: row.n_prompt === undefined ? 0 : count(row.n_prompt),
		generated: row.n_gen === undefined ? 0 : count(row.n_gen),
		depth: row.n_depth === undefined ? 0 : count(row.n_depth),
	};
	const { prompt, generated, depth } = shape;
	if (prompt === null || generated === null || depth === null) {
		return "n_prompt, n_gen and n_depth must be whole numbers";
	}
	return prompt + generated === 0
		? "the row names neither prompt nor generated tokens"
		: { prompt, generated, depth };
}

const TEST = /^(?:pp\s?(\d+))?\+?(?:tg\s?(\d+))?(?:\s*@\s*d\s?(\d+))?$/;

/** Reads "pp512", "tg 128", "pp512+tg128", "pp2048 @ d4096"; null for anything else. */
export function shapeOfTest(test: string): Shape | null {
	const [, prompt, generated, depth] = TEST.exec(test.trim()) ?? [];
	if (prompt === undefined && generated === undefined) return null;
	return { prompt: Number(prompt ?? 0), generated: Number(generated ?? 0), depth: Number(depth ?? 0) };
}

interface Timing {
	/** Seconds of each repetition, of all tokens; empty where the layout has no samples. */
	samples: number[];
	mean: number;
	std: number | null;
	repetitions: number | null;
	notes: string[];
	suspicions: string[];
}

function timingOf(row: Row, tokens: number): Timing | string {
	const samples = (numbers(row.samples_ns) ?? []).map((ns) => ns / 1e9);
	if (samples.some((seconds) => seconds <= 0)) return "a sample is not above 0 seconds";
	const rate = positive(row.avg_ts);
	const given = positive(row.avg_ns);
	if (samples.length === 0 && row.avg_ts !== undefined && rate === null) {
		return `avg_ts is no speed: ${JSON.stringify(row.avg_ts)}`;
	}
	const seconds = mean(samples) ?? (given === null ? rate && tokens / rate : given / 1e9);
	if (seconds === null)
		return "the row has no time: neither samples_ns nor avg_ns nor avg_ts is a number above 0";
	const timing: Timing = {
		samples,
		mean: seconds,
		std: null,
		repetitions: samples.length > 0 ? samples.length : null,
		notes: [],
		suspicions: [],
	};
	spread(timing, row, rate);
	doubt(timing, tokens, rate, given);
	return timing;
}

/** Spread from the samples, else by the ratio stddev_ts/avg_ts: stddev_ns is wrong where uint64 overflowed. */
function spread(timing: Timing, row: Row, rate: number | null): void {
	const given = positive(row.stddev_ts);
	if (timing.samples.length > 0) {
		timing.std = deviation(timing.samples) || null;
		const overflowed = positive(row.stddev_ns);
		if (timing.std !== null && overflowed !== null && Math.abs(overflowed / 1e9 / timing.std - 1) > 0.05) {
			timing.notes.push(
				`stddev_ns ${overflowed} does not follow from the samples, ${timing.std.toPrecision(4)} s does`,
			);
		}
	} else if (given !== null && rate !== null) {
		timing.std = (timing.mean * given) / rate;
	} else if (finite(row.stddev_ts) === 0) {
		timing.notes.push("spread 0: one repetition, so it is unknown");
	}
}

/** Values of one row that contradict each other. */
function doubt(timing: Timing, tokens: number, rate: number | null, givenNs: number | null): void {
	if (timing.samples.length > 0 && givenNs !== null && Math.abs(givenNs / 1e9 / timing.mean - 1) > 0.01) {
		timing.notes.push(
			`avg_ns ${givenNs} does not follow from the samples, ${timing.mean.toPrecision(6)} s does`,
		);
	}
	if (rate !== null && Math.abs((rate * timing.mean) / tokens - 1) > 0.3) {
		timing.suspicions.push(
			`${tokens} tokens in ${timing.mean.toPrecision(4)} s are not ${rate} tokens/s: time or speed is wrong`,
		);
	}
	const uneven = unevenRepetition(timing.samples);
	if (uneven !== null) timing.suspicions.push(uneven);
}

/** A repetition of more than 1.5 times the median: a cold start, throttling or another job on the machine. */
function unevenRepetition(samples: number[]): string | null {
	if (samples.length < 3) return null;
	const sorted = [...samples].sort((a, b) => a - b);
	const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
	const slowest = sorted.at(-1) ?? 0;
	if (slowest <= 1.5 * median) return null;
	const which = samples.indexOf(slowest) + 1;
	return `repetition ${which} of ${samples.length} took ${(slowest / median).toFixed(1)} times the median`;
}

function measurement(
	row: Row,
	shape: Shape,
	timing: Timing,
	conditions: Conditions,
	status: "ok" | "partial",
): Measurement {
	const { prompt, generated, depth } = shape;
	// Decode rows are kept per step: the mean step of the whole generation.
	const steps = prompt === 0 ? generated : 1;
	const base = {
		conditions,
		startedAt: text(row.test_time),
		status,
		notes: timing.notes,
		suspicions: timing.suspicions,
		seconds: steps === 1 ? timing.samples : timing.samples.map((seconds) => seconds / steps),
		secondsMean: timing.mean / steps,
		secondsStd: timing.std === null ? null : timing.std / steps,
		repetitions: timing.repetitions,
		details: details(row),
	};
	if (generated === 0) return { ...base, phase: "prefill", tokens: prompt, cached: depth, batch: 1 };
	// Steps run at depths d … d+G−1.
	if (prompt === 0)
		return { ...base, phase: "decode", batch: 1, context: depth + (generated - 1) / 2, generated };
	return { ...base, phase: "mixed", tokens: prompt, cached: depth, generated, batch: 1 };
}

/** The speed as the source gives it, so that a disagreement can be shown. */
function details(row: Row): Record<string, unknown> {
	const kept: Record<string, unknown> = {};
	if (row.avg_ts !== undefined) kept.avg_ts = finite(row.avg_ts);
	if (row.stddev_ts !== undefined) kept.stddev_ts = finite(row.stddev_ts);
	if (row.model_type !== undefined) kept.model_type = row.model_type;
	return kept;
}
