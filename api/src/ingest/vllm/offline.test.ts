import { describe, expect, it } from "vitest";
import type { Family } from "../family.ts";
import type { Item } from "../record.ts";
import { vllmCiTable } from "./ci-table.ts";
import { vllmLatency } from "./latency.ts";
import { vllmPytorch } from "./pytorch.ts";
import { vllmThroughput } from "./throughput.ts";

const read = (family: Family, text: string): Item[] => [...(family.document?.(text, {}) ?? [])];

describe("vllm bench latency", () => {
	it("is a mixed row of assumed shape, its standard deviation from the iterations", () => {
		const [item] = read(
			vllmLatency,
			JSON.stringify({ avg_latency: 2, latencies: [1, 2, 3], percentiles: { "50": 2 } }),
		);
		expect(item).toMatchObject({
			measurement: {
				phase: "mixed",
				seconds: [1, 2, 3],
				secondsMean: 2,
				secondsStd: 1,
				repetitions: 3,
				tokens: 32,
				generated: 128,
			},
		});
	});

	it("keeps a mean without iterations, of unknown spread", () => {
		const [item] = read(vllmLatency, JSON.stringify({ avg_latency: 2, percentiles: {} }));
		expect(item).toMatchObject({ measurement: { secondsMean: 2, secondsStd: null, repetitions: null } });
	});
});

describe("vllm bench throughput", () => {
	it("is set aside with its figures", () => {
		const text = JSON.stringify({
			elapsed_time: 10,
			num_requests: 20,
			total_num_tokens: 3000,
			tokens_per_second: 300,
		});
		expect(read(vllmThroughput, text)).toEqual([
			expect.objectContaining({
				kind: "aside",
				reason: expect.stringContaining("20 requests, 3000 tokens in 10 s"),
			}),
		]);
	});
});

describe("the PyTorch benchmark format", () => {
	const record = (args: object, name: string, value: number | number[], rest: object) => ({
		benchmark: { name: "vLLM benchmark", extra_info: { args } },
		model: { name: "org/m" },
		metric: { name, benchmark_values: Array.isArray(value) ? value : [value], extra_info: rest },
	});

	it("has a latency with its shape and engine in the arguments", () => {
		const args = { model: "org/m", tensor_parallel_size: 4, input_len: 512, output_len: 64, batch_size: 2 };
		const [item] = read(
			vllmPytorch,
			JSON.stringify([record(args, "latency", [0.5, 0.7], { avg_latency: 0.6 })]),
		);
		expect(item).toMatchObject({
			measurement: {
				phase: "mixed",
				tokens: 512,
				generated: 64,
				batch: 2,
				secondsMean: 0.6,
				suspicions: [],
				conditions: { engine: "vllm", model: "org/m", tp: 4, gpus: 4 },
			},
		});
	});

	it("has one record per metric of a serving run: together they are one run", () => {
		const rest = {
			num_prompts: 10,
			completed: 10,
			request_rate: "inf",
			max_concurrency: 2,
			duration: 10,
			total_input_tokens: 1000,
			total_output_tokens: 110,
			model_id: "org/m",
		};
		const metrics = {
			mean_ttft_ms: 100,
			median_ttft_ms: 90,
			p99_ttft_ms: 200,
			mean_tpot_ms: 190,
			p99_tpot_ms: 210,
		};
		const list = Object.entries(metrics).map(([name, value]) => record({ seed: 0 }, name, value, rest));
		const items = read(vllmPytorch, JSON.stringify(list));
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			measurement: { phase: "serve", input: 100, output: 11, concurrency: expect.closeTo(2, 9) },
		});
		const other = list.map((each) => ({
			...each,
			metric: { ...each.metric, extra_info: { ...rest, duration: 9 } },
		}));
		expect(read(vllmPytorch, JSON.stringify([...list, ...other]))).toHaveLength(2);
	});
});

describe("the table of a CI run", () => {
	const row = (name: string, gpu: string) => ({
		"Test name": name,
		GPU: gpu,
		"# of req.": 100,
		"Tput (req/s)": 2,
		"Output Tput (tok/s)": 200,
		"Total Tput (tok/s)": 1200,
		"Mean TTFT (ms)": 50,
		"Median TTFT (ms)": 45,
		"P99 TTFT (ms)": 90,
		"Mean TPOT (ms)": 20,
		"Mean ITL (ms)": 20,
	});

	it("gives lengths from throughputs, rate and size from the test's name", () => {
		const [item] = read(vllmCiTable, JSON.stringify([row("serving_llama70B_tp4_qps_4", "4xH100")]));
		expect(item).toMatchObject({
			measurement: {
				phase: "serve",
				input: 500,
				output: 100,
				rate: 4,
				conditions: { gpu: "H100", gpus: 4, gpusBasis: "stated", tp: 4 },
			},
		});
		// 2/s · (0.05 + 99 · 0.02) s
		expect(item).toMatchObject({ measurement: { concurrency: expect.closeTo(4.06, 9) } });
	});

	it("does not take the type of a virtual machine for a GPU", () => {
		const [item] = read(vllmCiTable, JSON.stringify([row("tp8_qps_inf", "1xStandard_ND96asr_v4 x 1")]));
		expect(item).toMatchObject({
			measurement: { rate: null, conditions: { gpu: null, gpus: 8, gpusBasis: "inferred" } },
		});
	});

	it("sets rows aside that name no lengths", () => {
		const text = `| Test name | GPU | Mean latency (ms) |\n|---|---|---|\n| latency_llama8B_tp1 | 1xA100 | 1200.5 |\n`;
		expect(vllmCiTable.detect({ text, whole: true, json: undefined, jsonLines: false })).toBe(true);
		expect(read(vllmCiTable, text)).toEqual([expect.objectContaining({ kind: "aside" })]);
	});
});
