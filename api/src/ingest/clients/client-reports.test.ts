import { describe, expect, it } from "vitest";
import type { Family } from "../family.ts";
import type { Item } from "../record.ts";
import { inferencePerf } from "./inference-perf.ts";
import { inferencex } from "./inferencex.ts";
import { llmperf } from "./llmperf.ts";
import { lmbench } from "./lmbench.ts";
import { recorderMeta, requestRecorder } from "./request-recorder.ts";

const read = (family: Family, value: unknown): Item[] => [
	...(family.document?.(JSON.stringify(value), {}) ?? []),
];
const serves = (items: Item[]) =>
	items.flatMap((item) =>
		item.kind === "measurement" && item.measurement.phase === "serve" ? [item.measurement] : [],
	);

function readLines(family: Family, lines: string[]): Item[] {
	const reader = family.lines?.({});
	if (reader === undefined) throw new Error("no reader");
	return [...lines.flatMap((line, at) => [...reader.line(line, at + 1)]), ...reader.end()];
}

describe("InferenceX rows", () => {
	it("with prefill and decode apart count the GPUs of both", () => {
		const row = {
			hw: "gb200",
			conc: 64,
			image: "org/engine:v1.2.3",
			model: "org/m",
			framework: "dynamo",
			precision: "fp4",
			spec_decoding: "none",
			disagg: true,
			isl: 8192,
			osl: 1024,
			is_multinode: true,
			prefill_tp: 4,
			decode_tp: 8,
			num_prefill_gpu: 8,
			num_decode_gpu: 16,
			dp_attention: "true",
			output_tput_per_gpu: 100,
			tput_per_gpu: 900,
			mean_ttft: 1.5,
			mean_tpot: 0.02,
			mean_e2el: 21.96,
		};
		const [serve] = serves(read(inferencex, [row]));
		expect(serve?.conditions).toMatchObject({
			gpu: "gb200",
			gpus: 24,
			gpusBasis: "stated",
			engine: "dynamo",
			engineVersion: "1.2.3",
			flags: { disagg: true, dp_attention: true },
		});
		expect(serve).toMatchObject({ outputTokensPerSecond: 2400, concurrency: 64, input: 8192 });
	});
});

describe("inference-perf stages", () => {
	const stage = (delay: number, tpot: number) => ({
		load_summary: { count: 100, requested_rate: 2, achieved_rate: 1.9, schedule_delay: { mean: delay } },
		successes: {
			count: 99,
			latency: {
				request_latency: { mean: 1.1, median: 1, p90: 1.5 },
				time_to_first_token: { mean: 0.1, median: 0.1, p90: 0.2 },
				time_per_output_token: { mean: tpot, median: tpot, p90: tpot },
			},
			throughput: { output_tokens_per_sec: 202, requests_per_sec: 2 },
			prompt_len: { mean: 500 },
			output_len: { mean: 101 },
		},
		failures: { count: 1, request_latency: null },
	});

	it("keep a TPOT that fits the end-to-end time", () => {
		const [serve] = serves(read(inferencePerf, stage(0, 0.0101)));
		expect(serve?.tpot?.mean).toBe(0.0101);
		expect(serve).toMatchObject({
			requested: 100,
			completed: 99,
			status: "partial",
			rate: 2,
			suspicions: [],
		});
		expect(serve?.concurrency).toBeCloseTo(2.2, 9);
	});

	it("replace one that counts chunks", () => {
		// (1.1 − 0.1) / 100
		expect(serves(read(inferencePerf, stage(0, 0.005)))[0]?.tpot?.mean).toBeCloseTo(0.01, 9);
	});

	it("doubt a client that sent late", () => {
		expect(serves(read(inferencePerf, stage(4, 0.01)))[0]?.suspicions.join()).toContain(
			"could not hold its rate",
		);
	});
});

