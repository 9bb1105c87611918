import { decimalOf, type Trace } from "../model/index.ts";
import { type ColumnPlaces, cellsOf, lackOf, placesOf, separatorOf } from "./text/named-columns.ts";

/** A trace as its columns, one entry a request. */
export interface TraceColumns extends Trace {
	arrivalSeconds: number[];
	promptTokens: number[];
	outputTokens: number[];
	cachedTokens?: number[];
}

export interface TraceReading {
	columns: TraceColumns;
	/** What was done to the rows. */
	notes: string[];
}

/** A file that is no trace; names each wrong line, the first hundred of them. */
export class UnreadableTrace extends Error {
	readonly errors: { at: string; reason: string }[];

	constructor(errors: { at: string; reason: string }[]) {
		super(errors.map(({ at, reason }) => `${at}: ${reason}`).join("; "));
		this.errors = errors;
	}
}

/** Requests of one file at most. */
export const MOST_REQUESTS = 200_000;
const MOST_TOKENS = 10_000_000;
const MOST_ERRORS = 100;

/**
 * Names of each column, lower case without other signs than letters and digits: ours first, then those of Azure, Mooncake,
 * BurstGPT, vLLM's recorder, Vidur and Splitwise.
 */
const NAMES = {
	arrival: [
		...["arrivals", "arrivalseconds", "arrival", "arrivaltime", "arrivedat", "timestamp", "timestampseconds"],
		...["arrivaltimestamp", "starttime", "time", "queuedts"],
	],
	arrivalMilliseconds: ["arrivalms", "arrivalmilliseconds", "timestampms", "timems"],
	prompt: [
		...["prompttokens", "inputtokens", "contexttokens", "requesttokens", "numprefilltokens", "inputlength"],
		...["promptlength", "promptlen", "inputlen", "inputtoks", "promptsize"],
	],
	output: [
		...["outputtokens", "generatedtokens", "completiontokens", "responsetokens", "numdecodetokens"],
		...["outputlength", "outputlen", "outputtoks", "tokensize"],
	],
	cached: ["prefixcachedtokens", "prefixcachedtokensmax", "cachedtokens", "cachedprompttokens"],
} as const;
type Column = keyof typeof NAMES;

/**
 * Reads a request trace: CSV with a header, columns by name in any order, cells by comma, semicolon or tab.
 * Arrivals are seconds, milliseconds where the name says so, or instants; they are counted from the first one on, and rows
 * out of order are sorted.
 * @throws UnreadableTrace that names every wrong line
 */
export function readTrace(text: string): TraceReading {
	const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
	const first = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#"));
	if (first === -1) throw new UnreadableTrace([{ at: "file", reason: "is empty" }]);
	const separator = separatorOf(lines[first] ?? "");
	const places = tracePlaces(cellsOf(lines[first] ?? "", separator), first + 1);
	const rows: Row[] = [];
	const errors: UnreadableTrace["errors"] = [];
	for (let i = first + 1; i < lines.length && errors.length < MOST_ERRORS; i++) {
		const line = lines[i] ?? "";
		if (line.trim() === "" || line.startsWith("#")) continue;
		const row = rowOf(cellsOf(line, separator), places);
		if (typeof row === "string") errors.push({ at: `line ${i + 1}`, reason: row });
		else rows.push(row);
	}
	if (errors.length === 0 && rows.length === 0)
		errors.push({ at: "file", reason: "holds a header and no request" });
	if (rows.length > MOST_REQUESTS)
		errors.push({ at: "file", reason: `holds ${rows.length} requests; at most ${MOST_REQUESTS} are taken` });
	if (errors.length > 0) throw new UnreadableTrace(errors);
	return readingOf(rows, places.cached !== undefined);
}

interface Row {
	arrivalSeconds: number;
	prompt: number;
	output: number;
	cached: number;
}

