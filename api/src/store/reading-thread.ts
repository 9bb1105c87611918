import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { ArchiveTooLarge, UnreadableFile } from "../ingest/index.ts";
import type { FileRows, FileToRead, RowChunks } from "./file-rows.ts";
import type { FromReader, ToReader } from "./reading-messages.ts";

/** How long the thread waits for another file before it ends and gives its memory back. */
const IDLE_MS = 200;
/** MiB for short-lived objects: more makes reading no faster. */
const YOUNG_MIB = 24;

/**
 * A thread of its own for reading large files, started when the first one comes: parsing a hundred megabytes would
 * keep everybody else waiting. Files that arrive at the same time share it.
 */
class ReadingThread {
	#worker: Worker | null = null;
	#users = 0;
	#idle: NodeJS.Timeout | undefined;

	/**
	 * Starts the thread where it is not running yet, and keeps it until it is released: it takes a moment to load.
	 * @returns releases it; to be called once
	 */
	hold(): () => void {
		this.#running();
		clearTimeout(this.#idle);
		this.#users++;
		return () => {
			if (--this.#users === 0) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
		};
	}

	/**
	 * Recognises a file, to read it in the thread.
	 * @throws UnreadableFile where no family of formats recognises it
	 */
	async open(file: FileToRead): Promise<FileRows> {
		const conversation = new Conversation(this.#running(), file, this.hold());
		const first = await conversation.next();
		if (first.kind !== "format") throw new Error(`the reading thread began with "${first.kind}"`);
		return {
			format: first.format,
			rows: (runId) => conversation.rows(runId),
			close: () => conversation.close(),
		};
	}

	#running(): Worker {
		this.#worker ??= this.#start();
		return this.#worker;
	}

	#start(): Worker {
		const worker = new Worker(new URL("./reading-worker.ts", import.meta.url), {
			resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
		});
		worker.unref();
		// A thread that broke down says so to the files it was reading; the next one gets a new thread.
		worker
			.on("error", () => {})
			.on("exit", () => {
				if (this.#worker === worker) this.#worker = null;
			});
		return worker;
	}

	#end(): void {
		const worker = this.#worker;
		this.#worker = null;
		void worker?.terminate();
	}
}

/** One file in the thread: what it tells, in order. */
class Conversation {
	readonly #port: MessagePort;
	readonly #told: FromReader[] = [];
	#closed = false;
	#wake: () => void = () => {};

	constructor(worker: Worker, file: FileToRead, whenClosed: () => void) {
		const { port1, port2 } = new MessageChannel();
		this.#port = port1;
		port1.on("message", (message: FromReader) => {
			this.#told.push(message);
			this.#wake();
		});
		port1.on("close", () => {
			this.#closed = true;
			this.#wake();
			whenClosed();
		});
		worker.postMessage({ file, port: port2 }, [port2]);
	}

	/**
	 * The next message.
	 * @throws UnreadableFile, ArchiveTooLarge as they were thrown there; Error where the thread broke down
	 */
	async next(): Promise<Exclude<FromReader, { kind: "failed" }>> {
		while (this.#told.length === 0) {
			if (this.#closed) throw new Error("the thread that was reading the file ended");
			await new Promise<void>((wake) => {
				this.#wake = wake;
			});
		}
		const message = this.#told.shift() as FromReader;
		if (message.kind !== "failed") return message;
		this.close();
		throw revived(message.error);
	}

	/** Has the thread begin at once. */
	rows(runId: string): RowChunks {
		this.#say({ kind: "begin", runId });
		return this.#chunks();
	}

	close(): void {
		this.#port.close();
	}

	async *#chunks(): RowChunks {
		for (;;) {
			const message = await this.next();
			if (message.kind === "end") {
				this.close();
				return message.recorded;
			}
			if (message.kind !== "rows")
				throw new Error(`the reading thread told "${message.kind}" among the rows`);
			const spare = yield message.chunk;
			this.#say({ kind: "taken", spare }, spare ? [spare.buffer] : []);
		}
	}

	#say(message: ToReader, transfer: ArrayBuffer[] = []): void {
		this.#port.postMessage(message, transfer);
	}
}

function revived({ name, message }: { name: string; message: string }): Error {
	if (name === "UnreadableFile") return new UnreadableFile(message);
	return name === "ArchiveTooLarge" ? new ArchiveTooLarge(message) : new Error(message);
}

/** Of this process. */
export const readingThread = new ReadingThread();
