import type { LineReader } from "./family.ts";
import { isRecord } from "./fields.ts";
import { CUT, readJsonLine } from "./json.ts";
import type { Item } from "./record.ts";

export interface JsonRows {
	/** One object of the file. `text` is its line. */
	row(row: Record<string, unknown>, at: string, text: string): Iterable<Item>;
	/** A line that is no JSON: log output in front of or between the rows. */
	noise?(line: string, at: string): Iterable<Item>;
	end?(): Iterable<Item>;
}

const NONE: Item[] = [];

/** Reads JSONL: one object a line, log lines between them, the last line perhaps cut. */
export function jsonLineReader(rows: JsonRows): LineReader {
	return {
		line(line, number) {
			const trimmed = line.trim();
			if (trimmed === "") return NONE;
			const at = `line ${number}`;
			if (trimmed[0] !== "{") return rows.noise?.(trimmed, at) ?? NONE;
			const { value, open, fault } = readJsonLine(trimmed);
			if (fault !== null && fault !== CUT && !looksLikeRow(value)) return rows.noise?.(trimmed, at) ?? NONE;
			if (fault !== null || open.size > 0) return [cutRow(at, fault)];
			return isRecord(value) ? rows.row(value, at, trimmed) : NONE;
		},
		end: () => rows.end?.() ?? NONE,
	};
}

/** The item for a row that the file holds only in part. */
export function cutRow(at: string, fault: string | null): Item {
	return { kind: "rejected", at, reason: `the row is not whole: ${fault ?? "the file was cut here"}` };
}

function looksLikeRow(value: unknown): boolean {
	return isRecord(value) && Object.keys(value).length > 0;
}
