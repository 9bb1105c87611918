import { describe, expect, it } from "vitest";
import type { Item, Measurement } from "../record.ts";
import { sglangBatch } from "./batch.ts";
import { sglangLog } from "./log.ts";
import { sglangServe } from "./serve.ts";

const measured = (items: Iterable<Item>): Measurement[] =>
	[...items].flatMap((item) => (item.kind === "measurement" ? [item.measurement] : []));
const sample = (json: unknown) => ({ text: "", whole: true, json, jsonLines: true });

describe("SGLang's bench_serving", () => {
	const row = {
		backend: "sglang",
		dataset_name: "random",
		request_rate: 8,
		max_concurrency: null,
		duration: 50,
		completed: 200,
		total_input_tokens: 204_800,
		total_output_tokens: 25_600,
		request_throughput: 4,
		output_throughput: 512,
		total_throughput: 4608,
		mean_e2e_latency_ms: 3000,
		mean_ttft_ms: 460,
		median_ttft_ms: 400,
		mean_tpot_ms: 20,
		concurrency: 12.01,
		accept_length: null,
		server_info: {
			model_path: "/models/org/M-8B-FP8",
			tp_size: 2,
			kv_cache_dtype: "auto",
			max_total_num_tokens: 500_000,
		},
	};
	const read = (text: string): Item[] => [...(sglangServe.document?.(text, {}) ?? [])];

	it("gives the concurrency it measured, and the server's own arguments", () => {
		const [serve] = measured(read(JSON.stringify(row)));
		expect(serve).toMatchObject({
			phase: "serve",
			concurrency: 12.01,
			concurrencyBasis: "measured",
			rate: 8,
			input: 1024,
			output: 128,
			conditions: { engine: "sglang", model: "M-8B-FP8", weights: "fp8", tp: 2, gpus: 2, kvK: null },
		});
	});

	it("is told from vLLM's result and read with a bare Infinity", () => {
		expect(sglangServe.detect(sample(row))).toBe(true);
		expect(sglangServe.detect(sample({ completed: 1, request_rate: "inf", mean_ttft_ms: 3 }))).toBe(false);
		const bare = JSON.stringify(row).replace('"request_rate":8', '"request_rate":Infinity');
		expect(measured(read(bare))[0]).toMatchObject({ rate: null });
	});

	it("pins the pool that the server told", () => {
		expect(read(JSON.stringify(row))[0]).toMatchObject({ kind: "memory", memory: { kvTokens: 500_000 } });
	});

	it("reads appended runs", () => {
		const text = `${JSON.stringify(row)}\n${JSON.stringify({ ...row, request_rate: 16 })}\n`;
		expect(measured(read(text)).map((m) => m.phase === "serve" && m.rate)).toEqual([8, 16]);
	});
});

describe("SGLang's one-batch rows", () => {
	const read = (...rows: unknown[]): Measurement[] => {
		const reader = sglangBatch.lines?.({});
		if (reader === undefined) throw new Error("no reader");
		return measured([
			...rows.flatMap((row, at) => [...reader.line(JSON.stringify(row), at + 1)]),
			...reader.end(),
		]);
	};

	it("time prefill and decode apart, for the whole batch", () => {
		const row = {
			run_name: "a",
			batch_size: 16,
			input_len: 256,
			output_len: 32,
			prefill_latency: 0.08,
			median_decode_latency: 0.012,
		};
		expect(sglangBatch.detect(sample(row))).toBe(true);
		expect(read(row)).toEqual([
			expect.objectContaining({ phase: "prefill", tokens: 256, batch: 16, cached: 0, secondsMean: 0.08 }),
			expect.objectContaining({
				phase: "decode",
				batch: 16,
				context: 272,
				generated: 32,
				secondsMean: 0.012,
			}),
		]);
	});

	it("of the server split latency at the first token of the last sequence", () => {
		const row = {
			run_name: "s",
			batch_size: 4,
			input_len: 1024,
			output_len: 11,
			latency: 1.2,
			ttft: 0.2,
			output_throughput: 36.67,
		};
		const [prefill, decode] = read(row);
		expect(prefill).toMatchObject({ phase: "prefill", secondsMean: 0.2 });
		expect(decode?.secondsMean).toBeCloseTo((1.2 - 0.2) / 10, 12);
	});

	it("find the first token where the throughput counts from it, and do not where it does not", () => {
		// 4 · 10 tokens in (1.2 − 0.2) s
		const counted = { batch_size: 4, input_len: 1024, output_len: 10, latency: 1.2, output_throughput: 40 };
		expect(read(counted)[0]).toMatchObject({ phase: "prefill", secondsMean: expect.closeTo(0.2, 9) });
		const whole = { ...counted, output_throughput: 33.33 };
		expect(read(whole)).toEqual([expect.objectContaining({ phase: "mixed", secondsMean: 1.2, batch: 4 })]);
	});
});

describe("an SGLang start-up log", () => {
	const log = `[2025-07-20 10:00:00] server_args=ServerArgs(model_path='org/Q-235B-FP8', tp_size=4, dp_size=1, kv_cache_dtype='auto')
[2025-07-20 10:01:00 TP0] Load weight end. type=QwenForCausalLM, dtype=torch.bfloat16, avail mem=21.7 GB, mem usage=56.10 GB.
[2025-07-20 10:01:02 TP0] KV Cache is allocated. #tokens: 367404, K size: 8.23 GB, V size: 8.23 GB
[2025-07-20 10:01:02 TP1] KV Cache is allocated. #tokens: 367404, K size: 8.23 GB, V size: 8.23 GB
[2025-07-20 10:01:20 TP0] max_total_num_tokens=367404, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2869, context_len=40960
`;

	it("pins weights and pool, its GB being 2³⁰ bytes, ranks counted once", () => {
		const items = [...(sglangLog.document?.(log, {}) ?? [])];
		expect(items).toHaveLength(1);
		const [item] = items;
		expect(item).toMatchObject({
			kind: "memory",
			conditions: { engine: "sglang", model: "org/Q-235B-FP8", weights: "fp8", tp: 4, gpus: 4 },
			memory: { kvTokens: 367_404, maxModelLen: 40_960, weightsBytes: 56.1 * 2 ** 30 },
		});
		expect(item?.kind === "memory" && (item.memory.kvPoolBytes ?? 0) / 2 ** 30).toBeCloseTo(16.46, 9);
	});
});
