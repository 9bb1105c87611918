import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepseekV3, gemma27b, llama70b, qwen35 } from "../fixtures/models.ts";
import { kvBytesPerSequence, kvBytesPerToken } from "./attention.ts";
import { BLOCK_BYTES_PER_32, type KvType } from "./facts.ts";
import { elementBytes, kvTypeInUse, kvTypeOf } from "./kv-type.ts";

const bf16 = { kvK: "bf16", kvV: "bf16" } as const;

describe("bytes of one element", () => {
	test("q8_0 is 34 bytes per 32 elements, q4_0 18 (block sizes of ggml)", () => {
		expect(32 * elementBytes("q8_0")).toBe(34);
		expect(32 * elementBytes("q4_0")).toBe(18);
		expect(32 * elementBytes("q5_1")).toBe(24);
		expect(elementBytes("fp8")).toBe(1);
		expect(elementBytes("f32")).toBe(4);
	});

	test("names that engines use stand for the same types", () => {
		expect(kvTypeOf("fp8_e4m3")).toBe("fp8");
		expect(kvTypeOf("float16")).toBe("f16");
		expect(kvTypeOf("auto")).toBeNull();
		// Every object has these; no cache does.
		for (const name of ["constructor", "toString", "__proto__"]) expect(kvTypeOf(name)).toBeNull();
		expect(kvTypeInUse("auto", "float16")).toBe("f16");
		expect(kvTypeInUse("fp8", "bfloat16")).toBe("fp8");
	});
});

describe("Llama 3.1 70B: 80 layers, 8 KV heads, head_dim 128 (its config.json)", () => {
	test("327,680 bytes a token in bf16", () => {
		expect(kvBytesPerToken(llama70b, bf16)).toBe(327_680);
	});

	test.each([
		[32_000, 10.49e9],
		[128_000, 41.94e9],
		[1_000_000, 327.7e9],
	])("%i tokens take %f bytes", (context, bytes) => {
		expect(kvBytesPerSequence(llama70b, { ...bf16, context }) / bytes).toBeCloseTo(1, 3);
	});

	test.each([
		[32_000, 83.9e9],
		[128_000, 335.5e9],
		[1_000_000, 2.62e12],
	])("without GQA (64 heads) %i tokens take %f bytes", (context, bytes) => {
		const mha = kvBytesPerSequence(llama70b, { ...bf16, kvHeads: 64, context });
		expect(mha / bytes).toBeCloseTo(1, 2);
		expect(mha).toBe(8 * kvBytesPerSequence(llama70b, { ...bf16, context }));
	});

	test("heads are copied when ranks outnumber them: TP 16 stores what TP 8 stores", () => {
		expect(kvBytesPerToken(llama70b, { ...bf16, tp: 16 })).toBe(40_960);
		expect(kvBytesPerToken(llama70b, { ...bf16, tp: 8 })).toBe(40_960);
	});

	test("K and V may differ: q8_0 K with q4_0 V", () => {
		expect(kvBytesPerToken(llama70b, { kvK: "q8_0", kvV: "q4_0" })).toBe((80 * 8 * 128 * (34 + 18)) / 32);
	});
});

test("DeepSeek-V3 keeps one latent of 512 + 64 values, whole on every rank (llama.cpp prints 10,980 MiB at 163,840)", () => {
	expect(kvBytesPerToken(deepseekV3, { ...bf16, tp: 8 })).toBe(70_272);
	expect(kvBytesPerSequence(deepseekV3, { ...bf16, context: 163_840 }) / 2 ** 20).toBe(10_980);
});

describe("Gemma 3 27B: 10 full and 52 sliding layers of 1,024 tokens, 16 KV heads of 128", () => {
	test("10.41 GiB at 131,072 tokens with windows, 62 GiB without (an engine's log prints 63,488 MiB)", () => {
		const context = 131_072;
		expect(kvBytesPerSequence(gemma27b, { ...bf16, context }) / 2 ** 30).toBeCloseTo(10.406, 3);
		expect(kvBytesPerSequence(gemma27b, { ...bf16, context, windowsHonoured: false }) / 2 ** 30).toBe(62);
	});

	test("below the window every layer costs", () => {
		expect(kvBytesPerSequence(gemma27b, { ...bf16, context: 512 })).toBe(512 * 62 * 16 * 128 * 4);
	});
});

test("Qwen3.5 9B: 8 layers grow, 24 hold a state of 2,146,304 bytes", () => {
	expect(kvBytesPerToken(qwen35, bf16)).toBe(32_768);
	expect(kvBytesPerSequence(qwen35, { ...bf16, context: 1000 })).toBe(32_768_000 + 24 * 2_146_304);
});

const types = fc.constantFrom(...(Object.keys(BLOCK_BYTES_PER_32) as KvType[]));

test("splitting over ranks never stores less in total than one rank does", () => {
	fc.assert(
		fc.property(
			types,
			types,
			fc.integer({ min: 1, max: 64 }),
			fc.integer({ min: 1, max: 128 }),
			(kvK, kvV, tp, kvHeads) => {
				const geometry = { ...llama70b, kvHeads };
				const one = kvBytesPerToken(geometry, { kvK, kvV });
				expect(kvBytesPerToken(geometry, { kvK, kvV, tp }) * tp).toBeGreaterThanOrEqual(one * (1 - 1e-12));
			},
		),
	);
});

test("a longer sequence never costs less", () => {
	fc.assert(
		fc.property(
			fc.constantFrom(llama70b, gemma27b, deepseekV3, qwen35),
			fc.integer({ min: 1, max: 2_000_000 }),
			fc.integer({ min: 0, max: 100_000 }),
			fc.constantFrom(1, 16, 64),
			(model, context, more, blockTokens) => {
				const at = (context: number) => kvBytesPerSequence(model, { ...bf16, blockTokens, context });
				expect(at(context + more)).toBeGreaterThanOrEqual(at(context));
			},
		),
	);
});

test("KV heads that differ by layer: their mean gives the sum of all layers", () => {
	// OpenELM-270M: 16 layers, head_dim 64.
	const counts = [3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5];
	const sum = counts.reduce((a, b) => a + b, 0);
	const geometry = { ...llama70b, layers: 16, fullLayers: 16, kvHeads: sum / 16, headDimK: 64, headDimV: 64 };
	expect(kvBytesPerToken(geometry, { kvK: "f16", kvV: "f16" })).toBe(sum * 2 * 64 * 2);
});
