import { type ConfigReader, decide, isObject, peek, peekCount, read } from "./config-reader.ts";

/** Reads the key–values of a GGUF header, remembering which key decided what. */
export interface GgufReader extends ConfigReader {
	/** general.architecture: the prefix of every key about the network. */
	architecture: string;
}

/** 64-bit counts arrive as bigint from some readers. */
function plain(value: unknown): unknown {
	if (typeof value === "bigint") return Number(value);
	return Array.isArray(value) ? value.map(plain) : value;
}

/**
 * Opens the metadata of a GGUF header.
 * @param metadata key–values by their full names, e.g. "llama.block_count"
 * @throws RangeError where no architecture is named
 */
export function openGguf(metadata: unknown): GgufReader {
	if (!isObject(metadata)) throw new RangeError("metadata: expected the key–values of a GGUF header");
	const architecture = metadata["general.architecture"];
	if (typeof architecture !== "string" || architecture === "")
		throw new RangeError("general.architecture: missing, needed to read a GGUF header");
	const config = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, plain(value)]));
	return { architecture, config, decisions: [], caveats: [] };
}

const keys = ({ architecture }: GgufReader, names: readonly string[]) =>
	names.map((name) => `${architecture}.${name}`);

/** A number above 0 under the first of some keys of the architecture, remembered. @throws RangeError as `read` */
export const readOwn = (reader: GgufReader, field: string, ...names: string[]): number | null =>
	read(reader, field, ...keys(reader, names));

/** A number under a key of the architecture, not remembered. */
export const peekOwn = (reader: GgufReader, ...names: string[]): number | null =>
	peek(reader, ...keys(reader, names));

/** A count under a key of the architecture, not remembered. @throws RangeError as `peekCount` */
export const countOwn = (reader: GgufReader, ...names: string[]): number | null =>
	peekCount(reader, ...keys(reader, names));

/** Whatever stands under a key of the architecture. */
export const rawOwn = (reader: GgufReader, name: string): unknown =>
	reader.config[`${reader.architecture}.${name}`];

/** @throws RangeError where the key is missing */
export function needOwn(reader: GgufReader, field: string, name: string): number {
	const value = readOwn(reader, field, name);
	if (value === null) throw new RangeError(`${reader.architecture}.${name}: missing, needed for ${field}`);
	return value;
}

/** More than any model has of heads or widths. */
const MOST_PER_LAYER = 1e6;
const isCount = (n: number) => Number.isInteger(n) && n >= 0 && n <= MOST_PER_LAYER;

/**
 * A count for each layer: one number for all, or a list.
 * @returns null where the key is missing
 * @throws RangeError for a list of another length
 */
export function perLayer(reader: GgufReader, field: string, name: string, layers: number): number[] | null {
	const value = rawOwn(reader, name);
	const key = `${reader.architecture}.${name}`;
	if (value === undefined || value === null) return null;
	if (!Array.isArray(value)) {
		if (typeof value !== "number" || !isCount(value))
			throw new RangeError(`${key}: ${JSON.stringify(value)} is no count`);
		decide(reader, field, `${key} = ${value}`);
		return Array<number>(layers).fill(value);
	}
	if (value.length < layers || !value.every((n): n is number => typeof n === "number" && isCount(n)))
		throw new RangeError(`${key}: ${value.length} counts for ${layers} layers`);
	decide(reader, field, `${key}: a list for ${layers} layers`);
	return value.slice(0, layers);
}
