import { describe, expect, it } from "vitest";
import type { Item } from "../record.ts";
import { cleanText } from "../text/text.ts";
import { vllmLog } from "./log.ts";

const read = (text: string): Item[] => [...(vllmLog.document?.(cleanText(text), {}) ?? [])];
const memories = (text: string) => read(text).flatMap((item) => (item.kind === "memory" ? [item] : []));
const notes = (text: string) => read(text).flatMap((item) => (item.kind === "note" ? [item.text] : []));
const GIB = 2 ** 30;

/** The lines of a start in the wording of 2025, one engine, tensor parallel 2. */
const START = [
	"INFO 06-01 10:00:00 [api_server.py:1805] vLLM API server version 0.9.2",
	"INFO 06-01 10:00:00 [utils.py:326] non-default args: {'model': 'org/M-8B', 'tensor_parallel_size': 2, 'host': '0.0.0.0'}",
	"(VllmWorker rank=0 pid=11) INFO 06-01 10:00:09 [gpu_model_runner.py:1] Model loading took 7.5000 GiB and 3.1 seconds",
	"(VllmWorker rank=1 pid=12) INFO 06-01 10:00:09 [gpu_model_runner.py:1] Model loading took 7.5000 GiB and 3.2 seconds",
	"(VllmWorker rank=0 pid=11) INFO 06-01 10:00:20 [gpu_worker.py:1] Available KV cache memory: 40.00 GiB",
	"(VllmWorker rank=1 pid=12) INFO 06-01 10:00:20 [gpu_worker.py:1] Available KV cache memory: 39.00 GiB",
	"INFO 06-01 10:00:20 [kv_cache_utils.py:1] GPU KV cache size: 638,976 tokens",
	"INFO 06-01 10:00:20 [kv_cache_utils.py:1] Maximum concurrency for 8,192 tokens per request: 78.00x",
	"INFO 06-01 10:00:20 [kv_cache_utils.py:1] GPU KV cache size: 638,976 tokens",
	"INFO 06-01 10:00:20 [kv_cache_utils.py:1] Maximum concurrency for 8,192 tokens per request: 78.00x",
].join("\n");

