import { expect, test } from "vitest";
import gpuSeeds from "../../../db/seed/gpus.json" with { type: "json" };
import modelSeeds from "../../../db/seed/models.json" with { type: "json" };
import { gpusLike, matchGpu, matchModel } from "./catalog.ts";

const gpus = gpuSeeds.map(({ facts, aliases }) => ({ id: facts.id, name: facts.name, aliases }));
const models = modelSeeds.map(({ facts, aliases }) => ({ id: facts.id, name: facts.name, aliases, facts }));

test("every entry is found by its id, its name and each of its aliases", () => {
	for (const { id, name, aliases } of gpus)
		for (const spelling of [id, name, ...aliases]) expect(matchGpu(spelling, gpus), spelling).toBe(id);
	for (const { id, name, aliases } of models)
		for (const spelling of [id, name, ...aliases]) expect(matchModel(spelling, models), spelling).toBe(id);
});

test.each([
	// As llama.cpp, vLLM and nvidia-smi print them.
	["NVIDIA H100 80GB HBM3", "h100-sxm-80gb"],
	["8x NVIDIA H100 80GB HBM3", "h100-sxm-80gb"],
	["H100 x8", "h100-sxm-80gb"],
	["AMD Radeon RX 7900 XTX", "rx-7900-xtx"],
	["H100 SXM 80GB", "h100-sxm-80gb"],
	["NVIDIA H100 PCIe", "h100-pcie-80gb"],
	["NVIDIA GeForce RTX 4090", "rtx-4090"],
	["NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 4090", "rtx-4090"],
	["RTX 4090", "rtx-4090"],
	["rtx4090", null],
	["NVIDIA GeForce RTX 3090 Ti", "rtx-3090-ti"],
	["NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"],
	["NVIDIA A100-SXM4-40GB", "a100-sxm-40gb"],
	["NVIDIA A100 80GB PCIe", "a100-pcie-80gb"],
	["AMD Instinct MI300X", "mi300x"],
	["Tesla V100-SXM2-32GB", "v100-sxm2-32gb"],
	["Tesla T4", "t4"],
	["NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000-blackwell-workstation"],
	["NVIDIA GB10", "dgx-spark-gb10"],
	["Tesla V100-SXM2-16GB", "v100-sxm2-16gb"],
	["NVIDIA GeForce RTX 4080", "rtx-4080"],
	["NVIDIA GeForce RTX 4080 SUPER", "rtx-4080-super"],
	// Its laptop version has two thirds of the bandwidth.
	["NVIDIA GeForce RTX 4080 Laptop GPU", null],
	// 40 or 80 GB, plugged or socketed.
	["A100", null],
	// Neither the Ti SUPER nor unknown cards nor mixed ones.
	["NVIDIA GeForce RTX 4070 Ti", null],
	["AMD Radeon Graphics", null],
	["AMD Radeon 8060S Graphics (RADV GFX1151)", null],
	["NVIDIA GeForce RTX 5090, NVIDIA GeForce RTX 4090", null],
	["", null],
])("GPU %j is %j", (name, id) => {
	expect(matchGpu(name, gpus)).toBe(id);
});

test.each([
	["A100", ["a100-pcie-40gb", "a100-sxm-40gb", "a100-pcie-80gb", "a100-sxm-80gb"]],
	["NVIDIA A100 80G", ["a100-pcie-80gb", "a100-sxm-80gb"]],
	["Tesla V100", ["v100-pcie-16gb", "v100-sxm2-16gb", "v100-sxm2-32gb"]],
	["NVIDIA GeForce RTX 5090 + 2× NVIDIA GeForce RTX 4090", []],
	["NVIDIA", []],
])("GPU %j may be %j", (name, ids) => {
	expect(gpusLike(name, gpus)).toEqual(ids);
});

test.each([
	["meta-llama/Llama-3.1-70B-Instruct", "llama-3.1-70b"],
	["Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "llama-3.1-8b"],
	["RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "llama-3.1-8b"],
	["Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "llama-3.1-8b"],
	["models/Meta-Llama-3.2-3B-Instruct-Q8_0.gguf", "llama-3.2-3b"],
	["C:\\models\\Qwen3-30B-A3B-UD-Q4_K_XL.gguf", "qwen3-30b-a3b"],
	["Qwen/Qwen3-30B-A3B", "qwen3-30b-a3b"],
	["Qwen/Qwen3-32B-FP8", "qwen3-32b"],
	["Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4", "qwen2.5-72b"],
	["llama-2-70b", "llama-2-70b"],
	["llama2-70b", "llama-2-70b"],
	["Llama3-405B", "llama-3.1-405b"],
	[
		"/models/models--openai--gpt-oss-120b/snapshots/b5c939de8f754692c1647ca79fbf85e8c1e70f8a/",
		"gpt-oss-120b",
	],
	["nvidia/DeepSeek-R1-0528-FP4", "deepseek-r1"],
	["DeepSeek-V3-0324-IQ2_K_R4-00001-of-00005.gguf", "deepseek-v3"],
	["zai-org/GLM-5-FP8", "glm-5"],
	["amd/Kimi-K2.5-MXFP4", "kimi-k2.5"],
	["google/gemma-3-27b-it-qat-q4_0-gguf", null],
	["google/gemma-3-27b-it", "gemma-3-27b"],
	["mistralai/Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b"],
	["mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"],
	["Qwen3.6-27B-UD-Q8_K_XL", "qwen3.6-27b"],
	["gemma3 4B Q4_0", "gemma-3-4b"],
	["gpt-oss 20B F16", "gpt-oss-20b"],
	// Other networks with like names.
	["meta-llama/Meta-Llama-3-8B-Instruct", null],
	["DeepSeek-R1-Distill-Llama-70B", null],
	["shisa-v2-llama3.1-8b.i1-Q4_K_M.gguf", null],
	["Mistral-7B-Instruct-v0.2", null],
	["facebook/opt-125m", null],
	["", null],
])("model %j is %j", (name, id) => {
	expect(matchModel(name, models)).toBe(id);
});

test.each([
	["llama 8B Q4_K - Medium", 8_030_261_312, "llama-3.1-8b"],
	["llama ?B F16", 8_030_261_312, "llama-3.1-8b"],
	["llama 7B mostly Q4_0", 6_738_415_616, "llama-2-7b"],
	["qwen2 7B Q4_K - Medium", 7_615_616_512, "qwen2.5-7b"],
	["qwen3moe 30B.A3B Q8_0", 30_532_122_624, "qwen3-30b-a3b"],
	// llama.cpp names the size after the layer count: this one is a 14 B network.
	["llama 13B IQ3_S mix - 3.66 bpw", 14_659_507_200, null],
	// Llama 3.1 and 3.3 have the same count.
	["llama 70B Q4_K - Medium", 70_553_706_560, null],
	["llama 70B Q4_K - Medium", 68_976_648_192, "llama-2-70b"],
])("type name %j with %i parameters is %j, and unknown without them", (name, paramsTotal, id) => {
	expect(matchModel(name, models, paramsTotal)).toBe(id);
	expect(matchModel(name, models)).toBeNull();
});

test("a name with a clearly different parameter count is another network", () => {
	expect(matchModel("Llama-3.1-8B", models, 8_030_261_312)).toBe("llama-3.1-8b");
	expect(matchModel("Llama-3.1-8B", models, 4_500_000_000)).toBeNull();
});
