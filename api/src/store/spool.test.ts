import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it, vi } from "vitest";
import { PIECE_BYTES, readPieces, spoolUpload, unpackPieces } from "./spool.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-spool-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
	const all: Buffer[] = [];
	for await (const chunk of chunks) all.push(Buffer.from(chunk));
	return all;
}

describe.each([
	["nothing", 0],
	["one byte", 1],
	["about one piece", PIECE_BYTES],
	["several pieces", 3 * PIECE_BYTES + 1],
	["more than memory holds", 20 * PIECE_BYTES + 12345],
])("%s", (_, length) => {
	// Random bytes do not pack: twenty pieces of them pass the memory limit.
	const bytes = randomBytes(length);

	it("comes back whole, twice, with its hash", async () => {
		const spool = await spoolUpload(inChunks(bytes, 100_003), folder);
		expect(spool.bytes).toBe(length);
		expect(spool.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
		for (let i = 0; i < 2; i++)
			expect(Buffer.concat(await collect(unpackPieces(readPieces(spool.pieces)))).equals(bytes)).toBe(true);
		const pieces = await collect(readPieces(spool.pieces));
		expect(gunzipSync(Buffer.concat(pieces)).equals(bytes)).toBe(true);
		expect(pieces.slice(0, -1).every((piece) => piece.length >= PIECE_BYTES)).toBe(true);
		expect(pieces.every((piece) => piece.length <= 3 * PIECE_BYTES)).toBe(true);
		await spool.dispose();
	});
});

it("leaves no file, neither while it waits nor after a failure", async () => {
	const spool = await spoolUpload(inChunks(randomBytes(20 * PIECE_BYTES), 100_000), folder);
	expect(readdirSync(folder)).toEqual([]);
	await spool.dispose();
	async function* broken() {
		yield randomBytes(20 * PIECE_BYTES);
		throw new Error("connection lost");
	}
	await expect(spoolUpload(broken(), folder)).rejects.toThrow("connection lost");
	expect(readdirSync(folder)).toEqual([]);
});

it("unpacks pieces that were each packed by themselves, as older versions stored them", async () => {
	const parts = [randomBytes(1000), randomBytes(70_000), Buffer.from("end")];
	async function* pieces() {
		for (const part of parts) yield gzipSync(part);
	}
	expect(Buffer.concat(await collect(unpackPieces(pieces()))).equals(Buffer.concat(parts))).toBe(true);
});

it("lets go of the pieces when its reader stops", async () => {
	let ended = false;
	async function* pieces() {
		try {
			for (;;) yield gzipSync(randomBytes(300_000));
		} finally {
			ended = true;
		}
	}
	for await (const _ of unpackPieces(pieces())) break;
	await vi.waitFor(() => expect(ended).toBe(true));
});