/** Where each column stands. @throws UnreadableTrace for a header that lacks one */
function tracePlaces(header: readonly string[], line: number): ColumnPlaces<Column> {
	const places = placesOf<Column>(header, NAMES);
	const missing = [
		places.arrival === undefined && places.arrivalMilliseconds === undefined ? "arrival_s" : "",
		places.prompt === undefined ? "prompt_tokens" : "",
		places.output === undefined ? "output_tokens" : "",
	].filter(Boolean);
	if (missing.length === 0) return places;
	const needed = "arrival_s,prompt_tokens,output_tokens[,prefix_cached_tokens]";
	throw new UnreadableTrace([{ at: `line ${line}`, reason: lackOf(missing, header, needed) }]);
}

/** A row, or what is wrong with it. */
function rowOf(cells: readonly string[], places: ColumnPlaces<Column>): Row | string {
	const at = (column: Column) => (places[column] === undefined ? undefined : cells[places[column]]);
	const arrival = arrivalOf(at("arrival"), at("arrivalMilliseconds"));
	if (typeof arrival === "string") return arrival;
	const prompt = tokensOf("prompt_tokens", at("prompt"), 1);
	const output = tokensOf("output_tokens", at("output"), 1);
	const cached = places.cached === undefined ? 0 : tokensOf("prefix_cached_tokens", at("cached"), 0);
	for (const value of [prompt, output, cached]) if (typeof value === "string") return value;
	if (Number(cached) > Number(prompt))
		return `prefix_cached_tokens ${cached} cannot exceed the prompt_tokens ${prompt} that they are a part of`;
	return { arrivalSeconds: arrival, prompt: Number(prompt), output: Number(output), cached: Number(cached) };
}

function arrivalOf(seconds: string | undefined, milliseconds: string | undefined): number | string {
	const text = seconds ?? milliseconds ?? "";
	const number = secondsOf(text);
	if (Number.isFinite(number)) return seconds === undefined ? number / 1000 : number;
	// "2023-11-16 18:17:03.9799600": a finer clock than Date reads is cut, its fraction added.
	const [, moment, fraction = ""] =
		/^(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
	const whole = moment === undefined ? Number.NaN : Date.parse(`${moment.replace(" ", "T")}Z`) / 1000;
	if (Number.isFinite(whole)) return whole + Number(`0${fraction}`);
	return `arrival "${text.slice(0, 40)}" is neither a number nor an instant`;
}

/** Seconds with a decimal point, or with the decimal comma of files whose cells are not set apart by commas. */
function secondsOf(text: string): number {
	if (text.trim() === "") return Number.NaN;
	const number = Number(text);
	return Number.isNaN(number) ? (decimalOf(text) ?? Number.NaN) : number;
}

function tokensOf(name: string, text: string | undefined, least: number): number | string {
	const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
	if (Number.isInteger(value) && value >= least && value <= MOST_TOKENS) return value;
	return `${name} "${(text ?? "").slice(0, 40)}" must be a whole number from ${least} to ${MOST_TOKENS}`;
}

function readingOf(rows: Row[], cached: boolean): TraceReading {
	const sorted = rows.every((row, i) => i === 0 || row.arrivalSeconds >= (rows[i - 1]?.arrivalSeconds ?? 0));
	if (!sorted) rows.sort((a, b) => a.arrivalSeconds - b.arrivalSeconds);
	const start = rows[0]?.arrivalSeconds ?? 0;
	const notes = [
		sorted ? "" : "rows were sorted by arrival",
		start === 0 ? "" : "arrivals are counted from the first request on",
	].filter(Boolean);
	return {
		columns: {
			// To a tenth of a microsecond: the difference of two instants carries no more.
			arrivalSeconds: rows.map((row) => Math.round((row.arrivalSeconds - start) * 1e7) / 1e7),
			promptTokens: rows.map((row) => row.prompt),
			outputTokens: rows.map((row) => row.output),
			...(cached ? { cachedTokens: rows.map((row) => row.cached) } : {}),
		},
		notes,
	};
}
