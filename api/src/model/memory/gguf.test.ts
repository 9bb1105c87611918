import { describe, expect, test } from "vitest";
import { kvBytesPerSequence, kvBytesPerToken } from "./attention.ts";
import type { KvType } from "./facts.ts";
import { geometryFromGguf } from "./gguf.ts";
import type { GgufTensor } from "./gguf-tensors.ts";

const MIB = 2 ** 20;

/** Key–values with the architecture's prefix put on. */
const header = (
	architecture: string,
	own: Record<string, unknown>,
	general: Record<string, unknown> = {},
) => ({
	"general.architecture": architecture,
	...general,
	...Object.fromEntries(Object.entries(own).map(([key, value]) => [`${architecture}.${key}`, value])),
});
const facts = (metadata: unknown, tensors?: GgufTensor[]) => geometryFromGguf(metadata, tensors).facts;
const both = (type: KvType) => ({ kvK: type, kvV: type });

/** Headers as llama.cpp and ik_llama.cpp dumped them at start-up, with the cache sizes that the same logs print. */
const qwen3Moe = header(
	"qwen3moe",
	{
		block_count: 94,
		context_length: 40960,
		embedding_length: 4096,
		feed_forward_length: 12288,
		"attention.head_count": 64,
		"attention.head_count_kv": 4,
		"attention.key_length": 128,
		"attention.value_length": 128,
		expert_count: 128,
		expert_used_count: 8,
		expert_feed_forward_length: 1536,
		vocab_size: 151936,
	},
	{ "general.name": "Models", "general.file_type": 7 },
);
const deepseek = header(
	"deepseek2",
	{
		block_count: 61,
		context_length: 163840,
		embedding_length: 7168,
		feed_forward_length: 18432,
		"attention.head_count": 128,
		"attention.head_count_kv": 1,
		"attention.q_lora_rank": 1536,
		"attention.kv_lora_rank": 512,
		"attention.key_length": 576,
		"attention.value_length": 512,
		"attention.key_length_mla": 192,
		"attention.value_length_mla": 128,
		"rope.dimension_count": 64,
		"rope.scaling.type": "yarn",
		"rope.scaling.factor": 40,
		"rope.scaling.original_context_length": 4096,
		leading_dense_block_count: 3,
		vocab_size: 129280,
		expert_count: 256,
		expert_used_count: 8,
		expert_shared_count: 1,
		expert_feed_forward_length: 2048,
	},
	{ "general.name": "Deepseek-V3-0324", "general.file_type": 10 },
);
const gemma = header("gemma3", {
	block_count: 48,
	context_length: 131072,
	embedding_length: 3840,
	feed_forward_length: 15360,
	"attention.head_count": 16,
	"attention.head_count_kv": 8,
	"attention.key_length": 256,
	"attention.value_length": 256,
	"attention.sliding_window": 1024,
	vocab_size: 262208,
});

