/** What decided a field of the geometry: which key of the config, or which rule. */
export interface Decision {
	field: string;
	from: string;
}

/** Reads a config.json, remembering which key decided what. */
export interface ConfigReader {
	config: Record<string, unknown>;
	decisions: Decision[];
	/** Assumptions that should stand beside the figures. */
	caveats: string[];
}

/** No model has nearly as many; a config that says so is damaged or hostile. */
export const MOST_LAYERS = 10_000;

/** Sections in which multimodal models keep their decoder. */
const DECODER_SECTIONS = ["text_config", "llm_config", "language_config", "language_model", "thinker_config"];

/** Tokens of no context that any model has. */
export const MOST_CONTEXT = 1e9;

/** Most of a count that any model has, by field; everything else is a width or a number of heads. */
const MOST: Readonly<Record<string, number>> = {
	layers: MOST_LAYERS,
	window: MOST_CONTEXT,
	maxContextTokens: MOST_CONTEXT,
};
const MOST_OTHERWISE = 1e6;
/** Vocabularies are counted like widths and are larger. */
const MOST_PEEKED = 1e8;

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Opens a config at its decoder, which may be nested; outer keys stay visible where the decoder has none of its own. */
export function openConfig(config: unknown): ConfigReader {
	if (!isObject(config)) throw new RangeError("config: expected the object of a config.json");
	const reader: ConfigReader = { config, decisions: [], caveats: [] };
	for (let depth = 0; depth < 3; depth++) {
		const outer = reader.config;
		const section = DECODER_SECTIONS.find((name) => isObject(outer[name]));
		if (!section) break;
		const { [section]: inner, ...rest } = outer;
		reader.config = { ...rest, ...(inner as Record<string, unknown>) };
		decide(reader, "decoder", `the section ${section}`);
	}
	return reader;
}

/** Notes what decided a field. */
export function decide(reader: ConfigReader, field: string, from: string): void {
	reader.decisions.push({ field, from });
}

/**
 * A whole number under the first of some keys that is there.
 * @throws RangeError where it is there and not above zero, or more than any model has
 */
export function read(reader: ConfigReader, field: string, ...keys: string[]): number | null {
	for (const key of keys) {
		const value = reader.config[key];
		if (value === undefined || value === null) continue;
		const count = wholeNumber(key, value, 1, MOST[field] ?? MOST_OTHERWISE);
		decide(reader, field, `${key} = ${count}`);
		return count;
	}
	return null;
}

function wholeNumber(key: string, value: unknown, least: number, most: number): number {
	if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
	throw new RangeError(`${key}: ${JSON.stringify(value)} is no whole number from ${least} to ${most}`);
}

/**
 * As `read`, for a field nothing can be worked out without.
 * @throws RangeError where no key has it
 */
export function need(reader: ConfigReader, field: string, ...keys: string[]): number {
	const value = read(reader, field, ...keys);
	if (value === null) throw new RangeError(`${keys.join(" or ")}: missing, needed for ${field}`);
	return value;
}

/** A number under a key without remembering it; null where it is none. */
export function peek(reader: ConfigReader, ...keys: string[]): number | null {
	for (const key of keys) {
		const value = reader.config[key];
		if (typeof value === "number" && Number.isFinite(value)) return value;
	}
	return null;
}

/**
 * A count under the first of some keys that holds one, without remembering it; lists and sections are passed over.
 * @throws RangeError for a value that is no whole number of at least 0
 */
export function peekCount(reader: ConfigReader, ...keys: string[]): number | null {
	for (const key of keys) {
		const value = reader.config[key];
		if (value === undefined || value === null || typeof value === "object") continue;
		return wholeNumber(key, value, 0, MOST_PEEKED);
	}
	return null;
}

/** Which of some keys holds a number. */
export const saidUnder = ({ config }: ConfigReader, keys: readonly string[]): string =>
	keys.find((key) => typeof config[key] === "number") ?? keys.join(" or ");

/** @throws RangeError for KV heads that cannot be shared evenly by the heads that read them */
export function checkKvHeads(key: string, kvHeads: number, heads: number, headsKey: string): void {
	if (Number.isInteger(kvHeads) && kvHeads <= heads && heads % kvHeads === 0) return;
	throw new RangeError(`${key}: ${kvHeads} KV heads do not divide the ${heads} heads of ${headsKey}`);
}
