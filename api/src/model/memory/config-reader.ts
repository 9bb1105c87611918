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
 * @throws RangeError where it is there and not above zero
 */
export function read(reader: ConfigReader, field: string, ...keys: string[]): number | null {
	for (const key of keys) {
		const value = reader.config[key];
		if (value === undefined || value === null) continue;
		if (typeof value !== "number" || !Number.isFinite(value) || value <= 0)
			throw new RangeError(`${key}: ${JSON.stringify(value)} is not a number above 0`);
		decide(reader, field, `${key} = ${value}`);
		return value;
	}
	return null;
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
