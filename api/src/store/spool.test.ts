import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
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
	["exactly one piece", PIECE_BYTES],
	["one piece and a byte", PIECE_BYTES + 1],
	["more than memory holds", 9 * PIECE_BYTES + 12345],
])("%s", (_, length) => {
	// Random bytes do not pack: nine pieces of them pass the memory limit.
	const bytes = randomBytes(length);

	it("comes back whole, twice, with its hash", async () => {
		const spool = await spoolUpload(inChunks(bytes, 100_003), folder);
		expect(spool.bytes).toBe(length);
		expect(spool.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
		for (let i = 0; i < 2; i++)
			expect(Buffer.concat(await collect(unpackPieces(readPieces(spool.pieces)))).equals(bytes)).toBe(true);
		const pieces = (await collect(readPieces(spool.pieces))).map((piece) => gunzipSync(piece));
		expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
		expect(pieces.slice(0, -1).every((piece) => piece.length === PIECE_BYTES)).toBe(true);
		await spool.dispose();
	});
});

it("leaves no file, neither while it waits nor after a failure", async () => {
	const spool = await spoolUpload(inChunks(randomBytes(9 * PIECE_BYTES), 100_000), folder);
	expect(readdirSync(folder)).toEqual([]);
	await spool.dispose();
	async function* broken() {
		yield randomBytes(9 * PIECE_BYTES);
		throw new Error("connection lost");
	}
	await expect(spoolUpload(broken(), folder)).rejects.toThrow("connection lost");
	expect(readdirSync(folder)).toEqual([]);
});
