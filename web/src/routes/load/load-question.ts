import { type Arrivals, type Lengths, tokensOf, type Workload } from "@plimsoll/api/model";

/** What the page asks: everything that its address says. null: left to the engine's own or the default. */
export interface LoadQuestionForm {
	configuration: string | null;
	arrivals: Arrivals;
	/** Id of the trace that arrivals, lengths or cache are read from. */
	trace: string | null;
	requests: number;
	prompt: Lengths;
	output: Lengths;
	cached: number | "trace";
	seed: number;
	ttftSlo: number | null;
	tpotSlo: number | null;
	maxSequences: number | null;
	chunkTokens: number | null;
	kvTokens: number | null;
	acceptanceLength: number | null;
}

export const DEFAULT_TRACE = "azure-2023-conversation";
export const MOST_REQUESTS = 50_000;
export const MOST_USERS = 10_000;

/** What an address means by what it leaves out. */
export const DEFAULT_QUESTION: LoadQuestionForm = {
	configuration: null,
	arrivals: { kind: "rate", requestsPerSecond: 1 },
	trace: null,
	requests: 2000,
	prompt: { kind: "lognormal", median: 1000, p95: 4000 },
	output: { kind: "lognormal", median: 200, p95: 800 },
	cached: 0,
	seed: 1,
	ttftSlo: null,
	tpotSlo: null,
	maxSequences: null,
	chunkTokens: null,
	kvTokens: null,
	acceptanceLength: null,
};

/** A part of an address that could not be read. */
export interface Dropped {
	at: string;
	reason: string;
}

const above =
	(least: number, strictly = false) =>
	(text: string) => {
		const value = text.trim() === "" ? Number.NaN : Number(text);
		return Number.isFinite(value) && (strictly ? value > least : value >= least) ? value : null;
	};
const positive = above(0, true);
const whole = (least: number, most: number) => (text: string) => {
	const value = tokensOf(text);
	return value !== null && value >= least && value <= most ? value : null;
};

/** Lengths as a word: "1000", "1000~4000" (median and 95 %), "500..1500", "trace". null: none. */
export function readLengths(text: string): Lengths | null {
	if (text === "trace") return { kind: "trace" };
	const [first = "", second] = text.split(/~|\.\./);
	const [a, b] = [tokensOf(first), second === undefined ? null : tokensOf(second)];
	if (a === null || a < 1) return null;
	if (second === undefined) return { kind: "fixed", tokens: a };
	if (b === null || b < a) return null;
	return text.includes("~") ? { kind: "lognormal", median: a, p95: b } : { kind: "uniform", from: a, to: b };
}

export function writeLengths(lengths: Lengths): string {
	switch (lengths.kind) {
		case "fixed":
			return String(lengths.tokens);
		case "lognormal":
			return `${lengths.median}~${lengths.p95}`;
		case "uniform":
			return `${lengths.from}..${lengths.to}`;
		case "trace":
			return "trace";
	}
}

/** Arrivals from the keys rate, users with think, burst with every, or trace with speed. */
function readArrivals(query: URLSearchParams, dropped: Dropped[]): Arrivals {
	const number = (key: string, read: (text: string) => number | null) => take(query, key, read, dropped);
	const kind = query.get("arrivals") ?? (query.has("users") ? "users" : "rate");
	if (kind === "trace") return { kind, speed: number("speed", positive) ?? 1 };
	if (kind === "users")
		return {
			kind,
			users: number("users", whole(1, MOST_USERS)) ?? 8,
			thinkSeconds: number("think", above(0)) ?? 0,
		};
	if (kind === "burst")
		return {
			kind,
			requests: number("burst", whole(1, MOST_REQUESTS)) ?? 16,
			everySeconds: number("every", above(0)) ?? 10,
		};
	if (kind !== "rate") dropped.push({ at: "arrivals", reason: "is neither rate, users, burst nor trace" });
	const requestsPerSecond = number("rate", positive) ?? 1;
	const burstiness = number("burstiness", positive);
	return { kind: "rate", requestsPerSecond, ...(burstiness === null ? {} : { burstiness }) };
}

function take<T>(
	query: URLSearchParams,
	key: string,
	read: (text: string) => T | null,
	dropped: Dropped[],
): T | null {
	const text = query.get(key);
	if (text === null) return null;
	const value = read(text);
	if (value === null) dropped.push({ at: key, reason: `'${text}' is not understood` });
	return value;
}

