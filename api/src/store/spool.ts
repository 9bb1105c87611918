import { createHash, randomUUID } from "node:crypto";
import { read } from "node:fs";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { pipeline as passThrough } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createGunzip, createGzip } from "node:zlib";

const readAt = promisify(read);

/** Packed bytes of one piece; the database keeps the upload in the same pieces. */
export const PIECE_BYTES = 256 * 1024;
/** Bytes that the packer and the unpacker make at a time. */
const CHUNK_BYTES = 256 * 1024;
/** Bytes of the beginning that are kept apart. */
const HEAD_BYTES = 512;
/** Packed bytes held in memory before a file takes over. */
const MEMORY_BYTES = 4 * 1024 * 1024;
/** Bytes that may arrive while others are being packed, in the thread pool. */
const AHEAD_BYTES = 1024 * 1024;

/** An upload that has arrived whole, as one gzip stream cut into pieces, in memory or in a file without a name. */
export interface Spool {
	/** Unpacked. */
	bytes: number;
	/** SHA-256 of the unpacked bytes, hex. */
	sha256: string;
	/** The beginning, unpacked. */
	head: Uint8Array;
	pieces: PackedPieces;
	dispose(): Promise<void>;
}

/** Where the packed pieces of a spool are, in their order; plain data, also for another thread of this process. */
export interface PackedPieces {
	memory: Uint8Array[];
	/** Descriptor of the file that holds the others. */
	file: number | null;
	lengths: number[];
}

/**
 * Takes an upload in, so that a slow or broken connection never meets the database.
 * @param folder where large uploads wait; created where it is missing
 */
export async function spoolUpload(source: AsyncIterable<Uint8Array>, folder: string): Promise<Spool> {
	const store = new PieceStore(folder);
	const hash = createHash("sha256");
	let bytes = 0;
	let head: Uint8Array = new Uint8Array(0);
	async function* hashed() {
		for await (const chunk of source) {
			if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
			bytes += chunk.length;
			hash.update(chunk);
			yield chunk;
		}
	}
	try {
		// One packer for all: each has half a megabyte of state, which is freed late.
		const gzip = createGzip({
			...{ level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES, writableHighWaterMark: AHEAD_BYTES },
		});
		await passThrough(Readable.from(hashed(), { objectMode: true }), gzip, (packed) => store.fill(packed));
		return { bytes, sha256: hash.digest("hex"), head, pieces: store.pieces, dispose: () => store.dispose() };
	} catch (error) {
		await store.dispose();
		throw error;
	}
}

/** Unpacks the pieces of a gzip stream, or of several one after another. */
export async function* unpackPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
	const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
	// The failure of any part reaches the reader below as its own.
	pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), gunzip, () => {});
	yield* gunzip as AsyncIterable<Buffer>;
}

/** The packed pieces of a spool, one after another. */
export async function* readPieces({ memory, file, lengths }: PackedPieces): AsyncGenerator<Uint8Array> {
	yield* memory;
	if (file === null) return;
	let position = 0;
	for (const length of lengths) {
		const piece = Buffer.allocUnsafe(length);
		await readAt(file, piece, 0, length, position);
		position += length;
		yield piece;
	}
}

class PieceStore {
	readonly pieces: PackedPieces = { memory: [], file: null, lengths: [] };
	#folder: string;
	#memoryBytes = 0;
	#file: FileHandle | null = null;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Takes a packed stream, in chunks of any size. */
	async fill(packed: AsyncIterable<Buffer>): Promise<void> {
		let waiting: Buffer[] = [];
		let length = 0;
		for await (const chunk of packed) {
			waiting.push(chunk);
			length += chunk.length;
			if (length < PIECE_BYTES) continue;
			await this.#add(Buffer.concat(waiting));
			waiting = [];
			length = 0;
		}
		if (length > 0) await this.#add(Buffer.concat(waiting));
	}

	async dispose(): Promise<void> {
		this.pieces.memory = [];
		this.pieces.file = null;
		const file = this.#file;
		this.#file = null;
		await file?.close();
	}

	async #add(piece: Buffer): Promise<void> {
		if (!this.#file && this.#memoryBytes + piece.length <= MEMORY_BYTES) {
			this.pieces.memory.push(piece);
			this.#memoryBytes += piece.length;
			return;
		}
		this.#file ??= await openNameless(this.#folder);
		this.pieces.file = this.#file.fd;
		await this.#file.write(piece);
		this.pieces.lengths.push(piece.length);
	}
}

/** A file that already has no name when it gets its first byte: even a kill -9 leaves nothing behind. */
async function openNameless(folder: string): Promise<FileHandle> {
	await mkdir(folder, { recursive: true });
	const path = join(folder, `upload-${randomUUID()}`);
	const file = await open(path, "wx+", 0o600);
	await unlink(path);
	return file;
}
