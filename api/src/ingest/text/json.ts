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

/** A value and where it begins in its text. */
export type FoundJson = JsonReading & { start: number };

/**
 * Reads one JSON value that begins at `start` (after blanks), keeping what is complete.
 * Bare NaN becomes null and bare inf ±Infinity, in the place of a value only. A value that is cut ends where the next
 * whole one begins, so that it takes nothing of that with it.
 */
export function readJson(text: string, start = 0): JsonReading {
	const reading = readWhole(text, start);
	if (reading.fault === null) return reading;
	const next = followingValue(text, start);
	if (next === null) return reading;
	const cut = new RepairingReader(text.slice(0, next).trimEnd(), start).read();
	return { ...cut, end: next, fault: CUT };
}

function readWhole(text: string, start: number): JsonReading {
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

/** Reads the value that a line begins with; a line that is one value whole is parsed at once. */
export function readJsonLine(line: string): JsonReading {
	try {
		return { value: JSON.parse(line), end: line.length, open: NOTHING_OPEN, fault: null };
	} catch {
		return readJson(line);
	}
}

/** The first field of an object as its tool wrote it. */
const OPENING = /\{[ \t]*"[^"\n{}]*"[ \t]*:/y;
/** Places at which the next value is looked for, at most: what is damaged may look like a beginning all along. */
const MAX_TRIES = 8;

/**
 * Index of the first whole object behind a cut one that begins at `start`: on a line of its own, or anywhere where it
 * begins with the same field, as objects of one tool do. null: there is none.
 */
function followingValue(text: string, start: number): number | null {
	if (text[start] !== "{") return null;
	OPENING.lastIndex = start;
	const opening = OPENING.exec(text)?.[0] ?? '{"';
	let from = start + 1;
	for (let tries = 0; tries < MAX_TRIES; tries++) {
		const alike = text.indexOf(opening, from);
		const line = text.slice(from, alike === -1 ? text.length : alike).indexOf("\n{");
		if (line === -1 && alike === -1) return null;
		const next = line === -1 ? alike : from + line + 1;
		if (standsAlone(text, next)) return next;
		from = next + 1;
	}
	return null;
}

/** Whether a whole object begins here, with nothing behind it on its line but further ones. */
function standsAlone(text: string, start: number): boolean {
	const lineEnd = indexOrEnd(text, "\n", start);
	const printed = text.slice(start, lineEnd).trim() === "{";
	const end = printed ? indexOrEnd(text, "\n}", start) + 2 : lineEnd;
	const lines = text.slice(start, end).trimEnd();
	if (!lines.endsWith("}")) return false;
	const reading = readWhole(lines, 0);
	return reading.fault === null && /^(?:\{|$)/.test(lines.slice(reading.end).trimStart());
}

function indexOrEnd(text: string, mark: string, from: number): number {
	const index = text.indexOf(mark, from);
	return index === -1 ? text.length : index;
}

/**
 * Each JSON object or array of a text, one after another; what lies between them is noise. The fault of one
 * that is not whole says where reading stopped.
 */
export function* jsonValues(text: string): Generator<FoundJson> {
	const places = new Places(text);
	let from = 0;
	let next: FoundJson | null = null;
	for (;;) {
		const found: FoundJson | null = next ?? findJson(text, from);
		if (found === null) return;
		yield found.fault === null ? found : { ...found, fault: `${found.fault}, ${places.before(found.end)}` };
		from = Math.max(found.end, found.start + 1);
		// Values may follow each other on one line, whole or cut.
		next = found.fault === null || found.fault === CUT ? readAt(text, behindBlanks(text, from)) : null;
	}
}

/** Places of a text in words, asked for in its order, so that its lines are counted once. */
class Places {
	private readonly text: string;
	private line = 1;
	private lineStart = 0;

	constructor(text: string) {
		this.text = text;
	}

	/** Behind the last character before `end` that is no blank. */
	before(end: number): string {
		let at = end;
		while (at > this.lineStart && this.text.charCodeAt(at - 1) <= 32) at--;
		for (let next = this.nextLine(); next > 0 && next <= at; next = this.nextLine()) {
			this.line++;
			this.lineStart = next;
		}
		return `in line ${this.line} behind ${at - this.lineStart} characters`;
	}

	/** Where the next line begins; 0: there is none. */
	private nextLine(): number {
		return this.text.indexOf("\n", this.lineStart) + 1;
	}
}

/**
 * The first line from `from` on that begins an object or a list of objects, read from there. Log lines such as
 * `[2026-01-02 …]`, `[1/8]` or `{'python': 1}` are passed over. null: there is none.
 */
export function findJson(text: string, from = 0): FoundJson | null {
	const candidate = /(?:^|\n)[ \t\uFEFF]*(?=[[{])|[}\]][ \t]*(?=[[{])/g;
	candidate.lastIndex = from;
	for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
		const start = match.index + match[0].length;
		candidate.lastIndex = start + 1;
		const found = readAt(text, start);
		if (found !== null) return found;
	}
	return null;
}

function readAt(text: string, start: number): FoundJson | null {
	if (!mayBegin(text, start)) return null;
	const reading = readJson(text, start);
	return worthwhile(reading) ? { ...reading, start } : null;
}

/** A cheap look at the two characters that decide most log lines. */
function mayBegin(text: string, start: number): boolean {
	const behind = behindBlanks(text, start + 1);
	const next = text[behind];
	if (text[start] === "[") return next === undefined || next === "{" || next === "]" || next === "[";
	if (text[start] !== "{") return false;
	// An object that was cut behind its brace may stand above a whole one.
	const cut = next === "{" && text.slice(start, behind).includes("\n");
	return cut || next === undefined || next === '"' || next === "}";
}

function behindBlanks(text: string, from: number): number {
	BLANK.lastIndex = from;
	BLANK.test(text);
	return BLANK.lastIndex;
}

/** A cut value counts; a fault inside the first member means that it was a log line after all. */
function worthwhile({ value, fault }: JsonReading): boolean {
	if (typeof value !== "object" || value === null) return false;
	return fault === null || fault === CUT || Object.keys(value).length > 0;
}

/** Index behind the closing bracket of the container that begins at `start`; null: cut, too deep or none. */
function endOfValue(text: string, start: number): number | null {
	let depth = 0;
	for (let at = behindBlanks(text, start); at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === 34) at = endOfString(text, at);
		else if (code === 91 || code === 123) {
			if (++depth > MAX_DEPTH) return null;
		} else if ((code === 93 || code === 125) && --depth <= 0) return at + 1;
		else if (depth === 0) return null;
	}
	return null;
}
