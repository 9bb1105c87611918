import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kvBytesPerToken } from "./attention.ts";
import { contextLimitOf, geometryFromConfig, parametersFromConfig } from "./config.ts";
import { countOf, layersFromConfig } from "./config-layers.ts";

const bf16 = { kvK: "bf16", kvV: "bf16" } as const;
const facts = (config: unknown) => geometryFromConfig(config).facts;

const llama = {
	model_type: "llama",
	num_hidden_layers: 80,
	num_attention_heads: 64,
	num_key_value_heads: 8,
	hidden_size: 8192,
	intermediate_size: 28672,
	vocab_size: 128256,
	max_position_embeddings: 131072,
	tie_word_embeddings: false,
};

describe("Llama 3.1 70B's config.json", () => {
	test("gives its geometry and says what decided it", () => {
		const { facts, decidedBy } = geometryFromConfig(llama);
		expect(facts).toMatchObject({
			layers: 80,
			fullLayers: 80,
			kvHeads: 8,
			headDimK: 128,
			maxContextTokens: 131072,
			mla: null,
		});
		expect(kvBytesPerToken(facts, bf16)).toBe(327_680);
		expect(decidedBy).toContainEqual({ field: "kvHeads", from: "num_key_value_heads = 8" });
		expect(decidedBy).toContainEqual({ field: "headDim", from: "hidden 8192 / 64 heads" });
	});

	test("counts its 70.55 billion parameters (llama.cpp prints 70.55 B)", () => {
		expect((parametersFromConfig(llama)?.total ?? 0) / 1e9).toBeCloseTo(70.55, 1);
	});
});

test("Mixtral 8x7B has 46.7 billion parameters and touches 12.9", () => {
	const count = parametersFromConfig({
		model_type: "mixtral",
		num_hidden_layers: 32,
		num_attention_heads: 32,
		num_key_value_heads: 8,
		hidden_size: 4096,
		intermediate_size: 14336,
		vocab_size: 32000,
		num_local_experts: 8,
		num_experts_per_tok: 2,
	});
	expect((count?.total ?? 0) / 1e9).toBeCloseTo(46.7, 1);
	expect((count?.active ?? 0) / 1e9).toBeCloseTo(12.88, 1);
});

test("DeepSeek-V3 has 671 billion parameters and touches 37 (its model card), and a latent of 576 values", () => {
	const config = {
		model_type: "deepseek_v3",
		num_hidden_layers: 61,
		num_attention_heads: 128,
		num_key_value_heads: 128,
		hidden_size: 7168,
		intermediate_size: 18432,
		moe_intermediate_size: 2048,
		n_routed_experts: 256,
		n_shared_experts: 1,
		num_experts_per_tok: 8,
		first_k_dense_replace: 3,
		kv_lora_rank: 512,
		q_lora_rank: 1536,
		qk_nope_head_dim: 128,
		qk_rope_head_dim: 64,
		v_head_dim: 128,
		vocab_size: 129280,
	};
	const count = parametersFromConfig(config);
	expect((count?.total ?? 0) / 1e9).toBeCloseTo(671, 0);
	expect((count?.active ?? 0) / 1e9).toBeCloseTo(37.5, 0);
	expect(kvBytesPerToken(facts(config), bf16)).toBe(70_272);
});

test("a dense model of a family with experts writes 0 for them (Granite 4.0 Micro)", () => {
	const dense = { ...llama, num_local_experts: 0, num_experts_per_tok: 0 };
	expect(parametersFromConfig(dense)).toEqual(parametersFromConfig(llama));
});

describe("KV heads", () => {
	test("Falcon-7B names 71 beside multi_query and uses one", () => {
		const falcon = {
			model_type: "falcon",
			num_hidden_layers: 32,
			num_attention_heads: 71,
			num_kv_heads: 71,
			multi_query: true,
			hidden_size: 4544,
		};
		expect(facts(falcon).kvHeads).toBe(1);
		const falcon40b = { ...falcon, num_attention_heads: 128, hidden_size: 8192, num_kv_heads: 8 };
		expect(facts({ ...falcon40b, new_decoder_architecture: true }).kvHeads).toBe(8);
	});

	test("MPT keeps them under attn_config", () => {
		const mpt = {
			model_type: "mpt",
			n_layers: 32,
			n_heads: 32,
			d_model: 4096,
			attn_config: { kv_n_heads: 8 },
		};
		expect(facts(mpt).kvHeads).toBe(8);
	});

	test("absent, they are assumed one for each head, with a warning where the family does not say so", () => {
		const { num_key_value_heads: _, ...mha } = llama;
		expect(facts(mha)).toMatchObject({ kvHeads: 64, caveats: [] });
		expect(facts({ ...mha, model_type: "olmoe" }).caveats[0]).toContain("MHA");
	});
});

