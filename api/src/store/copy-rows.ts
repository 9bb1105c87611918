import { once } from "node:events";
import type { Writable } from "node:stream";
import type { RowChunks } from "./file-rows.ts";
import { MEASUREMENT_COLUMNS } from "./measurement-row.ts";
import type { Recorded } from "./recording.ts";
import type { Queryable } from "./sql.ts";

/** How far an upload is, once it has arrived: first its rows are read and stored, then the fits follow. */
export type Step = { stage: "reading"; rows: number } | { stage: "fitting" };

/** Told each step. */
export type Progress = (step: Step) => void;

/** Streams a file's rows into the table, in step with what the database takes. */
export async function copyRows(tx: Queryable, rows: RowChunks, progress: Progress): Promise<Recorded> {
	const columns = tx.unsafe(MEASUREMENT_COLUMNS.join(", "));
	const copy = await tx`copy measurements (${columns}) from stdin (format binary)`.writable();
	const failed = new Promise<never>((_, reject) => copy.on("error", reject));
	failed.catch(() => {});
	try {
		let next = await rows.next();
		while (!next.done) {
			const { bytes, read } = next.value;
			await hand(copy, bytes, failed);
			progress({ stage: "reading", rows: read });
			next = await rows.next(bytes);
		}
		copy.end();
		await Promise.race([once(copy, "finish"), failed]);
		return next.value;
	} catch (error) {
		copy.destroy(error instanceof Error ? error : new Error(String(error)));
		throw error;
	}
}

/** Once this is done, the bytes are the caller's again. */
async function hand(copy: Writable, bytes: Uint8Array, failed: Promise<never>): Promise<void> {
	if (!copy.write(bytes)) await Promise.race([once(copy, "drain"), failed]);
}
