import type { RowChunk } from "./file-rows.ts";
import type { Recorded } from "./recording.ts";

/** What the thread that reads tells: first the format or a failure, then chunks of rows, then the end. */
export type FromReader =
	| { kind: "format"; format: string }
	| { kind: "rows"; chunk: RowChunk }
	| { kind: "end"; recorded: Recorded }
	| { kind: "failed"; error: { name: "UnreadableFile" | "ArchiveTooLarge" | "Error"; message: string } };

/** What it is told: under which run to write, and each time a chunk was taken; its bytes come back. */
export type ToReader =
	| { kind: "begin"; runId: string }
	| { kind: "taken"; spare: Uint8Array<ArrayBuffer> | undefined };