describe("layers", () => {
	const kinds = (config: Record<string, unknown>) => layersFromConfig({ num_hidden_layers: 12, ...config });

	test.each([
		[{ sliding_window: 4096, model_type: "mistral" }, 0, 12, 0],
		[{ sliding_window: 4096, use_sliding_window: false }, 12, 0, 0],
		[{ sliding_window: 131072, model_type: "qwen2" }, 12, 0, 0],
		[{ sliding_window: 4096, sliding_window_pattern: "LLLG", model_type: "exaone4" }, 3, 9, 0],
		[{ sliding_window: 1024, model_type: "gemma3_text" }, 2, 10, 0],
		[{ sliding_window: 128, model_type: "gpt_oss" }, 6, 6, 0],
		[{ attention_chunk_size: 8192, no_rope_layers: [1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0] }, 3, 9, 0],
		[{ attn_layer_period: 8, attn_layer_offset: 4, model_type: "jamba" }, 1, 0, 11],
		[{ attn_type_list: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1] }, 2, 0, 10],
		[{ linear_attn_config: { full_attn_layers: [4, 8, 12] } }, 3, 0, 9],
		[{ hybrid_override_pattern: "M-M*EM-M*EM-" }, 2, 0, 5],
		[{ use_cla: true, cla_share_factor: 2 }, 6, 0, 0],
	])("%o: %i full, %i sliding, %i recurrent", (config, full, sliding, recurrent) => {
		const found = kinds(config);
		expect([countOf(found, "full"), countOf(found, "sliding"), countOf(found, "recurrent")]).toEqual([
			full,
			sliding,
			recurrent,
		]);
	});

	// Spelt in released configs: Gemma 3 / Llama 4 / Qwen3-Next, LFM2, Granite and Zamba2, Nemotron-H, GLM-5, MiniMax-M3.
	test.each([
		[["full_attention", "sliding_attention", "chunked_attention", "linear_attention"], 1, 2, 1],
		[["conv", "full_attention"], 1, 0, 1],
		[["mamba", "attention", "hybrid"], 2, 0, 1],
		[["mamba", "attention", "mlp", "moe"], 1, 0, 1],
		[["deepseek_sparse_attention", "minimax_m3_sparse"], 2, 0, 0],
		[["hybrid_sliding", "hybrid"], 1, 1, 0],
	])("%o: %i full, %i sliding, %i recurrent", (layer_types, full, sliding, recurrent) => {
		const found = kinds({ layer_types, num_hidden_layers: layer_types.length, sliding_window: 4096 });
		expect([countOf(found, "full"), countOf(found, "sliding"), countOf(found, "recurrent")]).toEqual([
			full,
			sliding,
			recurrent,
		]);
	});

	test.each([
		[{ layer_types: ["full_attention", "new_attention"] }, /layer_types.*"new_attention" is not known/],
		[{ layers_block_type: { new_attention: 12 } }, /layers_block_type.*"new_attention"/],
		[{ layer_types: ["full_attention", null] }, /layer_types: expected a name for each layer/],
		[{ block_types: ["attention", "odd"] }, /block_types.*"odd"/],
		[{ hybrid_override_pattern: "M*X" }, /hybrid_override_pattern.*"X"/],
		[{ attn_type_list: [0, 2] }, /attn_type_list: 2 is neither 0 nor 1/],
		[{ full_attention_interval: -4 }, /full_attention_interval: -4/],
	])("that cannot be told are refused: %o", (config, message) => {
		expect(() => kinds(config)).toThrow(RangeError);
		expect(() => kinds(config)).toThrow(message);
	});

	test("a list that disagrees with the count wins and is remarked on", () => {
		const reading = facts({ ...llama, layer_types: ["full_attention", "full_attention"] });
		expect(reading.fullLayers).toBe(2);
		expect(reading.caveats.join()).toContain("the list counts");
	});
});

