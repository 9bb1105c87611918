import { expect, test } from "vitest";
import { readDropped } from "./dropped-model.ts";
import { HeaderWriter } from "./header-writer.ts";

const config = {
	model_type: "llama",
	num_hidden_layers: 2,
	num_attention_heads: 4,
	hidden_size: 256,
	num_key_value_heads: 2,
};
const file = (name: string, content: string) => new File([content], name);

test("a config.json is read, and what is posted is the file as it is", async () => {
	const { reading, body, alias } = await readDropped([file("config.json", JSON.stringify(config))]);
	expect(body).toEqual(config);
	expect(reading).toMatchObject({ kind: "config.json", named: false, facts: { kvHeads: 2, headDimK: 64 } });
	expect(alias).toBeNull();
});

test.each([
	[[], "no file"],
	[[file("a.json", "{}"), file("b.json", "{}")], "One model at a time"],
	[[file("notes.txt", "hello")], "not JSON"],
	[[file("package.json", "{}")], "holds no model"],
	[[file("config.json", JSON.stringify({ model_type: "llama" }))], "num_hidden_layers"],
	[[file("x.gguf", "nothing of the kind")], "no GGUF file"],
])("what is no model is refused in words", async (files, words) => {
	await expect(readDropped(files)).rejects.toThrow(words);
});

test("the parts of a split .gguf are read together, in any order", async () => {
	const part = async (name: string, writer: HeaderWriter) => new File([await writer.file()], name);
	const first = new HeaderWriter().begin(1, 6);
	first.text("general.architecture").u32(8).text("llama");
	first.text("general.name").u32(8).text("Split Model");
	first.text("llama.block_count").u32(4).u32(2);
	first.text("llama.embedding_length").u32(4).u32(256);
	first.text("llama.attention.head_count").u32(4).u32(4);
	first.text("split.tensors.count").u32(5).u32(2);
	first.text("token_embd.weight").u32(2).u64(256).u64(1000).u32(1).u64(0);
	const second = new HeaderWriter().begin(1, 1);
	second.text("split.no").u32(2).u8(1).u8(0);
	second.text("output.weight").u32(2).u64(256).u64(1000).u32(8).u64(0);
	const one = await part("m-00001-of-00002.gguf", first);
	const two = await part("m-00002-of-00002.gguf", second);
	// 256,000 values of f16, and as many of q8_0, 34 bytes for 32.
	expect((await readDropped([two, one])).reading).toMatchObject({
		named: true,
		weightsBytes: 256_000 * 2 + (256_000 / 32) * 34,
	});
	const alone = (await readDropped([one])).reading;
	expect(alone.weightsBytes).toBeNull();
	expect(alone.facts.caveats.join()).toContain("1 of 2 tensors");
});
