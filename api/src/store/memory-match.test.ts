import { describe, expect, it } from "vitest";
import type { Conditions } from "../ingest/index.ts";
import { type MemorySetup, matchMemory } from "./memory-match.ts";

const nothing: Conditions = {
	...{ gpu: null, gpus: null, gpusBasis: null, engine: "vllm", engineVersion: null, backend: null },
	...{ model: null, modelParams: null, modelBytes: null, weights: null, kvK: null, kvV: null },
	...{ tp: null, pp: null, dp: null, ep: null, flags: {} },
};
const setup = (
	conditions: Partial<Conditions>,
	ids: Partial<Pick<MemorySetup, "gpuId" | "modelId">> = {},
): MemorySetup => ({
	conditions: { ...nothing, model: "org/Some-8B", ...conditions },
	...{ gpuId: null, modelId: null, ...ids },
});

/** Everything that decides memory is known. */
const FULL: Partial<Conditions> = {
	...{ gpu: "NVIDIA H100 80GB HBM3", gpus: 2, tp: 2, engineVersion: "0.10.0", weights: "bf16" },
	...{ kvK: "bf16", kvV: "bf16" },
};

describe("memory figures of a start", () => {
	it("speak of a setup of which all that decides memory is the same, whatever its flags of speed are", () => {
		const result = setup({ ...FULL, flags: { async_scheduling: true } });
		expect(matchMemory(setup({ ...FULL, flags: { max_num_seqs: 256 } }), result)).toEqual({ unknown: [] });
	});

	it("name what could not be compared, because one of the two does not say it", () => {
		const result = setup({ gpu: "H100", gpus: 1, tp: 1, engineVersion: null, weights: null });
		const log = setup({ tp: 1, engineVersion: "0.10.0", weights: "fp8", kvK: "fp8", kvV: "fp8" });
		expect(matchMemory(log, result)).toEqual({
			unknown: ["GPU", "engine version", "weight format", "cache type"],
		});
	});

	it.each<[string, Partial<Conditions>]>([
		["GPU", { gpu: "NVIDIA H200" }],
		["number of ranks", { tp: 4, gpus: 4 }],
		["engine", { engine: "sglang" }],
		["version of the engine", { engineVersion: "0.9.2" }],
		["model", { model: "org/Some-70B" }],
		["weight format", { weights: "fp8" }],
		["key cache", { kvK: "fp8" }],
		["value cache", { kvV: "fp8" }],
		["setting that moves memory", { flags: { max_num_seqs: 32 } }],
	])("do not speak of another %s", (_, other) => {
		const fact = setup({ ...FULL, flags: { max_num_seqs: 256 } });
		expect(matchMemory(fact, setup({ ...FULL, ...other }))).toBeNull();
	});

	it.each<[string, Partial<Conditions>, Partial<Conditions>]>([
		["a cache type of equal bytes", { kvK: "float16", kvV: "float16" }, { kvK: "bf16", kvV: "bf16" }],
		["another spelling of the weights", { weights: "torch.float16" }, { weights: "torch.float16" }],
		["another name of the recipe", { weights: "float16" }, { weights: "fp16" }],
		["the same version with a build tag", { engineVersion: "v0.10.0+cu128" }, { engineVersion: "0.10.0" }],
		["a build with its hash", { engineVersion: "b6040 66625a59" }, { engineVersion: "b6040" }],
		["copies beside one another", { tp: 2, gpus: 8 }, { tp: 2, gpus: 2 }],
		["a maker's name", { gpu: "NVIDIA GeForce RTX 4090" }, { gpu: "RTX 4090" }],
		["the folder of the hub", { model: "other/some-8b" }, { model: "Some-8B" }],
	])("take %s for the same", (_, a, b) => {
		expect(matchMemory(setup({ ...FULL, ...a }), setup({ ...FULL, ...b }))?.unknown).toEqual([]);
	});

	it("go by the catalog's ids where both have one", () => {
		const fact = setup({ ...FULL, model: "meta/a" }, { gpuId: "h100", modelId: "a" });
		expect(
			matchMemory(fact, setup({ ...FULL, model: "b", gpu: "x" }, { gpuId: "h100", modelId: "a" })),
		).not.toBeNull();
		expect(
			matchMemory(fact, setup({ ...FULL, model: "meta/a" }, { gpuId: "h100", modelId: "b" })),
		).toBeNull();
	});

	it("speak of nothing where the model or the engine is not known", () => {
		expect(matchMemory(setup({ ...FULL, model: null }), setup({ ...FULL, model: null }))).toBeNull();
		expect(matchMemory(setup({ ...FULL, engine: null }), setup({ ...FULL, engine: null }))).toBeNull();
	});
});
