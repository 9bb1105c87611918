import { join } from "node:path";
import type { Conditions, Item } from "@plimsoll/api/ingest";
import { describe, expect, it } from "vitest";
import { type FileReading, readFile, sharedFolder } from "../support/reading.ts";

const formats = sharedFolder("formats");
const suite = describe.skipIf(formats === null);
const label = (name: string) => (formats === null ? `${name} (skipped: no shared data)` : name);
const read = (path: string): Promise<FileReading> => readFile(join(formats ?? "", path));
const GIB = 2 ** 30;

type MemoryItem = Extract<Item, { kind: "memory" }>;

function memoryOf({ items }: FileReading): MemoryItem {
	const found = items.filter((item) => item.kind === "memory");
	const [only] = found;
	if (found.length !== 1 || only?.kind !== "memory") throw new Error(`${found.length} memory items`);
	return only;
}

const notesOf = ({ items }: FileReading) =>
	items.flatMap((item) => (item.kind === "note" ? [item.text] : [])).join("\n");

/** File, conditions, weights, pool and graphs in GiB, KV tokens, longest request, as the log prints them. */
type LogRow = [
	string,
	Partial<Conditions>,
	{
		weights: number | null;
		pool: number | null;
		graphs: number | null;
		tokens: number | null;
		length: number | null;
	},
];

const LOGS: LogRow[] = [
	[
		"a100-80gb-qwen2-7b-v0.10.1.1-hard-wrapped.log",
		{ engine: "vllm", engineVersion: "0.10.1.1", model: "Qwen2-7B-Instruct" },
		{ weights: 14.2488, pool: 24.83, graphs: 0.5, tokens: 464_848, length: 16_384 },
	],
	[
		"b200-llama3.3-70b-fp4-tp1-v0.15.0.log",
		{
			engineVersion: "0.15.0",
			model: "nvidia/Llama-3.3-70B-Instruct-FP4",
			tp: 1,
			weights: "fp4",
			kvK: "fp8",
		},
		{ weights: 39.89, pool: 119.35, graphs: null, tokens: 782_160, length: 131_072 },
	],
	[
		"b200x4-dsr1-fp4-tp4-ep4-v0.19.1.log",
		{ engineVersion: "0.19.1", model: "nvidia/DeepSeek-R1-0528-FP4", tp: 4, gpus: 4, kvK: "fp8" },
		{ weights: 94.08, pool: 62.24, graphs: 1.1, tokens: 1_901_888, length: 163_840 },
	],
	[
		"mi355x4-kimi-k2.7-wrapper-log.log",
		{ engine: "vllm", tp: 4 },
		{ weights: 130.42, pool: 106.52, graphs: null, tokens: 3_255_184, length: 262_144 },
	],
	[
		"r9700x2-qwen3.8-27b-fp8-dev-sept-2026.log",
		{ engineVersion: "0.1.dev1+g4f2081932", model: "Qwen/Qwen3.8-27B-FP8", tp: 2, weights: "fp8" },
		{ weights: 15.32, pool: 9.87, graphs: 0.86, tokens: 620_708, length: 262_144 },
	],
	[
		// 1381 blocks of 16 tokens
		"v1-january-2025-gpu-blocks.log",
		{ engine: "vllm", engineVersion: null },
		{ weights: 67.7229, pool: null, graphs: null, tokens: 22_096, length: 2048 },
	],
	[
		// 148,816 / 32,768 = 4.5, and the log says 12.91 requests: pages are not tokens
		"compose-two-services-qwen3.5-35b-hybrid-v0.17.log",
		{ engine: "vllm" },
		{ weights: 22.05, pool: 5.69, graphs: null, tokens: null, length: 32_768 },
	],
];

