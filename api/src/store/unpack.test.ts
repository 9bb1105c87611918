import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unpackUpload } from "./unpack.ts";

const MIB = 1024 * 1024;

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpack(
	bytes: Uint8Array,
	{ encoding, maxBytes = MIB, size = 1000 }: { encoding?: string; maxBytes?: number; size?: number } = {},
) {
	const chunks: Uint8Array[] = [];
	for await (const chunk of unpackUpload(inChunks(bytes, size), { encoding, maxBytes })) chunks.push(chunk);
	return Buffer.concat(chunks);
}

describe("unpackUpload", () => {
	it("gives back what was packed, in chunks of any size, announced or not", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.uint8Array({ maxLength: 5000 }),
				fc.integer({ min: 1, max: 700 }),
				fc.boolean(),
				async (bytes, size, announced) => {
					// What happens to begin like gzip is taken for it.
					fc.pre(!(bytes[0] === 0x1f && bytes[1] === 0x8b));
					const encoding = announced ? { encoding: "gzip" } : {};
					expect(await unpack(gzipSync(bytes), { size, ...encoding })).toEqual(Buffer.from(bytes));
					expect(await unpack(bytes, { size })).toEqual(Buffer.from(bytes));
				},
			),
		);
	});

	it("joins the members of a file that was packed in parts", async () => {
		const parts = Buffer.concat([gzipSync("one\n"), gzipSync("two\n")]);
		expect((await unpack(parts)).toString()).toBe("one\ntwo\n");
	});

	it("allows exactly the limit and not a byte more, packed and plain", async () => {
		for (const turn of [(bytes: Buffer) => bytes, (bytes: Buffer) => gzipSync(bytes)]) {
			expect(await unpack(turn(randomBytes(5000)), { maxBytes: 5000 })).toHaveLength(5000);
			await expect(unpack(turn(randomBytes(5001)), { maxBytes: 5000 })).rejects.toMatchObject({
				status: 413,
			});
		}
	});

	it("reads of a bomb little more than its limit", async () => {
		let handed = 0;
		const bomb = gzipSync(Buffer.alloc(100 * MIB));
		async function* counted() {
			for await (const chunk of inChunks(bomb, 1000)) {
				handed += chunk.length;
				yield chunk;
			}
		}
		const reading = async () => {
			for await (const _ of unpackUpload(counted(), { encoding: "gzip", maxBytes: MIB }));
		};
		await expect(reading()).rejects.toMatchObject({ status: 413 });
		// A packed megabyte of zeros is about a thousandth of it; streams read ahead by some buffers.
		expect(handed).toBeLessThan(bomb.length * 0.8);
	});

	it("lets go of the source when the reader stops early", async () => {
		let released = false;
		async function* source() {
			try {
				for (;;) yield new Uint8Array(1000);
			} finally {
				released = true;
			}
		}
		for await (const _ of unpackUpload(source(), { encoding: undefined, maxBytes: MIB })) break;
		expect(released).toBe(true);
	});

	it("passes a failure of the source on", async () => {
		async function* broken() {
			yield gzipSync(randomBytes(5000)).subarray(0, 3000);
			throw new Error("connection lost");
		}
		const reading = async () => {
			for await (const _ of unpackUpload(broken(), { encoding: "gzip", maxBytes: MIB }));
		};
		await expect(reading()).rejects.toThrow("connection lost");
	});
});
