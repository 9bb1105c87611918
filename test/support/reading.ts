import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Item, type Measurement, readBenchmark, type Said } from "@plimsoll/api/ingest";

/** A folder of the shared data; null where this machine has none, and its tests say "skipped: no shared data". */
export function sharedFolder(name: string, override?: string): string | null {
	const folder = resolve(override ?? join(import.meta.dirname, "../../../shared/data", name));
	return existsSync(folder) ? folder : null;
}

/** What a file was read as. */
export interface FileReading {
	format: string;
	items: Item[];
	/** How many items there are of each kind. */
	counts: Partial<Record<Item["kind"], number>>;
	measurements: Measurement[];
}

/** Reads bytes as an upload in one chunk, or in pieces of `chunk` bytes. */
export async function readBytes(
	bytes: Uint8Array,
	said: Said = {},
	chunk = bytes.length,
): Promise<FileReading> {
	const reading = await readBenchmark(inChunks(bytes, chunk), said);
	const items: Item[] = [];
	for await (const batch of reading.items) items.push(...batch);
	const counts: FileReading["counts"] = {};
	for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1;
	const measurements = items.flatMap((item) => (item.kind === "measurement" ? [item.measurement] : []));
	return { format: reading.format, items, counts, measurements };
}

export function readText(text: string, said: Said = {}): Promise<FileReading> {
	return readBytes(new TextEncoder().encode(text), said);
}

export function readFile(path: string, said: Said = {}): Promise<FileReading> {
	return readBytes(readFileSync(path), said);
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
	for (let from = 0; from < bytes.length; from += Math.max(size, 1)) yield bytes.subarray(from, from + size);
}
