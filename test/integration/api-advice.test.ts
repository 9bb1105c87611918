import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
beforeAll(() => seedCatalogs(deps.database));
afterAll(close);

/** A row of llama-bench -o jsonl; 10 ms + 0.1 ms a token for prompts, 20 ms + 2 µs per cached token for steps. */
const row = (shape: { n_prompt?: number; n_gen?: number; n_depth?: number }) => {
	const { n_prompt = 0, n_gen = 0, n_depth = 0 } = shape;
	const seconds = n_gen > 0 ? n_gen * (0.02 + 2e-6 * n_depth) : 0.01 + 1e-4 * n_prompt;
	return JSON.stringify({
		...{
			build_commit: "80fb11a",
			build_number: 5606,
			cpu_info: "AMD EPYC",
			gpu_info: "NVIDIA GeForce RTX 4090",
		},
		...{ backends: "CUDA", model_filename: "models/Llama-3.1-8B-Q8_0.gguf", model_type: "llama 8B Q8_0" },
		...{
			model_size: 8_532_934_656,
			model_n_params: 8_030_261_248,
			n_batch: 2048,
			n_ubatch: 512,
			n_threads: 8,
		},
		...{ type_k: "f16", type_v: "f16", n_gpu_layers: 99, split_mode: "layer", main_gpu: 0, flash_attn: true },
		...{ n_prompt, n_gen, n_depth, test_time: "2026-10-01T10:00:00Z" },
		...{ avg_ns: 1e9 * seconds, stddev_ns: 1e6, samples_ns: [0.99e9 * seconds, 1.01e9 * seconds] },
	});
};
const post = async (rows: string[], query = "") =>
	(await call("POST", `/runs${query}`, rows.join("\n"))).body;

describe("a configuration measured with llama-bench", () => {
	const rows = [
		...[512, 1024, 2048, 4096].map((n_prompt) => row({ n_prompt })),
		...[512, 2048, 4096].map((n_depth) => row({ n_gen: 64, n_depth })),
	];
	let id: string;
	beforeAll(async () => {
		id = (await post(rows)).configurations[0].id;
	});

	it("is told which measurement narrows a long prompt's answer most, and the command for it", async () => {
		const { status, body } = await call("GET", `/configurations/${id}/advice?context=16000&concurrency=1`);
		expect(status).toBe(200);
		expect(body.scenario).toMatchObject({ configuration: id, context: 16_000, concurrency: 1 });
		expect(body.start).toBeNull();
		const [first] = body.measurements;
		expect(first.tool).toBe("llama-bench");
		expect(first.after.ttft + first.after.tpot).toBeLessThan(body.now.ttft + body.now.tpot);
		expect(first.seconds).toBeGreaterThan(0);
		expect(first.command).toMatch(/^llama-bench -m Llama-3\.1-8B-Q8_0\.gguf .* -b 2048 -ub 512 -t 8 -ngl 99/);
		expect(first.command).toMatch(/curl --data-binary @- "http:\/\/\S+\/api\/v1\/runs"$/);
	});

	it("has an answer as much surer as was promised, once the advised measurement is posted", async () => {
		const query = "context=16000&concurrency=1";
		const before = (await call("GET", `/configurations/${id}/advice?${query}`)).body;
		const [first] = before.measurements;
		// What the command would print, on hardware that follows the same law.
		const prompts = /-p ([1-9][\d,]*) /.exec(first.command)?.[1]?.split(",").map(Number) ?? [];
		const depths = / -d ([\d,]+)/.exec(first.command)?.[1]?.split(",").map(Number) ?? [];
		const made = [
			...prompts.map((n_prompt) => row({ n_prompt })),
			...(prompts.length > 0 ? [] : depths.map((n_depth) => row({ n_gen: 64, n_depth }))),
		];
		const sent = await post(made);
		expect(sent.configurations.map((one: { id: string }) => one.id)).toEqual([id]);
		const after = (await call("GET", `/configurations/${id}/advice?${query}`)).body;
		expect(after.now.ttft).toBeLessThanOrEqual(first.after.ttft * 1.1);
		expect(after.now.tpot).toBeLessThanOrEqual(first.after.tpot * 1.1);
	});
});

describe("a configuration measured by a server's client", () => {
	it("gets back into the same curve what the advised command and upload would send", async () => {
		const file = (input: number, concurrency: number) => ({
			...{ backend: "vllm", model_id: "org/Acme-8B", num_prompts: 100, request_rate: "inf", completed: 100 },
			...{
				max_concurrency: concurrency,
				duration: 30,
				total_input_tokens: 100 * input,
				total_output_tokens: 12_800,
			},
			...{ mean_ttft_ms: 50 + input / 10 + 5 * concurrency, mean_tpot_ms: 10 + concurrency / 2 },
		});
		const said = "?gpu=H100%20SXM%2080GB&gpus=1&engine=vllm&engineVersion=0.11.0&weights=bf16&kv=bf16&tp=1";
		const send = async (input: number, concurrency: number, query: string) =>
			(await call("POST", `/runs${query}`, JSON.stringify(file(input, concurrency)))).body.configurations[0]
				.id;
		const id = await send(1024, 1, said);
		for (const load of [2, 8]) expect(await send(1024, load, said)).toBe(id);
		const ask = (context: number) =>
			call("GET", `/configurations/${id}/advice?context=${context}&output=128&concurrency=16`);
		const uploadOf = (command: string) => /\/api\/v1\/runs(\?[^"]+)"\s*$/.exec(command)?.[1] ?? "";
		const [first] = (await ask(1024)).body.measurements;
		expect(first.command).toMatch(/^vllm bench serve --model org\/Acme-8B --dataset-name random/);
		expect(await send(1024, 16, uploadOf(first.command))).toBe(id);
		// Clients' results of one length tell nothing of another: that takes a set of runs of its own.
		const { measurements, start } = (await ask(8000)).body;
		expect(measurements).toEqual([]);
		expect(start.script).toContain("--random-input-len 8000");
		expect(await send(8000, 16, uploadOf(start.script))).toBe(id);
	});
});

describe("a pair that nobody measured", () => {
	it("gets its first runs as a script, with the time they take by the data sheet", async () => {
		const { body } = await call(
			"GET",
			"/advice?model=llama-3.1-8b&gpu=rtx-4090&engine=llama.cpp&context=8000&concurrency=1",
		);
		expect(body.measurements).toEqual([]);
		expect(body.start.tool).toBe("llama-bench");
		expect(body.start.seconds).toBeGreaterThan(0);
		expect(body.start.script).toMatch(/^#!\/bin\/sh\n/);
		expect(body.note).toContain("roofline");
	});
});

it("names every wrong key, and does not know what is not there", async () => {
	const { status, body } = await call("GET", "/advice?context=abc&concurrency=-1");
	expect(status).toBe(400);
	expect(body.errors.map((error: { at: string }) => error.at).sort()).toEqual(["concurrency", "context"]);
	expect((await call("GET", "/configurations/nobody/advice")).status).toBe(404);
});