describe("a start-up log of vLLM", () => {
	it("pins memory per GPU; what every rank repeats counts once, the smallest pool decides", () => {
		expect(memories(START)).toEqual([
			expect.objectContaining({
				at: "line 1",
				conditions: expect.objectContaining({
					engine: "vllm",
					engineVersion: "0.9.2",
					model: "org/M-8B",
					tp: 2,
					gpus: 2,
					gpusBasis: "inferred",
				}),
				memory: {
					weightsBytes: 7.5 * GIB,
					kvPoolBytes: 39 * GIB,
					kvTokens: 638_976,
					activationBytes: null,
					graphBytes: null,
					otherBytes: null,
					maxModelLen: 8192,
					windowsHonoured: null,
					remarks: [expect.stringContaining("39 to 40 GiB")],
				},
			}),
		]);
		expect(notes(START).join()).toContain("39 to 40 GiB");
	});

	it("keeps the share of the card, and what contradicts itself, with the figures", () => {
		const [{ memory } = { memory: null }] = memories(
			START.replace("'host'", "'gpu_memory_utilization': 0.8, 'host'").replaceAll("78.00x", "40.00x"),
		);
		expect(memory?.utilisation).toBe(0.8);
		// 638,976 tokens hold 78 requests of 8,192 tokens, not 40.
		expect(memory?.remarks?.join()).toMatch(/638976 tokens.* 40 requests.*contradict each other \(78\)/);
	});

	it("keeps arguments that name machines and ports out of the conditions", () => {
		expect(JSON.stringify(memories(START))).not.toContain("0.0.0.0");
	});

	it("reads lines that a terminal broke at its width, also inside a number", () => {
		const broken = START.split("\n")
			.flatMap((line) => line.match(/.{1,97}/g) ?? [])
			.join("\n");
		expect(broken).not.toBe(START);
		expect(memories(broken)[0]?.memory).toEqual(memories(START)[0]?.memory);
	});

	it("reads colour codes, carriage returns and the name of one service in front", () => {
		const dressed = START.split("\n")
			.map((line) => `api-1  | \u001b[0;36m${line}\u001b[0;0m`)
			.join("\r\n");
		expect(memories(dressed)[0]?.memory).toEqual(memories(START)[0]?.memory);
	});

	it("keeps two services in one stream apart", () => {
		const other = START.replaceAll("638,976", "81,920").replaceAll("78.00x", "10.00x").split("\n");
		const both = START.split("\n").flatMap((line, at) => [`big   | ${line}`, `small | ${other[at]}`]);
		const found = memories(both.join("\n"));
		expect(found.map(({ at, memory }) => [at, memory.kvTokens])).toEqual([
			["line 1, service big", 638_976],
			["line 2, service small", 81_920],
		]);
	});

	it("keeps a restart of the server apart", () => {
		const second = START.replaceAll("638,976", "819,200").replaceAll("78.00x", "100.00x");
		expect(memories(`${START}\n${second}`).map(({ memory }) => memory.kvTokens)).toEqual([638_976, 819_200]);
	});

	it("takes the data-parallel engines apart: one pool each, their sum in words", () => {
		const lines = [
			"(EngineCore_DP0 pid=1) INFO 06-01 10:00:20 [kv_cache_utils.py:1] GPU KV cache size: 11,577,333 tokens",
			"(EngineCore_DP0 pid=1) INFO 06-01 10:00:20 [kv_cache_utils.py:1] GPU KV cache size: 11,577,333 tokens",
			"(EngineCore_DP1 pid=2) INFO 06-01 10:00:20 [kv_cache_utils.py:1] GPU KV cache size: 5,000,000 tokens",
		].join("\n");
		expect(memories(lines)[0]).toMatchObject({ memory: { kvTokens: 5_000_000 }, conditions: { dp: 2 } });
		expect(notes(lines).join()).toContain("16577333 tokens");
	});

	it("reads the old wordings: blocks, GB that are GiB, the split of V0", () => {
		const old = [
			"INFO 11-11 05:54:20 model_runner.py:1067] Loading model weights took 14.9888 GB",
			"INFO 11-11 05:54:21 worker.py:232] model weights take 14.99GiB; non_torch_memory takes 0.11GiB; PyTorch activation peak memory takes 1.20GiB; the rest of the memory reserved for KV Cache is 4.27GiB.",
			"INFO 11-11 05:54:22 gpu_executor.py:122] # GPU blocks: 2186, # CPU blocks: 2048",
		].join("\n");
		const [only] = memories(old);
		expect(only?.memory).toMatchObject({ kvTokens: 2186 * 16, kvPoolBytes: 4.27 * GIB });
		expect((only?.memory.activationBytes ?? 0) / GIB).toBeCloseTo(1.2, 9);
		expect((only?.memory.otherBytes ?? 0) / GIB).toBeCloseTo(0.11, 9);
	});

	it("shows a concurrency that contradicts the tokens, and does not use the tokens then", () => {
		const hybrid = START.replaceAll("78.00x", "221.50x");
		expect(memories(hybrid)[0]?.memory).toMatchObject({ kvTokens: null, windowsHonoured: true });
		expect(notes(hybrid).join()).toMatch(/638976 tokens.*221\.5 requests.*contradict/);
	});

	it("takes a request that does not fit as a failure at its length", () => {
		const full = `${START.split("\n").slice(0, 4).join("\n")}
ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (0.71 GiB). Based on the available memory, the estimated maximum model length is 5632.`;
		expect(read(full)).toEqual([
			expect.objectContaining({
				kind: "failure",
				failure: expect.objectContaining({
					phase: "serve",
					tokens: 131_072,
					reason: expect.stringContaining("too small"),
				}),
			}),
			expect.objectContaining({ kind: "memory" }),
		]);
	});

	it("sets a log aside that ends before any fact", () => {
		expect(read(START.split("\n").slice(0, 2).join("\n"))).toEqual([
			expect.objectContaining({ kind: "aside" }),
		]);
	});
});
