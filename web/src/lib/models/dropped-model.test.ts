import { expect, test } from "vitest";
import { readDropped } from "./dropped-model.ts";

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
