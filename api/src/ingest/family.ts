import type { Item, Said } from "./record.ts";

/** The beginning of an upload, for recognising its family. */
export interface Sample {
	/** Decoded text: no BOM, UTF-16 turned, colour codes removed, line ends \n. At most 256 KiB. */
	text: string;
	/** Whether `text` is the whole file. */
	whole: boolean;
	/** The first JSON value or the first line's JSON value, repaired, where there is one; else undefined. */
	json: unknown;
	/** Whether that value stands on one line, as the rows of JSONL do; a whole result on one line counts too. */
	jsonLines: boolean;
}

/** Reads a file line by line, so that memory does not grow with the file. */
export interface LineReader {
	/** @param number 1-based line number in the file */
	line(text: string, number: number): Iterable<Item>;
	end(): Iterable<Item>;
}

/** One family of benchmark files: recognises a file and turns it into items. Pure: no clock, no I/O. */
export interface Family {
	/** Stored as the run's format, e.g. "llama-bench jsonl". */
	name: string;
	detect(sample: Sample): boolean;
	/** Exactly one of the two. */
	lines?: (said: Said) => LineReader;
	document?: (text: string, said: Said) => Iterable<Item>;
}