describe("llmperf summaries", () => {
	it("are flat, in seconds, with numbers as text", () => {
		const row = {
			version: "2023-08-31",
			name: "org_m_550_150_summary",
			model: "org/m",
			mean_input_tokens: 550,
			mean_output_tokens: 150,
			num_concurrent_requests: 10,
			results_number_input_tokens_mean: "548.5",
			results_number_output_tokens_mean: 149,
			results_ttft_s_mean: 0.4,
			results_ttft_s_quantiles_p50: 0.35,
			results_ttft_s_quantiles_p99: 1.2,
			results_ttft_s_stddev: 0.2,
			results_inter_token_latency_s_mean: 0.02,
			results_end_to_end_latency_s_mean: 3.36,
			results_num_completed_requests_per_min: 171.43,
			results_num_completed_requests: 100,
			results_number_errors: 0,
			results_error_code_frequency: "{}",
			results_mean_output_throughput_token_per_s: 425.7,
			timestamp: 1_750_000_000,
		};
		const [serve] = serves(read(llmperf, row));
		expect(serve).toMatchObject({
			input: 548.5,
			output: 149,
			completed: 100,
			concurrencyLimit: 10,
			suspicions: [],
		});
		expect(serve?.concurrency).toBeCloseTo((171.43 / 60) * 3.36, 9);
		expect(serve?.ttft).toMatchObject({ mean: 0.4, p50: 0.35, p99: 1.2 });
	});
});

describe("per-request rows", () => {
	it("of LMBench are one run; rows that cannot be are rejected", () => {
		const items = readLines(lmbench, [
			"prompt_tokens,generation_tokens,ttft,generation_time,launch_time,finish_time",
			"100,11,0.5,1.0,1000.0,1001.5",
			"300,21,0.5,2.0,1000.5,1003.0",
			"300,21,0.5,2.0,1000.5",
			"100,11,5.0,1.0,1000.0,1001.5",
		]);
		expect(items.map((item) => item.kind)).toEqual(["rejected", "rejected", "measurement"]);
		const [serve] = serves(items);
		// 1.5 + 2.5 request seconds in 3 s
		expect(serve?.concurrency).toBeCloseTo(4 / 3, 9);
		expect(serve).toMatchObject({ input: 200, output: 16, completed: 2 });
		expect(serve?.ttft?.mean).toBeCloseTo(0.5, 9);
		expect(serve?.tpot?.mean).toBeCloseTo(0.1, 9);
	});

	it("of a recorder count from the queue, on one clock", () => {
		const row = (input: number, from: number) =>
			JSON.stringify({
				request_id: "r",
				input_toks: input,
				output_toks: 11,
				arrival_time: 1.7e9,
				queued_ts: from,
				scheduled_ts: from + 0.1,
				first_token_ts: from + 0.3,
				last_token_ts: from + 1.3,
			});
		const items = readLines(requestRecorder, [row(100, 10), row(200, 20), row(300, 30), "noise"]);
		const [serve] = serves(items);
		// 3 · 1.3 s in 21.3 s, no two of them at once: each length is a prefill point.
		expect(serve?.concurrency).toBeCloseTo(3.9 / 21.3, 9);
		expect(serve?.ttft?.mean).toBeCloseTo(0.3, 9);
		expect(serve?.details.meanQueueSeconds).toBeCloseTo(0.1, 9);
		const prefills = items.flatMap((item) =>
			item.kind === "measurement" && item.measurement.phase === "prefill" ? [item.measurement.tokens] : [],
		);
		expect(prefills).toEqual([100, 200, 300]);
		const crowded = readLines(requestRecorder, [row(100, 10), row(200, 10.2)]);
		expect(crowded.map((item) => item.kind)).toEqual(["measurement"]);
	});

	it("have their hardware and pool in a file beside them", () => {
		const items = read(recorderMeta, {
			vllm_version: "0.19.0",
			engine_kwargs: { model: "org/m", tensor_parallel_size: 2, kv_cache_dtype: "fp8" },
			kv_cache: { num_gpu_blocks: 100, block_size: 16 },
			hardware: { device_name: "NVIDIA L4", device_count: 2 },
		});
		expect(items[0]).toMatchObject({
			kind: "memory",
			conditions: { gpu: "NVIDIA L4", gpus: 2, tp: 2, kvK: "fp8", engineVersion: "0.19.0" },
			memory: { kvTokens: 1600 },
		});
	});
});
