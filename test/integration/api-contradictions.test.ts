import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);

let versions = 0;
const file = (facts: Record<string, unknown>) =>
	JSON.stringify({
		plimsoll: 1,
		...facts,
		flags: { sample: ++versions },
		measurements: [{ phase: "prefill", tokens: 512, seconds: [0.1] }],
	});

const FACTS = {
	...{ gpu: "NVIDIA GeForce RTX 4090", gpus: 2, model: "Meta-Llama-3.1-8B-Instruct", engine: "llama.cpp" },
	...{ engineVersion: "b5606 247e5c6e", weights: "Q4_K_M", kvK: "f16", kvV: "q8_0", tp: 2 },
};

async function notesOf(facts: Record<string, unknown>, said: Record<string, string>): Promise<string[]> {
	const { status, body } = await call("POST", `/runs?${new URLSearchParams(said)}`, file(facts));
	expect(status).toBe(201);
	const kept = (await call("GET", `/runs/${body.id}`)).body;
	expect(kept.notes).toEqual(body.notes);
	return body.notes;
}

describe("what is said beside a file", () => {
	it.each<[said: Record<string, string>, note: string]>([
		[
			{ gpu: "H100" },
			"GPU: the file says “NVIDIA GeForce RTX 4090”, the upload said “H100”; the file counts",
		],
		[{ gpus: "4" }, "number of GPUs: the file says 2, the upload said 4; the file counts"],
		[
			{ model: "qwen3-32b" },
			"model: the file says “Meta-Llama-3.1-8B-Instruct”, the upload said “qwen3-32b”; the file counts",
		],
		[{ engine: "vllm" }, "engine: the file says “llama.cpp”, the upload said “vllm”; the file counts"],
		[
			{ engineVersion: "b5607" },
			"engine version: the file says “b5606 247e5c6e”, the upload said “b5607”; the file counts",
		],
		[{ weights: "bf16" }, "weights: the file says “Q4_K_M”, the upload said “bf16”; the file counts"],
		[{ tp: "4" }, "tensor parallel size: the file says 2, the upload said 4; the file counts"],
		[
			{ kv: "f16" },
			"type of the cached values: the file says “q8_0”, the upload said “f16”; the file counts",
		],
	])("%o is named where the file says otherwise", async (said, note) => {
		expect(await notesOf(FACTS, said)).toEqual([note]);
	});

	it("may contradict the file in all it says, and the file's configuration is the one that counts", async () => {
		const said = {
			...{
				gpu: "H100",
				gpus: "8",
				model: "qwen3-32b",
				engine: "vllm",
				engineVersion: "0.11.0",
				weights: "bf16",
			},
			...{ kv: "fp8", tp: "8" },
		};
		const { body } = await call("POST", `/runs?${new URLSearchParams(said)}`, file(FACTS));
		expect(body.notes).toHaveLength(9);
		const { gpu, model, ...others } = FACTS;
		expect(body.configurations).toMatchObject([{ gpuName: gpu, modelName: model, ...others }]);
	});

	it("fills what the file leaves open, without a word", async () => {
		expect(await notesOf({ gpu: "RTX 4090" }, { model: "qwen3-32b", engine: "vllm", gpus: "2" })).toEqual([]);
	});

	it("may name the same things otherwise", async () => {
		const said = {
			...{ gpu: "rtx-4090", gpus: "2", model: "llama-3.1-8b", engine: "llamacpp", engineVersion: "5606" },
			...{ weights: "q4_k_m", tp: "2" },
		};
		expect(await notesOf(FACTS, said)).toEqual([]);
		expect(await notesOf({ kv: "float16" }, { kv: "fp16" })).toEqual([]);
	});

	it("counts where the file only lists the GPUs that were visible, which is said too", async () => {
		const [row = ""] = readFileSync(
			join(import.meta.dirname, "../fixtures/llama-cpp-cpu/formats/short.jsonl"),
			"utf8",
		).split("\n");
		const two = JSON.stringify({
			...JSON.parse(row),
			...{ backends: "CUDA", gpu_info: "NVIDIA RTX A4000, NVIDIA RTX A4000", n_gpu_layers: 99 },
		});
		const { body } = await call("POST", "/runs?gpus=1", two);
		expect(body.notes).toContainEqual(
			expect.stringMatching(/^number of GPUs: the file shows 2, the upload said 1; the upload counts/),
		);
		expect(body.configurations[0].gpus).toBe(1);
	});
});

describe("a GPU that may be several cards of the catalog", () => {
	beforeAll(() => seedCatalogs(deps.database));
	const A100 =
		"GPU: “A100” names no one card of the catalog (a100-pcie-40gb, a100-pcie-80gb, a100-sxm-40gb, a100-sxm-80gb): memory, peak and price of it are not known";

	it("is named with the cards that it may be, and how to say which where it was sent", async () => {
		expect(await notesOf({}, { gpu: "A100" })).toEqual([`${A100}; send gpu=ID`]);
		expect(await notesOf({ gpu: "A100" }, {})).toEqual([A100]);
	});

	it("is passed over where it is one card, or like none", async () => {
		expect(await notesOf({}, { gpu: "a100-sxm-40gb" })).toEqual([]);
		expect(await notesOf({}, { gpu: "Our own accelerator" })).toEqual([]);
	});
});
