import { FAMILIES } from "./families.ts";
import type { Family, LineReader, Sample } from "./family.ts";
import type { Reading } from "./reading.ts";
import type { Item, Said } from "./record.ts";
import { fillSaid } from "./said.ts";
import { type FoundJson, jsonValues } from "./text/json.ts";
import { cleanText, Decoder, type LineCleaner, LineSplitter, lineCleaner } from "./text/text.ts";
import { unrecognised } from "./unrecognised.ts";

const SAMPLE_LENGTH = 256 * 1024;
const BATCH = 1000;
/** Bytes decoded at once: text of this size dies young, larger pieces would wait for the collection of all. */
const SLICE_BYTES = 64 * 1024;
/** Shortest beginning of a row on its own line; no terminal is narrower. */
const ROW_START = 40;
/** Cut values in front of a whole one that are looked at to find it. */
const MAX_LOOKS = 16;

/** Fills in what an item's source does not say, in place. */
export type Fill = (item: Item) => void;

/**
 * Recognises the text of one benchmark file by its content and reads it.
 * @param source unpacked bytes, in chunks of any size
 * @param said what the uploader said beside the file
 * @param nearer knows more than the uploader said and less than the file: the folder it lay in
 * @throws UnreadableFile where no family recognises the content
 */
export async function readFile(
	source: AsyncIterable<Uint8Array>,
	said: Said,
	nearer: Fill | null = null,
): Promise<Reading> {
	const input = new Input(source);
	await input.fill(SAMPLE_LENGTH);
	let family = recognise(sampleOf(input));
	if (family === undefined && !input.ended) {
		// What decides may stand behind a long list: look again at the whole file.
		await input.fill(Number.POSITIVE_INFINITY);
		family = recognise(sampleOf(input));
	}
	if (family === undefined) throw unrecognised(input.text);
	return { format: family.name, items: itemsOf(family, input, said, nearer) };
}

/** Decoded text of an upload: a beginning that was looked at, then the rest as it comes. */
class Input {
	text = "";
	ended = false;
	private readonly chunks: AsyncIterator<Uint8Array>;
	private readonly decoder = new Decoder();
	/** Bytes of the last chunk that are not decoded yet. */
	private rest: Uint8Array = new Uint8Array(0);

	constructor(source: AsyncIterable<Uint8Array>) {
		this.chunks = source[Symbol.asyncIterator]();
	}

	async fill(length: number): Promise<void> {
		const pieces = [this.text];
		for (let have = this.text.length; have < length && !this.ended; ) {
			const piece = await this.next();
			pieces.push(piece);
			have += piece.length;
		}
		this.text = pieces.join("");
	}

	/** The text not yet handed out, piece by piece. */
	async *pieces(): AsyncGenerator<string> {
		yield this.text;
		this.text = "";
		while (!this.ended) yield await this.next();
	}

	/** Ends the source early, so that its owner can let go of it. */
	async release(): Promise<void> {
		if (!this.ended) await this.chunks.return?.();
		this.ended = true;
	}

	private async next(): Promise<string> {
		if (this.rest.length === 0) {
			const { value, done } = await this.chunks.next();
			if (done) {
				this.ended = true;
				return this.decoder.end();
			}
			this.rest = value;
		}
		const slice = this.rest.subarray(0, SLICE_BYTES);
		this.rest = this.rest.subarray(SLICE_BYTES);
		return this.decoder.write(slice);
	}
}

function sampleOf(input: Input): Sample {
	const text = cleanText(input.text);
	const found = firstJson(text);
	return {
		text,
		whole: input.ended,
		json: found?.telling.value,
		jsonLines: found !== null && onOneLine(text, found.first),
	};
}

/** The first JSON value, and the first whole one, which tells more of its kind; the same where all are cut. */
function firstJson(text: string): { first: FoundJson; telling: FoundJson } | null {
	let first: FoundJson | null = null;
	let looked = 0;
	for (const found of jsonValues(text)) {
		first ??= found;
		if (found.fault === null) return { first, telling: found };
		if (++looked === MAX_LOOKS) break;
	}
	return first && { first, telling: first };
}

/** A row of JSONL holds its fields on its line, also when a terminal broke it; printed JSON begins with a bare "{". */
function onOneLine(text: string, { start, end }: { start: number; end: number }): boolean {
	const lineEnd = text.indexOf("\n", start);
	if (lineEnd === -1 || text.slice(lineEnd, end).trim() === "") return true;
	return text[start] === "{" && lineEnd - start >= ROW_START;
}

function recognise(sample: Sample): Family | undefined {
	return FAMILIES.find((family) => family.detect(sample));
}

async function* itemsOf(
	family: Family,
	input: Input,
	said: Said,
	nearer: Fill | null,
): AsyncGenerator<Item[]> {
	const remarks: Item[] = [];
	const fill = fillSaid(said, (text) => remarks.push({ kind: "note", text }));
	try {
		const batches = family.lines
			? lineBatches(family.lines(said), input)
			: batched(documentItems(family, input, said));
		for await (const batch of batches) {
			if (nearer !== null) batch.forEach(nearer);
			batch.forEach(fill);
			yield remarks.length > 0 ? [...batch, ...remarks.splice(0)] : batch;
		}
	} finally {
		await input.release();
	}
}

async function* lineBatches(reader: LineReader, input: Input): AsyncGenerator<Item[]> {
	const splitter = new LineSplitter();
	const clean = lineCleaner(input.text);
	let batch: Item[] = [];
	for await (const piece of input.pieces()) {
		for (const items of readLines(splitter.write(piece), splitter, reader, clean)) {
			batch.push(...items);
			if (batch.length < BATCH) continue;
			yield batch;
			batch = [];
		}
	}
	for (const items of readLines(splitter.end(), splitter, reader, clean)) batch.push(...items);
	batch.push(...reader.end());
	yield* inBatches(batch);
}

function* readLines(
	lines: Iterable<string>,
	splitter: LineSplitter,
	reader: LineReader,
	clean: LineCleaner,
): Generator<Iterable<Item>> {
	for (const line of lines) yield reader.line(clean(line), splitter.number - 1);
}

async function* documentItems(family: Family, input: Input, said: Said): AsyncGenerator<Item> {
	await input.fill(Number.POSITIVE_INFINITY);
	const text = cleanText(input.text);
	input.text = "";
	yield* family.document?.(text, said) ?? [];
}

async function* batched(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
	let batch: Item[] = [];
	for await (const item of items) {
		if (batch.push(item) < BATCH) continue;
		yield batch;
		batch = [];
	}
	if (batch.length > 0) yield batch;
}

function* inBatches(items: Item[]): Generator<Item[]> {
	for (let from = 0; from < items.length; from += BATCH) yield items.slice(from, from + BATCH);
}