suite(label("start-up logs of vLLM"), () => {
	it.each(LOGS)("%s", async (file, conditions, { weights, pool, graphs, tokens, length }) => {
		const reading = await read(`vllm-logs/${file}`);
		expect(reading.format).toBe("vllm log");
		expect(reading.measurements).toEqual([]);
		const item = memoryOf(reading);
		expect(item.conditions).toMatchObject(conditions);
		const gib = (bytes: number | null) => (bytes === null ? null : Number((bytes / GIB).toFixed(4)));
		expect(gib(item.memory.weightsBytes)).toBe(weights);
		expect(gib(item.memory.kvPoolBytes)).toBe(pool);
		expect(gib(item.memory.graphBytes)).toBe(graphs);
		expect(item.memory).toMatchObject({ kvTokens: tokens, maxModelLen: length });
	});

	it("ranks that differ give the smallest pool, and the difference is said", async () => {
		const reading = await read("vllm-logs/r9700x2-qwen3.8-27b-fp8-dev-sept-2026.log");
		expect(notesOf(reading)).toContain("9.87 to 10.8 GiB");
		const { memory } = memoryOf(reading);
		// 3.08 GiB of peak activation on the fuller rank; 16.36 consumed − 15.32 weights
		expect((memory.activationBytes ?? 0) / GIB).toBeCloseTo(3.08, 6);
		expect((memory.otherBytes ?? 0) / GIB).toBeCloseTo(1.04, 6);
		expect(notesOf(reading)).toContain("1568 tokens");
	});

	it("a concurrency that contradicts the tokens is shown", async () => {
		const reading = await read("vllm-logs/compose-two-services-qwen3.5-35b-hybrid-v0.17.log");
		expect(notesOf(reading)).toMatch(/148816 tokens.*12\.91 requests.*contradict.*4\.54/s);
	});

	it("graphs of less than nothing are not believed", async () => {
		expect(notesOf(await read("vllm-logs/b200-llama3.3-70b-fp4-tp1-v0.15.0.log"))).toContain("-8.02 GiB");
	});

	it("a log that ends before the KV lines is set aside", async () => {
		const { counts } = await read("vllm-logs/b200x8-dsr1-fp4-tp8-cut-after-args-v0.19.1.log");
		expect(counts).toEqual({ aside: 1 });
	});

	it("a server that found no memory is a failure of its configuration, a wrong option is not", async () => {
		const noMemory = await read("vllm-logs/vllm_serve_no_kv_cache_memory_v0.25.1.log");
		expect(noMemory.counts).toEqual({ failure: 1 });
		expect(noMemory.items[0]).toMatchObject({
			failure: { reason: expect.stringContaining("no memory"), conditions: { model: "facebook/opt-125m" } },
		});
		const wrongOption = await read("vllm-logs/vllm_serve_unrecognized_argument_v0.25.1.log");
		expect(wrongOption.counts).toEqual({ rejected: 1 });
		expect(wrongOption.items[0]).toMatchObject({ reason: expect.stringContaining("--no-such-flag 3") });
	});
});

suite(label("what a running server says of itself"), () => {
	it("/metrics pins the pool; its counters are no point", async () => {
		const reading = await read("vllm-metrics/metrics_vllm_0_25_1_loaded.txt");
		expect(reading.counts).toEqual({ memory: 1, aside: 1 });
		expect(memoryOf(reading)).toMatchObject({
			conditions: { engine: "vllm", model: "opt-125m-tp2" },
			memory: { kvTokens: 400_448 },
		});
		// 88.24499 s over 664 first tokens
		const aside = reading.items.find((item) => item.kind === "aside");
		expect(aside).toMatchObject({ reason: expect.stringMatching(/over 600 requests.*TTFT 0\.1329 s/) });
	});

	it("AIPerf's copy of it does the same", async () => {
		const reading = await read("aiperf/mi355x4-kimi-k2.7-conc8-server_metrics_export.csv");
		expect(reading.counts).toEqual({ memory: 1, aside: 1 });
		expect(memoryOf(reading)).toMatchObject({
			conditions: { model: "amd/Kimi-K2.7-Code-MXFP4" },
			memory: { kvTokens: 1_854_887 },
		});
	});

	it("the description of a recording names hardware, arguments and pool", async () => {
		const reading = await read("vllm-requests/RTX4090-Llama-3.1-8B/meta.json");
		expect(reading.counts).toEqual({ memory: 1, aside: 1 });
		expect(memoryOf(reading)).toMatchObject({
			conditions: {
				gpu: "NVIDIA GeForce RTX 4090",
				gpus: 1,
				engineVersion: "0.19.0",
				model: "meta-llama/Llama-3.1-8B",
				kvK: "bf16",
			},
			memory: { kvTokens: 41_408, maxModelLen: 32_768 },
		});
	});
});