/** The question of an address, and what of it was not understood. */
export function questionOf(query: URLSearchParams): { question: LoadQuestionForm; dropped: Dropped[] } {
	const dropped: Dropped[] = [];
	const of = <T>(key: string, read: (text: string) => T | null) => take(query, key, read, dropped);
	const arrivals = readArrivals(query, dropped);
	const traced: Lengths | null = arrivals.kind === "trace" ? { kind: "trace" } : null;
	const share = (text: string) => {
		if (text === "trace") return "trace" as const;
		const value = above(0)(text);
		return value !== null && value <= 1 ? value : null;
	};
	const question: LoadQuestionForm = {
		configuration: query.get("configuration"),
		arrivals,
		trace: query.get("trace"),
		requests: of("requests", whole(1, MOST_REQUESTS)) ?? DEFAULT_QUESTION.requests,
		prompt: of("prompt", readLengths) ?? traced ?? DEFAULT_QUESTION.prompt,
		output: of("output", readLengths) ?? traced ?? DEFAULT_QUESTION.output,
		cached: of("cached", share) ?? 0,
		seed: of("seed", whole(0, Number.MAX_SAFE_INTEGER)) ?? DEFAULT_QUESTION.seed,
		ttftSlo: of("ttftSlo", positive),
		tpotSlo: of("tpotSlo", positive),
		maxSequences: of("maxSequences", whole(1, 1_000_000)),
		chunkTokens: of("chunkTokens", whole(16, 10_000_000)),
		kvTokens: of("kvTokens", whole(1, 1e12)),
		acceptanceLength: of("acceptanceLength", above(1)),
	};
	return {
		question: { ...question, trace: readsTrace(question) ? (question.trace ?? DEFAULT_TRACE) : null },
		dropped,
	};
}

/** Whether any part of a question is read from a trace. */
export const readsTrace = ({ arrivals, prompt, output, cached }: LoadQuestionForm): boolean =>
	cached === "trace" || [arrivals, prompt, output].some(({ kind }) => kind === "trace");

/** The address of a question, defaults left out. */
export function queryOf(question: LoadQuestionForm): URLSearchParams {
	const { arrivals } = question;
	const traced = arrivals.kind === "trace" ? "trace" : null;
	const words: [key: string, value: string | number | null | undefined, standard?: string | number][] = [
		["configuration", question.configuration],
		["arrivals", arrivals.kind, "rate"],
		...arrivalWords(arrivals),
		["trace", readsTrace(question) ? question.trace : null, DEFAULT_TRACE],
		["requests", question.requests, DEFAULT_QUESTION.requests],
		["prompt", writeLengths(question.prompt), traced ?? writeLengths(DEFAULT_QUESTION.prompt)],
		["output", writeLengths(question.output), traced ?? writeLengths(DEFAULT_QUESTION.output)],
		["cached", question.cached, 0],
		["seed", question.seed, DEFAULT_QUESTION.seed],
		["ttftSlo", question.ttftSlo],
		["tpotSlo", question.tpotSlo],
		["maxSequences", question.maxSequences],
		["chunkTokens", question.chunkTokens],
		["kvTokens", question.kvTokens],
		["acceptanceLength", question.acceptanceLength],
	];
	const said = words.filter(
		([, value, standard]) => value !== null && value !== undefined && value !== standard,
	);
	return new URLSearchParams(said.map(([key, value]) => [key, String(value)]));
}

function arrivalWords(arrivals: Arrivals): [string, number | undefined, number?][] {
	switch (arrivals.kind) {
		case "rate":
			return [
				["rate", arrivals.requestsPerSecond, 1],
				["burstiness", arrivals.burstiness],
			];
		case "users":
			return [
				["users", arrivals.users],
				["think", arrivals.thinkSeconds, 0],
			];
		case "burst":
			return [
				["burst", arrivals.requests, 16],
				["every", arrivals.everySeconds, 10],
			];
		case "trace":
			return [["speed", arrivals.speed, 1]];
	}
}

/** The workload of a question. @param trace the one it reads, where it reads one */
export function workloadOf(question: LoadQuestionForm, trace: Workload["trace"] | null): Workload {
	const { arrivals, requests, prompt, output, cached } = question;
	return { arrivals, requests, prompt, output, cachedShare: cached, ...(trace ? { trace } : {}) };
}
