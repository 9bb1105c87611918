import { setImmediate as turn } from "node:timers/promises";
import { type Conditions, type Reading, readBenchmark, type Said } from "../ingest/index.ts";
import { type Catalog, type CatalogRows, catalogOf } from "./catalogs.ts";
import { contradictionsTo } from "./contradictions.ts";
import { doubtBy } from "./doubt.ts";
import { type Recorded, Recording } from "./recording.ts";
import { type PackedPieces, readPieces, unpackPieces } from "./spool.ts";
import { unclearGpu } from "./unclear-gpu.ts";

/** Text handed to COPY at a time. */
const COPY_BYTES = 256 * 1024;

/** What is to be read. Plain data: it may go to another thread. */
export interface FileToRead {
	pieces: PackedPieces;
	said: Said;
	/** Bytes that an archive may unpack to. */
	mostUnpacked: number;
	catalogs: CatalogRows;
}

/** Rows for COPY, and how many items of the file were read so far. */
export interface RowChunk {
	bytes: Uint8Array<ArrayBuffer>;
	read: number;
}

/** Takes back, with each wish for the next chunk, the bytes of an earlier one: they are written over. */
export type RowChunks = AsyncGenerator<RowChunk, Recorded, Uint8Array<ArrayBuffer> | undefined>;

/** A file that was recognised and can be turned into rows, once. */
export interface FileRows {
	format: string;
	/** Chunks of COPY's binary format; at the end what else the file brought. Called once. */
	rows(runId: string): RowChunks;
	/** Lets go of the file, read or not. */
	close(): void;
}

/**
 * Recognises a file, to read it in this thread.
 * @throws UnreadableFile where no family of formats recognises it
 */
export async function openRows(file: FileToRead): Promise<FileRows> {
	const reading = await readBenchmark(unpackPieces(readPieces(file.pieces)), file.said, file.mostUnpacked);
	const catalog = catalogOf(file.catalogs);
	const recording = (runId: string) => new Recording(runId, doubtBy(catalog), remarksBy(file.said, catalog));
	return { format: reading.format, rows: (runId) => rowsOf(reading, recording(runId)), close: () => {} };
}

/** What is to be told of each configuration, beside its rows. */
function remarksBy(said: Said, catalog: Catalog): (conditions: Conditions) => string[] {
	const contradictions = contradictionsTo(said, catalog);
	return (conditions) => {
		const unclear = catalog.gpuOf(conditions) === null ? unclearGpu(conditions, said, catalog) : null;
		return [...contradictions(conditions), ...(unclear === null ? [] : [unclear])];
	};
}

async function* rowsOf(reading: Reading, recording: Recording): RowChunks {
	const { rows, recorded } = recording;
	let spare: Uint8Array<ArrayBuffer> | undefined;
	const chunk = () => ({ bytes: rows.take(spare), read: itemsIn(recorded) });
	for await (const items of reading.items) {
		for (const item of items) recording.take(item);
		if (rows.length >= COPY_BYTES) spare = yield chunk();
		// Parsing is the processor's work: others get their turn between batches.
		await turn();
	}
	const all = recording.end();
	yield chunk();
	return all;
}

function itemsIn({ accepted, failed, rejected, aside }: Recorded): number {
	return accepted + failed + rejected + aside;
}
