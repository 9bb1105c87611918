import { finite, text } from "../fields.ts";
import type { Conditions, Item, Measurement } from "../record.ts";
import { csvCells, csvOffset } from "../text/csv.ts";
import { Fingerprints } from "../text/fingerprints.ts";
import { tableCells } from "../text/markdown-table.ts";
import { llamaBenchConditions, RESULT_FIELDS } from "./bench-settings.ts";
import { type Shape, shapeOf, shapeOfTest } from "./bench-shape.ts";
import { type Timing, timingOf } from "./bench-timing.ts";
import { noteDevice } from "./devices.ts";
import { failureOfLine } from "./failures.ts";

type Row = Record<string, unknown>;

/** A CSV or SQL row among rows of another layout, as -o and -oe into one file make. */
const OTHER_LAYOUT = /^"[0-9a-f]{6,12}","\d+",|^INSERT INTO \w+ \(build_commit\b/;

/** The settings of rows, once for all rows that have them. */
interface Settings {
	conditions: Conditions;
	number: number;
	modelType: string | null;
}

/**
 * Turns the rows of one llama-bench file into items, whatever layout they came in.
 * The clock of a row covers the new prompt tokens and the generated tokens, not the depth before them.
 */
export class LlamaBenchRows {
	/** Device names from start-up lines above the rows. */
	readonly startup: string[] = [];
	private readonly seen = new Fingerprints();
	private readonly known = new Map<string, Settings>();
	private lastSettings: Settings | null = null;
	private readonly beginnings = new Beginnings();

	/** A line between the rows: it may name a device, a failure, or the same row in a second layout. */
	noise(line: string, at: string): Item[] {
		noteDevice(line, this.startup);
		const cells = tableCells(line);
		if (cells?.some((cell) => shapeOfTest(cell) !== null) || OTHER_LAYOUT.test(line)) {
			return [
				{ kind: "aside", at, reason: "a row of the same run in a second layout: the first one is read" },
			];
		}
		const failure = failureOfLine(line, at);
		return failure === null ? [] : [failure];
	}

	/** A row of CSV: the values of the columns. Settings repeated letter for letter are not read again. */
	csvLine(names: readonly string[], line: string, at: string): Item {
		const first = names.indexOf("n_prompt");
		const repeated = first === -1 ? null : this.beginnings.of(line);
		const rest = repeated === null ? null : csvCells(line.slice(repeated.text.length));
		if (repeated !== null && rest !== null && rest.length === names.length - first) {
			return this.settled(rowOf(names.slice(first), rest), repeated.settings, at);
		}
		const cells = csvCells(line);
		if (cells === null) return { kind: "rejected", at, reason: "a quote is not closed: the line was cut" };
		const item = this.columns(names, cells, at);
		if (first !== -1 && item.kind === "measurement") this.remember(line, csvOffset(line, first));
		return item;
	}

	/** A row of JSONL whose settings stand letter for letter as in the line before; null for other lines. */
	repeatedJson(line: string, at: string): Item | null {
		const repeated = this.beginnings.of(line);
		if (repeated === null) return null;
		try {
			const rest: Row = JSON.parse(`{${line.slice(repeated.text.length)}`);
			return Object.keys(rest).every((name) => RESULT_FIELDS.has(name))
				? this.settled(rest, repeated.settings, at)
				: null;
		} catch {
			return null;
		}
	}

	/** A whole row of JSONL. */
	jsonLine(row: Row, line: string, at: string): Item {
		const item = this.item(row, at);
		const start = line.indexOf('"n_prompt"');
		// Behind a comma the name is a field, not a part of some text.
		if (item.kind === "measurement" && line.slice(0, start).trimEnd().endsWith(","))
			this.remember(line, start);
		return item;
	}

	/** A row from the names and the values of its columns. */
	columns(names: readonly string[], cells: readonly string[], at: string): Item {
		if (cells.length === names.length) return this.item(rowOf(names, cells), at);
		return { kind: "rejected", at, reason: `the row has ${cells.length} values for ${names.length} columns` };
	}

	item(row: Row, at: string, status: "ok" | "partial" = "ok"): Item {
		return this.settled(row, this.settingsOf(row), at, status);
	}

	private settled(row: Row, settings: Settings, at: string, status: "ok" | "partial" = "ok"): Item {
		const shape = shapeOf(row);
		if (typeof shape === "string") return { kind: "rejected", at, reason: shape };
		const timing = timingOf(row, shape.prompt + shape.generated);
		if (typeof timing === "string") return { kind: "rejected", at, reason: timing };
		if (this.seen.repeated(identity(row, shape, settings.number, at))) {
			return { kind: "aside", at, reason: "the same row stands above: same settings, time and samples" };
		}
		return { kind: "measurement", at, measurement: measurement(row, shape, timing, settings, status) };
	}

	private remember(line: string, length: number): void {
		if (this.lastSettings !== null) this.beginnings.add(line.slice(0, length), this.lastSettings);
	}

	private settingsOf(row: Row): Settings {
		let key = "";
		for (const name in row) if (!RESULT_FIELDS.has(name)) key += `${name}=${row[name]}\n`;
		let settings = this.known.get(key);
		if (settings === undefined) {
			const conditions = llamaBenchConditions(row, this.startup);
			settings = { conditions, number: this.known.size, modelType: text(row.model_type) };
			this.known.set(key, settings);
		}
		this.lastSettings = settings;
		return settings;
	}
}

/** Text that settings took at the beginning of a line: most lines begin as one of the last ones did. */
interface Beginning {
	text: string;
	settings: Settings;
}

/** Settings of one run that are tried on each line; a sweep goes through its settings again and again. */
const KEPT_BEGINNINGS = 32;

class Beginnings {
	private readonly kept: Beginning[] = [];
	private last = 0;

	/** The settings that stand letter for letter at the beginning of a line; null: they are new. */
	of(line: string): Beginning | null {
		const { kept } = this;
		for (let tried = 0; tried < kept.length; tried++) {
			// The settings of the line before come first, then those that followed them the last time.
			const at = (this.last + tried) % kept.length;
			const beginning = kept[at];
			// Comparing two strings is faster than startsWith for hundreds of characters.
			if (beginning !== undefined && line.slice(0, beginning.text.length) === beginning.text) {
				this.last = at;
				return beginning;
			}
		}
		return null;
	}

	add(beginning: string, settings: Settings): void {
		// A copy: a slice would keep all the text alive that it was cut from.
		const text = ` ${beginning}`.slice(1);
		if (this.kept.length < KEPT_BEGINNINGS) this.last = this.kept.push({ text, settings }) - 1;
		else {
			this.last = (this.last + 1) % KEPT_BEGINNINGS;
			this.kept[this.last] = { text, settings };
		}
	}
}

function rowOf(names: readonly string[], cells: readonly string[]): Row {
	const row: Row = {};
	for (let column = 0; column < names.length; column++) row[names[column] ?? ""] = cells[column];
	return row;
}

/** Same key, same time and same samples is the same row; without a time only equal nanoseconds prove it. */
function identity(row: Row, { prompt, generated, depth }: Shape, settings: number, at: string): unknown[] {
	const proof = row.test_time !== undefined || row.avg_ns !== undefined ? row.test_time : at;
	const times = row.samples_ns ?? [row.avg_ts, row.stddev_ts];
	return [settings, prompt, generated, depth, proof, row.avg_ns, times];
}

function measurement(
	row: Row,
	shape: Shape,
	timing: Timing,
	settings: Settings,
	status: "ok" | "partial",
): Measurement {
	const { prompt, generated, depth } = shape;
	// Decode rows are kept per step: the mean step of the whole generation.
	const steps = prompt === 0 ? generated : 1;
	const base = {
		conditions: settings.conditions,
		startedAt: text(row.test_time),
		status,
		notes: timing.notes,
		suspicions: timing.suspicions,
		seconds: steps === 1 ? timing.samples : timing.samples.map((seconds) => seconds / steps),
		secondsMean: timing.seconds / steps,
		secondsStd: timing.std === null ? null : timing.std / steps,
		repetitions: timing.repetitions,
		details: details(row, settings),
	};
	if (generated === 0) return { ...base, phase: "prefill", tokens: prompt, cached: depth, batch: 1 };
	// Steps run at depths d … d+G−1.
	if (prompt === 0)
		return { ...base, phase: "decode", batch: 1, context: depth + (generated - 1) / 2, generated };
	return { ...base, phase: "mixed", tokens: prompt, cached: depth, generated, batch: 1 };
}

/** The speed as the source gives it, so that a disagreement can be shown. */
function details(row: Row, { modelType }: Settings): Record<string, unknown> {
	const kept: Record<string, unknown> = {};
	if (row.avg_ts !== undefined) kept.avg_ts = finite(row.avg_ts);
	if (row.stddev_ts !== undefined) kept.stddev_ts = finite(row.stddev_ts);
	if (modelType !== null) kept.model_type = modelType;
	return kept;
}