describe("headers of public start-up logs", () => {
	test("Qwen3-235B: 1,598 MiB of q8_0 cache in 16,384 cells, 235.094 B parameters", () => {
		const model = facts(qwen3Moe);
		expect((kvBytesPerToken(model, both("q8_0")) * 16_384) / MIB).toBeCloseTo(1598, 5);
		expect((model.paramsTotal ?? 0) / 1e9).toBeCloseTo(235.09, 1);
		// The model card says 22 B activated.
		expect((model.paramsActive ?? 0) / 1e9).toBeCloseTo(22.2, 0);
		expect(model).toMatchObject({
			layers: 94,
			fullLayers: 94,
			kvHeads: 4,
			maxContextTokens: 40960,
			mla: null,
		});
	});

	test("DeepSeek-V3: a latent cache of 1,098 MiB in 16,384 cells, 671 B parameters", () => {
		const model = facts(deepseek);
		expect((kvBytesPerToken(model, both("f16")) * 16_384) / MIB).toBeCloseTo(1098, 5);
		expect((model.paramsTotal ?? 0) / 1e9).toBeCloseTo(671, 0);
		expect(model).toMatchObject({
			heads: 128,
			kvHeads: 128,
			headDimK: 192,
			headDimV: 128,
			mla: { kvLoraRank: 512, qkRopeHeadDim: 64 },
			maxContextTokens: 163840,
		});
	});

	test("DeepSeek-R1 in a file from before the latent cache: 1,464 MiB of K and 976 of V in 512 cells", () => {
		const older = {
			...deepseek,
			"deepseek2.attention.head_count_kv": 128,
			"deepseek2.attention.key_length": 192,
			"deepseek2.attention.value_length": 128,
			"deepseek2.attention.key_length_mla": null,
		};
		const model = facts(older);
		expect((kvBytesPerToken(model, both("f16")) * 512) / MIB).toBeCloseTo(2440, 5);
		expect(model.caveats.join()).toContain("every head is cached");
	});

	test("Gemma-3-12B: 256 MiB for 8 full layers in 4,096 cells, 480 MiB for 40 sliding ones in 1,536, 11.77 B", () => {
		const model = facts(gemma);
		expect(model).toMatchObject({ fullLayers: 8, slidingLayers: 40, windowTokens: 1024 });
		expect((kvBytesPerToken(model, both("f16")) * 4096) / MIB).toBeCloseTo(256, 5);
		const window = { ...model, windowTokens: 1536 };
		expect(kvBytesPerSequence(window, { ...both("f16"), context: 4096 }) / MIB).toBeCloseTo(256 + 480, 5);
		expect((model.paramsTotal ?? 0) / 1e9).toBeCloseTo(11.77, 1);
	});

	test("Kimi-Dev-72B has no key length: 8,192 / 64 heads; 72.71 B parameters", () => {
		const { facts: model, decidedBy } = geometryFromGguf(
			header("qwen2", {
				block_count: 80,
				context_length: 131072,
				embedding_length: 8192,
				feed_forward_length: 29568,
				"attention.head_count": 64,
				"attention.head_count_kv": 8,
				vocab_size: 152064,
			}),
		);
		expect(model.headDimK).toBe(128);
		expect((model.paramsTotal ?? 0) / 1e9).toBeCloseTo(72.71, 1);
		expect(decidedBy).toContainEqual({ field: "headDim", from: "embedding_length 8192 / 64 heads" });
		expect(decidedBy).toContainEqual({ field: "kvHeads", from: "qwen2.attention.head_count_kv = 8" });
	});

	test("Nemotron-Ultra-253B: 64 of 162 blocks have KV heads; 816 MiB of K as q8_0 and 432 of V as q4_0", () => {
		const withAttention = new Set(Array.from({ length: 64 }, (_, i) => Math.floor((i * 162) / 64)));
		const list = Array.from({ length: 162 }, (_, i) => (withAttention.has(i) ? 8 : 0));
		const model = facts(
			header("deci", {
				block_count: 162,
				embedding_length: 16384,
				"attention.head_count": list.map((n) => n && 128),
				"attention.head_count_kv": list,
				"attention.key_length": 128,
				"attention.value_length": 128,
			}),
		);
		expect(model).toMatchObject({ fullLayers: 64, recurrentLayers: 0, kvHeads: 8, heads: 128 });
		const bytes = kvBytesPerToken(model, { kvK: "q8_0", kvV: "q4_0" }) * 12_288;
		expect(bytes / MIB).toBeCloseTo(816 + 432, 5);
	});
});

describe("hybrid and windowed architectures", () => {
	test("Qwen3-Next: every fourth layer full, the others a state of 32 heads × 128 × 128 in 32 bit", () => {
		const model = facts(
			header("qwen3next", {
				block_count: 48,
				embedding_length: 2048,
				"attention.head_count": 16,
				"attention.head_count_kv": 2,
				"attention.key_length": 256,
				"attention.value_length": 256,
				"ssm.conv_kernel": 4,
				"ssm.inner_size": 4096,
				"ssm.state_size": 128,
				"ssm.group_count": 16,
			}),
		);
		expect(model).toMatchObject({ fullLayers: 12, recurrentLayers: 36 });
		// State 32 heads × 128 × 128 and convolution 3 rows × 8,192 channels, all in 4 bytes.
		expect(model.recurrentStateBytesPerLayer).toBe(4 * (32 * 128 * 128 + 3 * 8192));
	});

	test("Jamba: layers without KV heads are recurrent", () => {
		const kv = Array.from({ length: 32 }, (_, i) => (i % 8 === 4 ? 8 : 0));
		const model = facts(
			header("jamba", {
				block_count: 32,
				embedding_length: 4096,
				"attention.head_count": 32,
				"attention.head_count_kv": kv,
				"ssm.conv_kernel": 4,
				"ssm.inner_size": 8192,
				"ssm.state_size": 16,
			}),
		);
		expect(model).toMatchObject({ fullLayers: 4, recurrentLayers: 28, kvHeads: 8, headDimK: 128 });
		// 8,192 channels × (16 + 3), in 32 bit.
		expect(model.recurrentStateBytesPerLayer).toBe(4 * 8192 * (16 + 3));
	});

	test("Nemotron-H: a layer is a mixer, attention or a feed-forward block", () => {
		const kinds = [..."M-M-M*-M"];
		const model = facts(
			header("nemotron_h", {
				block_count: 8,
				embedding_length: 4096,
				"attention.head_count": 32,
				"attention.head_count_kv": kinds.map((kind) => (kind === "*" ? 8 : 0)),
				feed_forward_length: kinds.map((kind) => (kind === "-" ? 21504 : 0)),
				"ssm.conv_kernel": 4,
				"ssm.inner_size": 8192,
				"ssm.state_size": 128,
				"ssm.group_count": 8,
			}),
		);
		expect(model).toMatchObject({ layers: 8, fullLayers: 1, recurrentLayers: 4 });
	});

	test("a list of which layers slide, the full ones with fewer heads (Gemma 4's spelling)", () => {
		const model = facts(
			header("gemma4", {
				block_count: 6,
				embedding_length: 2816,
				"attention.head_count": 16,
				"attention.head_count_kv": [8, 8, 8, 8, 8, 2],
				"attention.key_length": 512,
				"attention.value_length": 512,
				"attention.key_length_swa": 256,
				"attention.sliding_window": 1024,
				"attention.sliding_window_pattern": [true, true, true, true, true, false],
			}),
		);
		expect(model).toMatchObject({
			fullLayers: 1,
			slidingLayers: 5,
			kvHeads: 2,
			headDimK: 512,
			slidingKvHeads: 8,
			slidingHeadDim: 256,
		});
	});

	test("a window without a pattern is counted as full, and said so", () => {
		const model = facts(
			header("newllm", {
				block_count: 8,
				embedding_length: 1024,
				"attention.head_count": 8,
				"attention.sliding_window": 512,
			}),
		);
		expect(model).toMatchObject({ fullLayers: 8, slidingLayers: 0, windowTokens: null, kvHeads: 8 });
		expect(model.caveats.join()).toContain("not which layers");
	});

	test("layers that only draft further tokens own no cache", () => {
		const model = facts(
			header("glm4moe", {
				block_count: 47,
				nextn_predict_layers: 1,
				embedding_length: 4096,
				"attention.head_count": 96,
				"attention.head_count_kv": 8,
				"attention.key_length": 128,
			}),
		);
		expect(model.fullLayers).toBe(46);
	});

	test("Mamba has no attention at all", () => {
		const model = facts(
			header("mamba", {
				block_count: 64,
				embedding_length: 2560,
				"attention.head_count": 0,
				"ssm.conv_kernel": 4,
				"ssm.inner_size": 5120,
				"ssm.state_size": 16,
			}),
		);
		expect(model).toMatchObject({ fullLayers: 0, recurrentLayers: 64 });
		expect(kvBytesPerToken(model, both("f16"))).toBe(0);
	});
});

