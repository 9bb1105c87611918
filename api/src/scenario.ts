import { BLANK_SCENARIO, kvTypeOf, MOST_PRICE_USD, type Scenario, tokensOf } from "./model/index.ts";

/** A key of the query string that could not be read, and why. */
export interface ScenarioProblem {
	at: string;
	reason: string;
}

interface Key {
	field: keyof Scenario;
	read: (text: string) => unknown;
	write?: (value: never) => string;
}

class Unreadable extends Error {}

/** Reads a count of tokens: "65536", "128,000", "64k" and "128K" (× 1000), "1M" (× 1,000,000). */
function readTokens(text: string): number {
	const tokens = tokensOf(text);
	if (tokens === null)
		throw new Unreadable(`'${text}' is no whole number; write 65536, 128000 or 128K (× 1000)`);
	return tokens;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const numberOf = (text: string, what: string): number => {
	const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
	if (!Number.isFinite(value)) throw new Unreadable(`'${text}' is no number; ${what}`);
	return value;
};

const within = (value: number, low: number, high: number, what: string): number => {
	if (value < low || value > high) throw new Unreadable(`${value} is outside ${low} to ${high}: ${what}`);
	return value;
};

const tokens = (least: number) => (text: string) =>
	within(readTokens(text), least, 100_000_000, "a number of tokens");
const whole = (most: number, what: string) => (text: string) => {
	const value = within(readTokens(text), 1, most, what);
	return value;
};
const positive = (what: string) => (text: string) => {
	const value = numberOf(text, what);
	if (value <= 0) throw new Unreadable(`${value} is not above 0: ${what}`);
	return value;
};
const share = (what: string, least: number) => (text: string) => {
	const value = text.trim().endsWith("%")
		? numberOf(text.trim().slice(0, -1), what) / 100
		: numberOf(text, what);
	if (value < least || value > 1) throw new Unreadable(`${value} is outside ${least} to 1: ${what}`);
	return value;
};
const text = (value: string) => {
	if (value.trim() === "") throw new Unreadable("empty");
	return value.trim();
};
const kvType = (name: string) => {
	const type = kvTypeOf(name);
	if (!type) throw new Unreadable(`'${name}' is no cache type; known: f16, bf16, fp8, q8_0, q4_0, …`);
	return type;
};

/** The keys of a scenario in a query string, in the order they are written; `kv` stands for both K and V. */
const KEYS: Record<string, Key> = {
	configuration: { field: "configuration", read: text },
	model: { field: "model", read: text },
	gpu: { field: "gpu", read: text },
	engine: { field: "engine", read: text },
	gpus: { field: "gpus", read: whole(100_000, "a number of GPUs") },
	tp: { field: "tp", read: whole(1024, "tensor-parallel ranks") },
	weights: { field: "weights", read: text },
	kvK: { field: "kvK", read: kvType },
	kvV: { field: "kvV", read: kvType },
	kvHeads: { field: "kvHeads", read: whole(4096, "a number of KV heads") },
	context: { field: "context", read: tokens(1) },
	output: { field: "output", read: tokens(1) },
	concurrency: { field: "concurrency", read: whole(10_000_000, "requests in flight") },
	rate: {
		field: "rate",
		read: (value) => within(numberOf(value, "requests per second"), 1e-6, 1e6, "requests per second"),
	},
	cached: { field: "cached", read: share("share of the prompt that is cached", 0) },
	utilisation: { field: "utilisation", read: share("share of the card", 0.01) },
	maxSequences: {
		field: "maxSequences",
		read: whole(1_000_000, "sequences that one engine runs at most"),
	},
	price: {
		field: "price",
		read: (value) => within(numberOf(value, "USD per GPU-hour"), 0, MOST_PRICE_USD, "USD per GPU-hour"),
	},
	busy: { field: "busy", read: share("share of paid hours that are used", 0.001) },
	ttftSlo: { field: "ttftSlo", read: positive("seconds to the first token") },
	tpotSlo: { field: "tpotSlo", read: positive("seconds per output token") },
	weightsBytes: { field: "weightsBytes", read: positive("bytes of weights per GPU") },
	totalBytes: {
		field: "totalBytes",
		read: (value) => within(numberOf(value, "bytes"), 1, 1e15, "bytes of memory of one card"),
	},
	overheadBytes: {
		field: "overheadBytes",
		read: (value) => within(numberOf(value, "bytes"), 0, 1e15, "bytes per GPU"),
	},
};

/** Keys of a query that are no part of a scenario: misspelt ones, most likely. */
export function unknownKeys(params: URLSearchParams): ScenarioProblem[] {
	const known = ["kv", ...Object.keys(KEYS)];
	const unknown = [...new Set(params.keys())].filter((key) => !known.includes(key));
	return unknown.map((at) => ({ at, reason: `is no key of a scenario; known: ${known.join(", ")}` }));
}

/** The scenario as a query string, defaults omitted except the length, which is the model's own; equal K and V types are one `kv`. */
export function scenarioToQuery(scenario: Scenario): URLSearchParams {
	const query = new URLSearchParams();
	const { kvK, kvV } = scenario;
	for (const [key, { field }] of Object.entries(KEYS)) {
		const value = scenario[field];
		const both = kvK === kvV && kvK !== null;
		if (field === "kvK" && both) query.set("kv", String(kvK));
		else if ((field === "kvK" || field === "kvV") && both) continue;
		else if (value !== null && (field === "context" || value !== BLANK_SCENARIO[field]))
			query.set(key, String(value));
	}
	return query;
}

/**
 * Reads a scenario from a query string; what is left out keeps the given defaults.
 * @param params the query; keys that are no part of a scenario are left alone
 * @param defaults what omitted keys mean, by default BLANK_SCENARIO
 * @returns the scenario, and every key that could not be read with the reason
 */
export function scenarioFromQuery(
	params: URLSearchParams,
	defaults: Scenario = BLANK_SCENARIO,
): { scenario: Scenario; problems: ScenarioProblem[] } {
	const scenario: Scenario = { ...defaults };
	const problems: ScenarioProblem[] = [];
	const take = (key: string, fields: (keyof Scenario)[], read: Key["read"]) => {
		const raw = params.get(key);
		if (raw === null) return;
		try {
			const value = read(raw);
			for (const field of fields) Object.assign(scenario, { [field]: value });
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
			problems.push({ at: key, reason: error.message });
		}
	};
	take("kv", ["kvK", "kvV"], kvType);
	for (const [key, { field, read }] of Object.entries(KEYS)) take(key, [field], read);
	const isGiven = (key: string) => params.has(key) && !problems.some(({ at }) => at === key);
	if (isGiven("concurrency")) scenario.rate = null;
	else if (isGiven("rate")) scenario.concurrency = null;
	if (isGiven("rate") && isGiven("concurrency"))
		problems.push({ at: "rate", reason: "give either concurrency or rate, not both" });
	const { gpus, tp } = scenario;
	if (gpus !== null && tp !== null && tp > gpus) {
		problems.push({ at: "tp", reason: `one engine over ${tp} GPUs needs as many; there are ${gpus}` });
		scenario.tp = null;
	}
	return { scenario, problems };
}
