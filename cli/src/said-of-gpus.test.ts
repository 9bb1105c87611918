import { describe, expect, it } from "vitest";
import { saidOfGpus } from "./said-of-gpus.ts";

const state = (...names: string[]) => ({
	tool: "nvidia-smi",
	devices: names.map((name) => ({ name, driver: null, memoryBytes: null, maxSmClockMhz: null })),
	readings: [],
});
const bench = ["llama-bench", "-m", "x.gguf"];

describe("what the machine's GPUs say", () => {
	it("is name and count of the only one, the name of several alike, nothing of a mixture or of none", () => {
		expect(saidOfGpus(state("A"), bench, {})).toEqual({ gpu: "A", gpus: "1" });
		expect(saidOfGpus(state("A", "A"), bench, {})).toEqual({ gpu: "A" });
		expect(saidOfGpus(state("A", "B"), bench, {})).toEqual({});
		expect(saidOfGpus(null, bench, {})).toEqual({});
	});

	it.each(["", "-1"])("is nothing where CUDA_VISIBLE_DEVICES=%s hides them", (value) => {
		expect(saidOfGpus(state("A"), bench, { CUDA_VISIBLE_DEVICES: value })).toEqual({});
		expect(saidOfGpus(state("A"), bench, { CUDA_VISIBLE_DEVICES: "0" })).toEqual({ gpu: "A", gpus: "1" });
	});

	it.each([
		["vllm bench serve --base-url http://gpu-7:8000", false],
		["vllm bench serve --host gpu-7 --port 8000", false],
		["vllm bench serve --host=10.0.0.7", false],
		["guidellm benchmark --target https://api.example/v1", false],
		["vllm bench serve --base-url http://localhost:8000", true],
		["vllm bench serve --host 127.0.0.1", true],
		["vllm bench serve --base-url http://[::1]:8000", true],
		["vllm bench latency --model meta-llama/Llama-3.1-8B", true],
	])("counts for “%s”: %s", (command, counts) => {
		expect("gpu" in saidOfGpus(state("A"), command.split(" "), {})).toBe(counts);
	});
});
