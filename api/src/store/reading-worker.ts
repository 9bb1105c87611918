import { once } from "node:events";
import { type MessagePort, parentPort } from "node:worker_threads";
import { ArchiveTooLarge, UnreadableFile } from "../ingest/index.ts";
import { type FileToRead, openRows } from "./file-rows.ts";
import type { FromReader, ToReader } from "./reading-messages.ts";

/** The thread that reads large files: each has a port of its own, so that several can be read at the same time. */
parentPort?.on(
	"message",
	({ file, port }: { file: FileToRead; port: MessagePort }) => void serve(file, port),
);

/** Chunks that may wait in the other thread before this one pauses: some 6 MB. */
const AHEAD = 16;

async function serve(file: FileToRead, port: MessagePort): Promise<void> {
	const tell = (message: FromReader, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
	const closed = once(port, "close").then(() => null);
	const wishes = new Wishes(port);
	try {
		const { format, rows } = await openRows(file);
		tell({ kind: "format", format });
		const runId = await Promise.race([wishes.runId, closed]);
		if (runId === null) return;
		const chunks = rows(runId);
		for (let sent = 0; ; sent++) {
			const { value, done } = await chunks.next(wishes.spare());
			if (done) return tell({ kind: "end", recorded: value });
			tell({ kind: "rows", chunk: value }, [value.bytes.buffer]);
			const open = await Promise.race([wishes.reaches(sent + 1 - AHEAD), closed]);
			if (open === null) return void (await chunks.return(undefined as never));
		}
	} catch (error) {
		tell({ kind: "failed", error: described(error) });
	}
}

/** What the other thread asked for so far. */
class Wishes {
	readonly runId: Promise<string>;
	readonly #spares: Uint8Array<ArrayBuffer>[] = [];
	#taken = 0;
	#arrived: () => void = () => {};

	constructor(port: MessagePort) {
		this.runId = new Promise((resolve) => {
			port.on("message", (message: ToReader) => {
				if (message.kind === "begin") resolve(message.runId);
				else this.#take(message.spare);
				this.#arrived();
			});
		});
	}

	/** Bytes of a chunk that was taken, to be written over. */
	spare(): Uint8Array<ArrayBuffer> | undefined {
		return this.#spares.pop();
	}

	/** Waits until so many chunks were taken. */
	async reaches(taken: number): Promise<true> {
		while (this.#taken < taken)
			await new Promise<void>((arrived) => {
				this.#arrived = arrived;
			});
		return true;
	}

	#take(spare: Uint8Array<ArrayBuffer> | undefined): void {
		this.#taken++;
		if (spare) this.#spares.push(spare);
	}
}

/** An error as plain data: its class does not survive the way. */
function described(error: unknown): Extract<FromReader, { kind: "failed" }>["error"] {
	if (error instanceof UnreadableFile) return { name: "UnreadableFile", message: error.message };
	if (error instanceof ArchiveTooLarge) return { name: "ArchiveTooLarge", message: error.message };
	return { name: "Error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