describe("what is impossible is refused by its key", () => {
	test.each([
		[{ ...llama, num_hidden_layers: 0 }, /num_hidden_layers/],
		[{ ...llama, num_attention_heads: 0 }, /num_attention_heads/],
		[{ ...llama, v_head_dim: 0 }, /v_head_dim/],
		[{ ...llama, kv_lora_rank: 512 }, /qk_rope_head_dim/],
		[{ ...llama, hidden_size: undefined }, /head_dim/],
		[{ ...llama, num_key_value_heads: 128 }, /num_key_value_heads: 128 KV heads do not divide the 64 heads/],
		[{ ...llama, num_key_value_heads: 7 }, /num_key_value_heads: 7 KV heads do not divide the 64 heads/],
		[{ ...llama, num_key_value_heads: [] }, /num_key_value_heads/],
		[{ ...llama, num_key_value_heads: undefined, num_kv_heads: 3 }, /num_kv_heads: 3/],
		[{ ...llama, hidden_size: 8193 }, /hidden_size: 8193 is no multiple of the 64 heads/],
		[{ ...llama, head_dim: 1e9 }, /head_dim: 1000000000 is no whole number from 1/],
		[{ ...llama, head_dim: 64.5 }, /head_dim: 64.5/],
		[{ ...llama, intermediate_size: -1 }, /intermediate_size: -1/],
		[{ ...llama, intermediate_size: 0 }, /intermediate_size: 0/],
		[{ ...llama, max_position_embeddings: 1e30 }, /max_position_embeddings/],
		[{ ...llama, rope_scaling: { type: "yarn", factor: 1e9 } }, /rope_scaling.factor/],
		[{ ...llama, vocab_size: 0 }, /vocab_size: 0/],
		[
			{ ...llama, num_experts: 0, num_experts_per_tok: 5 },
			/num_experts_per_tok: 5 .* 0 that num_experts says/,
		],
		[{ ...llama, num_local_experts: 8, num_experts_per_tok: 9 }, /num_experts_per_tok: 9/],
		[{ ...llama, num_local_experts: 8, num_experts_per_tok: 0 }, /num_experts_per_tok: 0/],
		[{ ...llama, num_hidden_layers: 2, layer_types: ["mlp", "moe"] }, /none of them owns a cache/],
		[{ ...llama, num_kv_shared_layers: 80 }, /none of them owns a cache/],
		[{}, /num_hidden_layers/],
		["text", /config/],
	])("%o", (config, message) => {
		expect(() => geometryFromConfig(config)).toThrow(RangeError);
		expect(() => geometryFromConfig(config)).toThrow(message);
	});

	test("and nothing else is ever thrown", () => {
		const keys = fc.constantFrom(
			...Object.keys(llama),
			"layer_types",
			"sliding_window",
			"text_config",
			"kv_lora_rank",
			"head_dim",
			"rope_scaling",
			"num_local_experts",
			"block_configs",
			"attn_config",
		);
		const values = fc.oneof(
			fc.integer({ min: -1, max: 200 }),
			fc.constant(null),
			fc.string(),
			fc.array(fc.integer(), { maxLength: 4 }),
			fc.object({ maxDepth: 1 }),
		);
		fc.assert(
			fc.property(fc.dictionary(keys, values), (change) => {
				try {
					expect(facts({ ...llama, ...change }).layers).toBeGreaterThan(0);
				} catch (error) {
					expect(error).toBeInstanceOf(RangeError);
				}
			}),
		);
	});
});

test("YaRN stretches the context, and the tokenizer may end it earlier", () => {
	const yarn = {
		...llama,
		max_position_embeddings: 32768,
		rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768 },
	};
	expect(facts(yarn).maxContextTokens).toBe(131_072);
	expect(contextLimitOf(262_144, 131_072)).toMatchObject({ tokens: 131_072 });
	expect(contextLimitOf(262_144, 131_072).note).toContain("131072");
	expect(contextLimitOf(131_072, 262_144).note).toBeNull();
});