describe("tensors", () => {
	const small = header("llama", {
		block_count: 1,
		embedding_length: 512,
		"attention.head_count": 8,
		expert_count: 8,
		expert_used_count: 2,
	});
	const tensors: GgufTensor[] = [
		{ name: "token_embd.weight", shape: [512, 1000], dtype: 1 },
		{ name: "blk.0.ffn_up_exps.weight", shape: [512, 256, 8], dtype: 12 },
		{ name: "output_norm.weight", shape: [512], dtype: 0 },
	];

	test("add up to parameters and bytes by the blocks of their types", () => {
		const reading = geometryFromGguf(small, tensors);
		const experts = 512 * 256 * 8;
		expect(reading.facts.paramsTotal).toBe(512_000 + experts + 512);
		expect(reading.facts.paramsActive).toBe(512_000 + experts / 4 + 512);
		// f16 2 bytes; q4_K 144 bytes for 256; f32 4 bytes.
		expect(reading.weightsBytes).toBe(512_000 * 2 + (experts / 256) * 144 + 512 * 4);
	});

	test("of one part of a split file tell no bytes", () => {
		const reading = geometryFromGguf({ ...small, "split.tensors.count": 4 }, tensors);
		expect(reading.weightsBytes).toBeNull();
		expect(reading.facts.caveats.join()).toContain("3 of 4 tensors");
	});

	test("of a type that is not known tell no bytes", () => {
		const reading = geometryFromGguf(small, [{ name: "x", shape: [32], dtype: 141 }]);
		expect(reading.weightsBytes).toBeNull();
		expect(reading.facts.caveats.join()).toContain("141");
	});
});

describe("damaged headers", () => {
	test.each([
		[{}, "general.architecture"],
		[header("llama", {}), "llama.block_count: missing"],
		[header("llama", { block_count: 1e9 }), "no whole number from 1 to 10000"],
		[header("llama", { block_count: 4, "attention.head_count": [1, 2] }), "2 counts for 4 layers"],
		[header("llama", { block_count: 4, "attention.head_count": 8 }), "needed for headDim"],
		[
			header("llama", {
				block_count: 4,
				embedding_length: 512,
				"attention.head_count": 8,
				"attention.head_count_kv": 3,
			}),
			"attention.head_count_kv: 3 KV heads do not divide the 8 heads",
		],
		[
			header("llama", { block_count: 4, embedding_length: 513, "attention.head_count": 8 }),
			"embedding_length: 513 is no multiple",
		],
		[header("llama", { block_count: 4, embedding_length: 512 }), "none of them owns a cache"],
		[
			header("llama", {
				block_count: 4,
				embedding_length: 512,
				"attention.head_count": 8,
				expert_count: 4,
				expert_used_count: 8,
			}),
			"expert_used_count: 8 experts a token of the 4",
		],
		[null, "key–values"],
	])("say what is wrong: %o", (metadata, words) => {
		expect(() => geometryFromGguf(metadata)).toThrow(RangeError);
		expect(() => geometryFromGguf(metadata)).toThrow(words);
	});

	test("64-bit numbers are read as such", () => {
		const metadata = header("llama", {
			block_count: 4n,
			embedding_length: 512n,
			"attention.head_count": [8n, 8n, 8n, 8n],
		});
		expect(facts(metadata)).toMatchObject({ layers: 4, headDimK: 64, kvHeads: 8 });
	});
});
