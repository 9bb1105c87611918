import type { Item, Said } from "./record.ts";

export type * from "./record.ts";

/** A body no family of formats recognised; `detail` says what was seen and what to do. */
export class UnreadableFile extends Error {
	override readonly name = "UnreadableFile";
}

export interface Reading {
	/** Family and layout, e.g. "llama-bench jsonl". */
	format: string;
	/** Batches of items in file order. JSONL, CSV and SQL stream: memory does not grow with the file. */
	items: AsyncIterable<Item[]>;
}

/**
 * Recognises a benchmark file by its content and reads it.
 * @param source unpacked bytes of the upload, in chunks of any size
 * @param said what the uploader said beside the file
 * @throws UnreadableFile where no family recognises the content
 */
export declare function readBenchmark(source: AsyncIterable<Uint8Array>, said: Said): Promise<Reading>;
