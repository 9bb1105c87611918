import { describe, expect, test } from "vitest";
import { readGgufHeader } from "./gguf-file.ts";
import { CutHeader } from "./header-bytes.ts";
import { HeaderWriter } from "./header-writer.ts";

const VOCABULARY = 200_000;
function wholeHeader(): HeaderWriter {
	const w = new HeaderWriter().begin(2, 7);
	w.text("general.architecture").u32(8).text("llama");
	w.text("llama.block_count").u32(4).u32(32);
	w.text("llama.attention.head_count_kv").u32(9).u32(5).u64(3).u32(8).u32(0).u32(8);
	w.text("tokenizer.ggml.tokens").u32(9).u32(8).u64(VOCABULARY);
	for (let i = 0; i < VOCABULARY; i++) w.text(`wörd ${i}`);
	w.text("tokenizer.ggml.scores").u32(9).u32(6).u64(VOCABULARY);
	for (let i = 0; i < VOCABULARY; i++) w.f32(i);
	w.text("general.finished").u32(7).u8(1);
	w.text("split.tensors.count").u32(10).u64(2);
	w.text("token_embd.weight").u32(2).u64(512).u64(32_000).u32(1).u64(0);
	w.text("output_norm.weight").u32(1).u64(512).u32(0).u64(32_768_000);
	return w;
}

/** A file that remembers how much of it was read. */
function watched(file: Blob): { file: Blob; read: () => number } {
	let read = 0;
	const slice = (from = 0, to = file.size) => {
		read += Math.min(to, file.size) - from;
		return file.slice(from, to);
	};
	return { file: { size: file.size, slice } as Blob, read: () => read };
}

const whole = await wholeHeader().file();

describe("the header of a GGUF file", () => {
	test("is read with its keys and tensors, the words of the tokenizer passed over", async () => {
		expect(await readGgufHeader(whole)).toEqual({
			metadata: {
				"general.architecture": "llama",
				"llama.block_count": 32,
				"llama.attention.head_count_kv": [8, 0, 8],
				"general.finished": true,
				"split.tensors.count": 2,
			},
			tensorInfos: [
				{ name: "token_embd.weight", shape: [512, 32_000], dtype: 1 },
				{ name: "output_norm.weight", shape: [512], dtype: 0 },
			],
		});
	});

	test("is all that is read of a file of gigabytes", async () => {
		const weights = new Uint8Array(64 * 2 ** 20);
		const { file, read } = watched(new Blob([whole, weights]));
		await readGgufHeader(file);
		expect(read()).toBeLessThan(whole.size + 2 ** 20);
	});

	test.each([4, 20, 60, 1000, 3e6])("that is cut at byte %i is refused", async (at) => {
		await expect(readGgufHeader(whole.slice(0, at))).rejects.toThrow(CutHeader);
	});

	test("that is cut in its last tensor is refused", async () => {
		await expect(readGgufHeader(whole.slice(0, whole.size - 1))).rejects.toThrow(CutHeader);
	});

	test.each([
		["another file", new HeaderWriter().text("PK not a model at all"), "no GGUF file"],
		["the first version", new HeaderWriter().u32(0x46554747).u32(1).u64(0).u64(0), "version 1"],
		["a hostile count", new HeaderWriter().begin(2 ** 40, 0), "announces"],
		["an unknown type", new HeaderWriter().begin(0, 1).text("a").u32(77).u64(0), "value type 77"],
	])("is refused for %s, in words", async (_, writer, words) => {
		await expect(readGgufHeader(await writer.file())).rejects.toThrow(words);
	});
});
