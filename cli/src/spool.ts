import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { UsageProblem } from "./usage-problem.ts";

const CHUNK_BYTES = 64 * 1024;

/**
 * Bytes that come only once, kept packed so that they can be posted as often as it takes: in a file that already
 * has no name when it gets its first byte, so that nothing is left behind whatever happens.
 */
export class Spool {
	readonly #file: FileHandle;
	readonly #gzip = createGzip();
	readonly #stored: Promise<void>;
	#bytes = 0;
	/** Why the bytes could not be kept; null: they are. */
	#failure: Error | null = null;

	private constructor(file: FileHandle) {
		this.#file = file;
		this.#stored = this.#store().catch((error: Error) => {
			this.#failure = error;
		});
	}

	/** @throws UsageProblem where there is no place for it */
	static async create(): Promise<Spool> {
		const path = join(tmpdir(), `plimsoll-${randomUUID()}`);
		try {
			const file = await open(path, "wx+", 0o600);
			await unlink(path);
			return new Spool(file);
		} catch (error) {
			throw noPlace(error as Error);
		}
	}

	get isEmpty(): boolean {
		return this.#bytes === 0;
	}

	/** Takes a chunk, in step with the disk. What cannot be kept never stops the one who writes. */
	async write(chunk: Uint8Array): Promise<void> {
		this.#bytes += chunk.length;
		if (this.#failure === null && !this.#gzip.write(chunk))
			await Promise.race([once(this.#gzip, "drain"), this.#stored]);
	}

	/** @throws UsageProblem where the bytes could not be kept */
	async end(): Promise<void> {
		this.#gzip.end();
		await this.#stored;
		if (this.#failure) throw noPlace(this.#failure);
	}

	/** The packed bytes from the beginning; after `end`. */
	read(): Readable {
		return Readable.from(this.#chunks());
	}

	async dispose(): Promise<void> {
		this.#gzip.destroy();
		await this.#file.close();
	}

	async #store(): Promise<void> {
		for await (const packed of this.#gzip) await this.#file.appendFile(packed);
	}

	async *#chunks(): AsyncGenerator<Buffer> {
		for (let position = 0; ; ) {
			const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
			const { bytesRead } = await this.#file.read(buffer, 0, CHUNK_BYTES, position);
			if (bytesRead === 0) return;
			position += bytesRead;
			yield buffer.subarray(0, bytesRead);
		}
	}
}

function noPlace({ message }: Error): UsageProblem {
	return new UsageProblem(
		`Nothing can be kept in ${tmpdir()} (${message}); set TMPDIR to a folder with room.`,
	);
}
