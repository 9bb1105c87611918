import { HeaderBytes } from "./header-bytes.ts";

/**
 * Reads the header of a GGUF file in the browser, by slices of the file: nothing is sent anywhere.
 * Not @huggingface/gguf 0.4.6, which can be made to read slices, but decodes every word of the tokenizer (0.9 s of a
 * standing page for 150,000 tokens and 280,000 merges, 0.01 to 0.03 s here), takes a file that was cut within its header
 * without a word, and brings 260 kB of scripts.
 * @source ggml/docs/gguf.md
 */

/** Key–values of a header, long lists left out, and its tensors. */
export interface GgufHeader {
	metadata: Record<string, unknown>;
	tensorInfos: { name: string; shape: number[]; dtype: number }[];
}

type Read = (view: DataView, at: number) => unknown;

/** Widths and readers of the plain value types by number. */
const PLAIN: Readonly<Record<number, readonly [bytes: number, read: Read]>> = {
	0: [1, (v, at) => v.getUint8(at)],
	1: [1, (v, at) => v.getInt8(at)],
	2: [2, (v, at) => v.getUint16(at, true)],
	3: [2, (v, at) => v.getInt16(at, true)],
	4: [4, (v, at) => v.getUint32(at, true)],
	5: [4, (v, at) => v.getInt32(at, true)],
	6: [4, (v, at) => v.getFloat32(at, true)],
	7: [1, (v, at) => v.getUint8(at) !== 0],
	10: [8, (v, at) => Number(v.getBigUint64(at, true))],
	11: [8, (v, at) => Number(v.getBigInt64(at, true))],
	12: [8, (v, at) => v.getFloat64(at, true)],
};
const TEXT = 8;
const LIST = 9;

/** Longest list that is kept: one value for each layer, and not a vocabulary. */
const KEPT_VALUES = 10_000;
const MOST_KEYS = 100_000;
const MOST_TENSORS = 1_000_000;
const MOST_DIMENSIONS = 8;
const DEEPEST_LIST = 4;

/** Stands for a list that was passed over. */
const PASSED = Symbol("passed over");

/**
 * The header of a GGUF file.
 * @param file the whole file, or as much of its start as holds the header
 * @throws Error in words for what is no such file; CutHeader for one that ends too early
 */
export async function readGgufHeader(file: Blob): Promise<GgufHeader> {
	const bytes = new HeaderBytes(file);
	const magic = await bytes.u32();
	if (magic !== 0x46554747) throw new Error("This is no GGUF file: it does not start with GGUF.");
	const version = await bytes.u32();
	if (version !== 2 && version !== 3)
		throw new Error(`GGUF version ${version} is not read here, only 2 and 3 (little-endian).`);
	const tensors = within(await bytes.size(), MOST_TENSORS, "tensors");
	const keys = within(await bytes.size(), MOST_KEYS, "keys");
	const metadata: Record<string, unknown> = {};
	for (let i = 0; i < keys; i++) {
		const key = await bytes.text();
		const value = await readValue(bytes, await bytes.u32());
		if (value !== PASSED) metadata[key] = value;
	}
	const tensorInfos: GgufHeader["tensorInfos"] = [];
	for (let i = 0; i < tensors; i++) tensorInfos.push(await readTensor(bytes));
	return { metadata, tensorInfos };
}

function within(count: number, most: number, what: string): number {
	if (count <= most) return count;
	throw new Error(`The header is damaged: it announces ${count} ${what}.`);
}

async function readValue(bytes: HeaderBytes, type: number, depth = 0): Promise<unknown> {
	if (type === TEXT) return bytes.text();
	if (type === LIST) return readList(bytes, depth);
	const plain = PLAIN[type];
	if (!plain) throw new Error(`The header is damaged: there is no value type ${type}.`);
	await bytes.need(plain[0]);
	return bytes.take(...plain);
}

async function readList(bytes: HeaderBytes, depth: number): Promise<unknown> {
	if (depth >= DEEPEST_LIST) throw new Error("The header is damaged: lists within lists.");
	const type = await bytes.u32();
	const length = await bytes.size();
	const plain = PLAIN[type];
	if (plain && length > KEPT_VALUES) {
		await bytes.skip(length * plain[0]);
		return PASSED;
	}
	if (type === TEXT) return passTexts(bytes, length);
	const values: unknown[] = [];
	for (let i = 0; i < within(length, KEPT_VALUES, "values"); i++)
		values.push(await readValue(bytes, type, depth + 1));
	return values;
}

/** Words of the tokenizer say nothing about size: only their lengths are read. */
async function passTexts(bytes: HeaderBytes, length: number): Promise<typeof PASSED> {
	for (let i = 0; i < length; i++) {
		if (bytes.ready < 8) await bytes.need(8);
		const size = bytes.takeSize();
		// Waiting for what is there already would cost more than the reading.
		if (bytes.ready >= size) bytes.pass(size);
		else await bytes.skip(size);
	}
	return PASSED;
}

async function readTensor(bytes: HeaderBytes): Promise<GgufHeader["tensorInfos"][number]> {
	const name = await bytes.text();
	const dimensions = within(await bytes.u32(), MOST_DIMENSIONS, "dimensions of a tensor");
	const shape: number[] = [];
	for (let i = 0; i < dimensions; i++) shape.push(await bytes.size());
	const dtype = await bytes.u32();
	// The tensor's place in the file.
	await bytes.size();
	return { name, shape, dtype };
}
