import { once } from "node:events";
import type { Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { Reading } from "../ingest/index.ts";
import { MEASUREMENT_COLUMNS } from "./measurement-row.ts";
import type { Recording } from "./recording.ts";
import type { Queryable } from "./sql.ts";

/** Text handed to COPY at a time. */
const COPY_BYTES = 256 * 1024;

/** Streams the file's rows into the table, in step with what the database takes. */
export async function copyItems(tx: Queryable, reading: Reading, recording: Recording): Promise<void> {
	const columns = tx.unsafe(MEASUREMENT_COLUMNS.join(", "));
	const copy = await tx`copy measurements (${columns}) from stdin`.writable();
	const failed = new Promise<never>((_, reject) => copy.on("error", reject));
	failed.catch(() => {});
	try {
		let text = "";
		for await (const items of reading.items) {
			for (const item of items) text += recording.take(item);
			if (text.length >= COPY_BYTES) text = await hand(copy, text, failed);
			// Parsing is the processor's work: other requests get their turn between batches.
			await turn();
		}
		await hand(copy, text, failed);
		copy.end();
		await Promise.race([once(copy, "finish"), failed]);
	} catch (error) {
		copy.destroy(error instanceof Error ? error : new Error(String(error)));
		throw error;
	}
}

async function hand(copy: Writable, text: string, failed: Promise<never>): Promise<""> {
	if (text !== "" && !copy.write(text)) await Promise.race([once(copy, "drain"), failed]);
	return "";
}
