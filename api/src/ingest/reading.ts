import type { Item } from "./record.ts";

/** A body no family of formats recognised; the message says what was seen and what to do. */
export class UnreadableFile extends Error {
	override readonly name = "UnreadableFile";
}

/** An archive that unpacks to more bytes than are allowed. */
export class ArchiveTooLarge extends Error {
	override readonly name = "ArchiveTooLarge";
}

export interface Reading {
	/** Family and layout, e.g. "llama-bench jsonl"; of an archive "zip", "tar" or "tar.gz". */
	format: string;
	/** Batches of items in file order. JSONL, CSV and SQL stream: memory does not grow with the file. */
	items: AsyncIterable<Item[]>;
}
