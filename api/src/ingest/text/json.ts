/**
 * A JSON reader for files as benchmark tools leave them: cut by a killed job, with bare NaN or -nan where a
 * number should be, with log lines in front. Sound JSON goes through JSON.parse; only the rest is read here.
 */

import {
	BLANK,
	CUT,
	endOfString,
	type JsonReading,
	MAX_DEPTH,
	NOTHING_OPEN,
	RepairingReader,
} from "./json-repair.ts";

export { CUT, type JsonReading } from "./json-repair.ts";

/**
 * Reads one JSON value that begins at `start` (after blanks), keeping what is complete.
 * Bare NaN becomes null and bare inf ±Infinity, in the place of a value only.
 */
export function readJson(text: string, start = 0): JsonReading {
	const end = endOfValue(text, start);
	if (end !== null) {
		try {
			return { value: JSON.parse(text.slice(start, end)), end, open: NOTHING_OPEN, fault: null };
		} catch {
			// Not plain JSON: read it with repairs below.
		}
	}
	return new RepairingReader(text, start).read();
}

/** Reads a line that should be one JSON value. */
export function readJsonLine(line: string): JsonReading {
	try {
		return { value: JSON.parse(line), end: line.length, open: NOTHING_OPEN, fault: null };
	} catch {
		return new RepairingReader(line, 0).read();
	}
}

/** Each JSON object or array of a text, one after another; what lies between them is noise. */
export function* jsonValues(text: string): Generator<JsonReading & { start: number }> {
	let from = 0;
	for (;;) {
		const found = findJson(text, from);
		if (found === null) return;
		yield found;
		from = Math.max(found.end, found.start + 1);
	}
}

/**
 * The first line from `from` on that begins an object or a list of objects, read from there. Log lines such as
 * `[2026-01-02 …]`, `[1/8]` or `{'python': 1}` are passed over. null: there is none.
 */
export function findJson(text: string, from = 0): (JsonReading & { start: number }) | null {
	const candidate = /(?:^|\n)[ \t\uFEFF]*(?=[[{])|[}\]][ \t]*(?=[[{])/g;
	candidate.lastIndex = from;
	// Values may follow each other without a line end: the bracket before `from` then begins the match.
	if (from > 0 && (text[from] === "{" || text[from] === "[")) candidate.lastIndex = from - 1;
	for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
		const start = match.index + match[0].length;
		candidate.lastIndex = start + 1;
		if (!mayBegin(text, start)) continue;
		const reading = readJson(text, start);
		if (worthwhile(reading)) return { ...reading, start };
	}
	return null;
}

/** A cheap look at the two characters that decide most log lines. */
function mayBegin(text: string, start: number): boolean {
	BLANK.lastIndex = start + 1;
	BLANK.test(text);
	const next = text[BLANK.lastIndex];
	if (next === undefined) return true;
	return text[start] === "{" ? next === '"' || next === "}" : next === "{" || next === "]" || next === "[";
}

/** A cut value counts; a fault inside the first member means that it was a log line after all. */
function worthwhile({ value, fault }: JsonReading): boolean {
	if (typeof value !== "object" || value === null) return false;
	return fault === null || fault === CUT || Object.keys(value).length > 0;
}

/** Index behind the closing bracket of the container that begins at `start`; null: cut, too deep or none. */
function endOfValue(text: string, start: number): number | null {
	BLANK.lastIndex = start;
	BLANK.test(text);
	let depth = 0;
	for (let at = BLANK.lastIndex; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === 34) at = endOfString(text, at);
		else if (code === 91 || code === 123) {
			if (++depth > MAX_DEPTH) return null;
		} else if ((code === 93 || code === 125) && --depth <= 0) return at + 1;
		else if (depth === 0) return null;
	}
	return null;
}
