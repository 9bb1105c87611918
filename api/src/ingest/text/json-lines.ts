import type { LineReader } from "../family.ts";
import { isRecord } from "../fields.ts";
import type { Item } from "../record.ts";
import { CUT, type JsonReading, readJsonLine } from "./json.ts";

export interface JsonRows {
	/** One object of the file; `line` is its text. */
	row(row: Record<string, unknown>, at: string, line: string): Iterable<Item>;
	/** A line that can be told from its text alone, without parsing all of it; null for other lines. */
	known?(line: string, at: string): Item | null;
	/** A line that is no JSON: log output in front of or between the rows. */
	noise?(line: string, at: string): Iterable<Item>;
	end?(): Iterable<Item>;
}

const NONE: Item[] = [];
/** Pieces that a row broken at the width of a terminal is put together from, at most. */
const MAX_PIECES = 200;

/** Reads JSONL: one object a line, log lines between them, the last line perhaps cut. */
export function jsonLineReader(rows: JsonRows): LineReader {
	return new JsonLines(rows);
}

/** The item for a row that the file holds only in part. */
export function cutRow(at: string, fault: string | null): Item {
	return { kind: "rejected", at, reason: `the row is not whole: ${fault ?? "the file was cut here"}` };
}

interface Broken {
	at: string;
	pieces: string[];
}

class JsonLines implements LineReader {
	private readonly rows: JsonRows;
	/** A row whose line ended inside it: a terminal may have broken it, then the next lines go on. */
	private broken: Broken | null = null;

	constructor(rows: JsonRows) {
		this.rows = rows;
	}

	line(line: string, number: number): Iterable<Item> {
		const trimmed = line.trim();
		if (trimmed === "") return NONE;
		const at = `line ${number}`;
		const { broken } = this;
		if (trimmed[0] === "{")
			return broken === null ? this.object(trimmed, at) : this.another(broken, trimmed, at);
		if (broken === null && isTail(trimmed)) return [cutRow(at, "its beginning is missing")];
		const items = this.rows.noise?.(trimmed, at) ?? NONE;
		return broken === null ? items : [...items, ...this.goOn(broken, line)];
	}

	*end(): Generator<Item> {
		if (this.broken !== null) yield cutRow(this.broken.at, CUT);
		this.broken = null;
		yield* this.rows.end?.() ?? NONE;
	}

	private object(line: string, at: string): Iterable<Item> {
		const known = this.rows.known?.(line, at) ?? null;
		if (known !== null) return [known];
		const reading = readJsonLine(line);
		return reading.end === line.length && reading.fault === null
			? this.whole(reading.value, at, line)
			: this.objects(line, at, reading);
	}

	/** The objects that follow each other on one line, the last one perhaps cut. */
	private *objects(line: string, at: string, first: JsonReading): Generator<Item> {
		let [rest, reading, place, number] = [line, first, at, 1];
		for (;;) {
			const { value, fault, end } = reading;
			const after = rest.slice(end).trimStart();
			if (fault === null) yield* this.whole(value, place, rest.slice(0, end));
			else if (after === "" && fault === CUT) this.broken = { at: place, pieces: [rest] };
			else if (fault === CUT || (isRecord(value) && Object.keys(value).length > 0))
				yield cutRow(place, fault);
			else yield* this.rows.noise?.(rest, place) ?? NONE;
			if (!after.startsWith("{") || (fault !== null && fault !== CUT)) return;
			[rest, reading, place] = [after, readJsonLine(after), `${at}, object ${++number}`];
		}
	}

	private whole(value: unknown, at: string, line: string): Iterable<Item> {
		return isRecord(value) ? this.rows.row(value, at, line) : NONE;
	}

	/**
	 * A line that begins like a row, behind a broken one. Whole by itself, it is a row: the broken one was cut.
	 * Else it may be a nested object that the broken one goes on with, if the two make a row.
	 */
	private another(broken: Broken, line: string, at: string): Iterable<Item> {
		this.broken = null;
		if (!holdsObjects(line) && line.endsWith("}") && broken.pieces.length < MAX_PIECES) {
			const row = broken.pieces.join("") + line;
			const { value, fault } = readJsonLine(row);
			if (fault === null && isRecord(value)) return this.rows.row(value, broken.at, row);
		}
		return [cutRow(broken.at, CUT), ...this.object(line, at)];
	}

	private goOn(broken: Broken, piece: string): Iterable<Item> {
		broken.pieces.push(piece);
		if (broken.pieces.length <= MAX_PIECES) {
			const line = broken.pieces.join("");
			const { value, fault } = piece.trimEnd().endsWith("}") ? readJsonLine(line) : UNFINISHED;
			if (fault === CUT) return NONE;
			this.broken = null;
			return fault === null && isRecord(value)
				? this.rows.row(value, broken.at, line)
				: [cutRow(broken.at, fault)];
		}
		this.broken = null;
		return [cutRow(broken.at, CUT)];
	}
}

const UNFINISHED = { value: undefined, fault: CUT };

/** Whether a trimmed line holds whole objects and nothing else. */
function holdsObjects(line: string): boolean {
	for (let rest = line; rest !== ""; ) {
		const { value, end, fault } = readJsonLine(rest);
		if (fault !== null || !isRecord(value)) return false;
		rest = rest.slice(end).trimStart();
	}
	return true;
}

/** Whether a line is the end of a row whose beginning is missing: its last fields make an object. */
function isTail(line: string): boolean {
	if (!line.endsWith("}")) return false;
	const comma = line.indexOf(', "');
	if (comma === -1 || line.lastIndexOf("{", comma) !== -1) return false;
	return holdsObjects(`{${line.slice(comma + 1)}`);
}
