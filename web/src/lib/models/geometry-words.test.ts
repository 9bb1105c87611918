import { geometryFromConfig } from "@plimsoll/api/model";
import { expect, test } from "vitest";
import { fieldWords, headWords, layerWords, parameterWords } from "./geometry-words.ts";

const facts = (config: Record<string, unknown>) => geometryFromConfig({ hidden_size: 4096, ...config }).facts;
const llama = facts({
	model_type: "llama",
	num_hidden_layers: 80,
	num_attention_heads: 64,
	num_key_value_heads: 8,
	head_dim: 128,
});
const gemma = facts({
	model_type: "gemma3_text",
	num_hidden_layers: 48,
	num_attention_heads: 16,
	num_key_value_heads: 8,
	head_dim: 256,
	sliding_window: 1024,
});
const mamba = facts({
	model_type: "mamba",
	num_hidden_layers: 64,
	num_attention_heads: 1,
	num_key_value_heads: 1,
});

test("layers are told by what they keep", () => {
	expect(layerWords(llama)).toBe("80 layers");
	expect(layerWords(gemma)).toBe("48 layers: 8 full, 40 of the last 1,024 tokens");
	expect(layerWords(mamba)).toBe("64 layers: 64 recurrent");
});

test("heads are told by what a token costs", () => {
	expect(headWords(llama)).toBe("8 of 64 heads × 128");
	expect(headWords({ ...llama, mla: { kvLoraRank: 512, qkRopeHeadDim: 64 } })).toBe(
		"a latent of 512 + 64 values",
	);
	expect(headWords({ ...llama, headDimK: 192 })).toBe("8 of 64 heads × (192 + 128) / 2");
	expect(headWords(mamba)).toBe("no attention");
});

test("parameters name the active ones only where they are fewer", () => {
	expect(parameterWords({ paramsTotal: 70.6e9, paramsActive: 70.6e9 })).toBe("70.6\u00a0billion");
	expect(parameterWords({ paramsTotal: 235e9, paramsActive: 22.2e9 })).toBe(
		"235\u00a0billion, 22.2\u00a0billion active",
	);
	expect(parameterWords({ paramsTotal: 27.67e6, paramsActive: null })).toBe("27.7\u00a0million");
	expect(parameterWords({ paramsTotal: null, paramsActive: null })).toBe("not known");
});

test("fields are called what a person calls them", () => {
	expect(fieldWords("maxContextTokens")).toBe("longest context");
	expect(fieldWords("kvHeads of full layers")).toBe("KV heads of full layers");
	expect(fieldWords("layer kinds")).toBe("layer kinds");
});
