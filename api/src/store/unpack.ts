import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { holdsTar } from "../ingest/index.ts";
import { Problem } from "../problem.ts";

/** gzip inside gzip happens (a packed file sent packed); more layers than this is nobody's benchmark. */
const MOST_LAYERS = 2;
const CHUNK_BYTES = 256 * 1024;
/** Packed bytes that are looked at: enough to see a tar in them. */
const HEAD_BYTES = 4096;

interface UnpackOptions {
	/** The content-encoding header: "gzip" or nothing. */
	encoding: string | undefined;
	/** Limit of the unpacked bytes. */
	maxBytes: number;
}

/**
 * The bytes of an upload without their gzip layers, whether those are announced or only recognised. A tar.gz is
 * an archive and stays as it is, unless its gzip was announced as a packing for the way.
 * Streams, and ends as soon as the limit is passed: neither memory nor time grows with what a small file
 * would unpack to.
 * @throws Problem 413 beyond the limit, 415 for another encoding, 400 for broken gzip
 */
export async function* unpackUpload(
	body: AsyncIterable<Uint8Array>,
	{ encoding, maxBytes }: UnpackOptions,
): AsyncGenerator<Uint8Array> {
	const announced = announcesGzip(encoding);
	let source = body;
	for (let layer = 1; layer <= MOST_LAYERS; layer++) {
		const { packed, head, whole } = await peek(source);
		if (announced && layer === 1 && !packed)
			throw new Problem(400, "Broken gzip", "content-encoding says gzip, but the body is not gzip.");
		source = whole;
		if (!packed || (!(announced && layer === 1) && (await holdsTar(head)))) break;
		source = gunzip(limited(source, maxBytes, packedLimit(maxBytes)));
	}
	yield* limited(source, maxBytes);
}

/** Most bytes that a body of the limit's size has when packed: what cannot be compressed grows a little. */
export function packedLimit(maxBytes: number): number {
	return Math.ceil(maxBytes * 1.001) + 1024;
}

function announcesGzip(encoding = "identity"): boolean {
	const name = encoding.trim().toLowerCase();
	if (name === "identity" || name === "") return false;
	if (name === "gzip" || name === "x-gzip") return true;
	throw new Problem(
		415,
		"Unsupported encoding",
		`content-encoding "${name}" is not read here. Send the file as it is, or packed with gzip.`,
	);
}

/** Looks at the first bytes and gives the whole stream back. */
async function peek(source: AsyncIterable<Uint8Array>) {
	const iterator = source[Symbol.asyncIterator]();
	let head: Uint8Array = new Uint8Array(0);
	let done = false;
	while ((head.length < 2 || (isGzip(head) && head.length < HEAD_BYTES)) && !done) {
		const next = await iterator.next();
		if (next.done) done = true;
		else head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
	}
	return { packed: isGzip(head), head: head.subarray(0, HEAD_BYTES), whole: continued(head, iterator) };
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function* continued(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
	try {
		if (head.length > 0) yield head;
		for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
	} finally {
		await iterator.return?.();
	}
}

async function* limited(
	source: AsyncIterable<Uint8Array>,
	maxBytes: number,
	mostBytes = maxBytes,
): AsyncGenerator<Uint8Array> {
	let bytes = 0;
	for await (const chunk of source) {
		bytes += chunk.length;
		if (bytes > mostBytes) throw tooLarge(maxBytes);
		yield chunk;
	}
}

async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const unpacker = createGunzip({ chunkSize: CHUNK_BYTES });
	// The failure of any part reaches the reader below as its own.
	pipeline(source, unpacker, () => {});
	try {
		yield* unpacker as AsyncIterable<Uint8Array>;
	} catch (error) {
		if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
			throw new Problem(400, "Broken gzip", `The gzip data cannot be unpacked: ${error.message}.`);
		throw error;
	}
}

/** 413 with the limit and how to raise it. */
export function tooLarge(maxBytes: number): Problem {
	return new Problem(
		413,
		"Upload too large",
		`The upload has more than ${maxBytes} bytes after unpacking. Split the file, or raise MAX_BODY_BYTES.`,
	);
}
