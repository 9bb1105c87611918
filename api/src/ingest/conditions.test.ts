import { describe, expect, it } from "vitest";
import {
	compareConditions,
	configurationKey,
	configurationLabel,
	kvTypeName,
	pointKey,
} from "./conditions.ts";
import { emptyConditions } from "./fields.ts";
import type { Conditions, Measurement } from "./record.ts";

const made = (special: Partial<Conditions>): Conditions => ({ ...emptyConditions("llama.cpp"), ...special });

describe("configurationKey", () => {
	it("does not depend on spelling, the order of flags, or how the count is known", () => {
		const a = made({
			gpu: "NVIDIA H100 80GB HBM3",
			gpus: 1,
			gpusBasis: "stated",
			kvK: "float16",
			flags: { a: 1, b: 2 },
		});
		const b = made({
			gpu: "nvidia  H100 80GB hbm3",
			gpus: 1,
			gpusBasis: "inferred",
			kvK: "f16",
			flags: { b: 2, a: 1 },
		});
		expect(configurationKey(a)).toBe(configurationKey(b));
	});

	it("leaves out what is not known and what only shapes loading", () => {
		const a = made({ model: "m", flags: { n_batch: 512, use_mmap: true, load_mode: "none", unknown: null } });
		expect(configurationKey(a)).toBe(configurationKey(made({ model: "m", flags: { n_batch: 512 } })));
		expect(JSON.parse(configurationKey(a))).toEqual([
			["engine", "llama.cpp"],
			["flags.n_batch", 512],
			["model", "m"],
		]);
	});

	it.each<[string, Partial<Conditions>]>([
		["version", { engineVersion: "b2 abc" }],
		["count of GPUs", { gpus: 2 }],
		["value cache", { kvV: "q8_0" }],
		["size of the model", { modelParams: 70e9 }],
		["a flag", { flags: { n_ubatch: 2048 } }],
	])("tells another %s apart", (_, special) => {
		const base = { engineVersion: "b1 abc", gpus: 1, kvV: "f16", modelParams: 8e9, flags: { n_ubatch: 512 } };
		expect(configurationKey(made({ ...base, ...special }))).not.toBe(configurationKey(made(base)));
	});
});

describe("configurationLabel", () => {
	it.each<[string, Partial<Conditions>]>([
		[
			"RTX 4090 · llama-3.1-8b Q4_K_M · llama.cpp b5606 · kv f16",
			{
				gpu: "NVIDIA GeForce RTX 4090",
				gpus: 1,
				model: "llama-3.1-8b",
				weights: "Q4_K_M",
				engineVersion: "b5606 247e5c6e",
				backend: "CUDA",
				kvK: "f16",
				kvV: "f16",
			},
		],
		[
			"4× RTX 3090 · Qwen3-8B-Q8_0 · llama.cpp 80fb11a · kv q8_0/f16 · no fa · ub 128",
			{
				gpu: "NVIDIA GeForce RTX 3090",
				gpus: 4,
				model: "Qwen3-8B-Q8_0-00001-of-00003.gguf",
				weights: "Q8_0",
				engineVersion: "80fb11a",
				kvK: "q8_0",
				kvV: "float16",
				flags: { flash_attn: "off", n_ubatch: 128 },
			},
		],
		[
			"AMD EPYC (CPU) · tiny · llama.cpp · 1 thread",
			{ gpu: "CPU: AMD EPYC", gpus: 0, model: "tiny.gguf", backend: "CPU", flags: { n_threads: 1 } },
		],
		[
			"RTX 5090 + 2× RTX 4090 + RTX A6000 · m",
			{
				gpu: "NVIDIA GeForce RTX 5090 + 2× NVIDIA GeForce RTX 4090 + NVIDIA RTX A6000",
				gpus: 4,
				model: "m",
				engine: null,
			},
		],
		["2 of RTX 5090 + 2× RTX 4090 · m", { gpu: "RTX 5090 + 2× RTX 4090", gpus: 2, model: "m", engine: null }],
		["unknown GPU · Qwen3-8B · llama.cpp Vulkan", { model: "Qwen/Qwen3-8B", backend: "Vulkan" }],
	])("%s", (label, special) => {
		expect(configurationLabel(made(special))).toBe(label);
	});
});

it("compareConditions lists what differs and what one side does not know", () => {
	const a = made({ engineVersion: "b1", kvK: "fp16", model: "m", flags: { n_gpu_layers: 99 } });
	const b = made({ engineVersion: "b2", kvK: "f16", gpu: "g", model: "M", flags: { n_gpu_layers: -1 } });
	expect(compareConditions(a, b)).toEqual({
		differing: ["engineVersion", "flags.n_gpu_layers"],
		unknown: ["gpu"],
	});
});

it("kvTypeName has one spelling for each type", () => {
	expect(["half", "FP16", "float16", "bfloat16", "fp8_e4m3", "Q8_0"].map(kvTypeName)).toEqual([
		"f16",
		"f16",
		"f16",
		"bf16",
		"fp8",
		"q8_0",
	]);
	expect(["constructor", "toString"].map(kvTypeName)).toEqual(["constructor", "tostring"]);
});

it("pointKey names shapes, and none for mixed rows", () => {
	const key = (shape: Record<string, unknown>) => pointKey(shape as unknown as Measurement);
	expect(key({ phase: "prefill", tokens: 512, cached: 0, batch: 1 })).toBe("prefill 512+0×1");
	expect(key({ phase: "decode", context: 63.5, batch: 8 })).toBe("decode @63.5×8");
	expect(key({ phase: "mixed" })).toBeNull();
	const serve = { phase: "serve", input: 1020.6, output: 124.99, rate: null };
	// The measured concurrency of no two runs is equal; the client's limit is.
	expect(key({ ...serve, concurrency: 15.61, concurrencyLimit: 16 })).toBe(
		key({ ...serve, concurrency: 15.58, concurrencyLimit: 16 }),
	);
	expect(key({ ...serve, concurrency: null, rate: 4 })).toBe("serve 1021→125 r4");
});
