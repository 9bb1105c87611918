import { describe, expect, test } from "vitest";
import { impliedBy, isModelFile, readModelFile } from "./model-file.ts";

const llama = {
	architectures: ["LlamaForCausalLM"],
	model_type: "llama",
	torch_dtype: "bfloat16",
	num_hidden_layers: 80,
	num_attention_heads: 64,
	num_key_value_heads: 8,
	hidden_size: 8192,
	intermediate_size: 28672,
	vocab_size: 128256,
	max_position_embeddings: 131072,
};
const gguf = {
	"general.architecture": "llama",
	"general.name": "Tiny GQA",
	"general.file_type": 1,
	"llama.block_count": 4,
	"llama.embedding_length": 512,
	"llama.attention.head_count": 8,
	"llama.attention.head_count_kv": 2,
	"llama.attention.key_length": 64,
	"llama.context_length": 131072,
};

describe("a config.json", () => {
	test("has no name of its own: the family stands in its place until somebody gives one", () => {
		expect(readModelFile(llama)).toMatchObject({ kind: "config.json", named: false, weights: "bf16" });
		expect(readModelFile(llama, { name: "Llama 3.1 70B" })).toMatchObject({
			named: true,
			facts: { name: "Llama 3.1 70B", id: "llama-3.1-70b" },
		});
		expect(readModelFile({ ...llama, _name_or_path: "meta-llama/Llama-3.1-70B" })).toMatchObject({
			named: true,
			facts: { id: "llama-3.1-70b" },
		});
	});

	test("implies 327,680 bytes per token and 141 GB of weights", () => {
		const implied = impliedBy(readModelFile(llama));
		expect(implied.kvBytesPerToken).toMatchObject({ value: 327_680, evidence: "arithmetic" });
		expect(implied.kvBytesPerSequence.value).toBe(327_680 * 131_072);
		expect((implied.weightsBytes.value ?? 0) / 1e9).toBeCloseTo(141.1, 0);
	});

	test.each([
		[{ quant_method: "fp8" }, "fp8", "quantization_config fp8"],
		[{ quant_method: "awq", bits: 4 }, "int4", "quantization_config awq, 4"],
		[{ quant_method: "mxfp4" }, "mxfp4", "quantization_config mxfp4"],
	])("says how its weights are stored: %o", (quantization_config, format, from) => {
		const reading = readModelFile({ ...llama, quantization_config });
		expect(reading.weights).toBe(format);
		expect(reading.decidedBy).toContainEqual({ field: "weights", from });
	});
});

describe("a GGUF header", () => {
	test("is read as plain key–values or beside its tensor infos", () => {
		expect(readModelFile(gguf)).toMatchObject({
			kind: "GGUF header",
			named: true,
			facts: { id: "tiny-gqa" },
		});
		const tensorInfos = [{ name: "token_embd.weight", shape: [512, 32000], dtype: 1 }];
		const reading = readModelFile({ metadata: gguf, tensorInfos });
		expect(reading).toMatchObject({ weights: "f16", weightsBytes: 512 * 32000 * 2 });
		const implied = impliedBy(reading);
		expect(implied.weightsBytes).toMatchObject({ value: 512 * 32000 * 2, evidence: "measured" });
		// 4 layers × 2 heads × (64 + 64) × 2 bytes
		expect(implied.kvBytesPerToken.value).toBe(4 * 2 * 128 * 2);
	});

	test("with tensor infos that are none is refused", () => {
		expect(() =>
			readModelFile({ metadata: gguf, tensorInfos: [{ name: "x", shape: [-1], dtype: 1 }] }),
		).toThrow("tensorInfos");
	});
});

test("what a person enters by hand is no file", () => {
	expect(isModelFile({ name: "Mine", layers: 4, heads: 8, kvHeads: 2, headDimK: 64 })).toBe(false);
	expect(isModelFile(llama)).toBe(true);
	expect(isModelFile({ text_config: llama })).toBe(true);
	expect(isModelFile({ metadata: gguf })).toBe(true);
	expect(isModelFile([llama])).toBe(false);
});
