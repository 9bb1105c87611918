import { createHash, type Hash, randomUUID } from "node:crypto";
import { read } from "node:fs";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, gzip, gunzip as unzip } from "node:zlib";

const pack = promisify(gzip);
const unpack = promisify(unzip);
const readAt = promisify(read);

/** Unpacked bytes of one piece; the database keeps the upload in the same pieces. */
export const PIECE_BYTES = 1024 * 1024;
/** One buffer takes a whole unpacked piece, and a packed one mostly too: zlib's own 16 KiB would be joined again. */
const UNPACKED_CHUNK = PIECE_BYTES;
const PACKED_CHUNK = 256 * 1024;
/** Packed bytes held in memory before a file takes over. */
const MEMORY_BYTES = 4 * 1024 * 1024;
/** Pieces being packed or unpacked at the same time, in the thread pool. */
const AHEAD = 2;

/** An upload that has arrived whole, packed in pieces, in memory or in a file without a name. */
export interface Spool {
	/** Unpacked. */
	bytes: number;
	/** SHA-256 of the unpacked bytes, hex. */
	sha256: string;
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
	try {
		const bytes = await storePieces(source, store, hash);
		const sha256 = hash.digest("hex");
		return {
			bytes,
			sha256,
			pieces: store.pieces,
			dispose: () => store.dispose(),
		};
	} catch (error) {
		await store.dispose();
		throw error;
	}
}

async function storePieces(
	source: AsyncIterable<Uint8Array>,
	store: PieceStore,
	hash: Hash,
): Promise<number> {
	let bytes = 0;
	const packing: Promise<Buffer>[] = [];
	try {
		for await (const piece of piecesOf(source)) {
			bytes += piece.length;
			hash.update(piece);
			packing.push(pack(piece, { level: constants.Z_BEST_SPEED, chunkSize: PACKED_CHUNK }));
			if (packing.length > AHEAD) await store.add(await (packing.shift() as Promise<Buffer>));
		}
		while (packing.length > 0) await store.add(await (packing.shift() as Promise<Buffer>));
	} finally {
		await Promise.allSettled(packing);
	}
	return bytes;
}

/** Chunks of any size as pieces of one size. */
async function* piecesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
	let waiting: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of source) {
		waiting.push(chunk);
		length += chunk.length;
		if (length < PIECE_BYTES) continue;
		const joined = Buffer.concat(waiting);
		let at = 0;
		for (; at + PIECE_BYTES <= joined.length; at += PIECE_BYTES) yield joined.subarray(at, at + PIECE_BYTES);
		waiting = [joined.subarray(at)];
		length -= at;
	}
	if (length > 0) yield Buffer.concat(waiting);
}

/** Unpacks pieces in order, a few at a time. */
export async function* unpackPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
	const unpacking: Promise<Buffer>[] = [];
	try {
		for await (const piece of pieces) {
			unpacking.push(unpack(piece, { chunkSize: UNPACKED_CHUNK }));
			if (unpacking.length > AHEAD) yield await (unpacking.shift() as Promise<Buffer>);
		}
		while (unpacking.length > 0) yield await (unpacking.shift() as Promise<Buffer>);
	} finally {
		await Promise.allSettled(unpacking);
	}
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

	async add(piece: Buffer): Promise<void> {
		if (!this.#file && this.#memoryBytes + piece.length <= MEMORY_BYTES) {
			// A copy: zlib leaves room behind its result.
			this.pieces.memory.push(Uint8Array.from(piece));
			this.#memoryBytes += piece.length;
			return;
		}
		this.#file ??= await openNameless(this.#folder);
		this.pieces.file = this.#file.fd;
		await this.#file.write(piece);
		this.pieces.lengths.push(piece.length);
	}

	async dispose(): Promise<void> {
		this.pieces.memory = [];
		this.pieces.file = null;
		const file = this.#file;
		this.#file = null;
		await file?.close();
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
