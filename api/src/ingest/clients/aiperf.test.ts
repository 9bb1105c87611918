import { describe, expect, it } from "vitest";
import type { Family } from "../family.ts";
import { aiperf } from "./aiperf.ts";
import { aiperfCsv } from "./aiperf-tables.ts";

const serves = (family: Family, text: string) =>
	[...(family.document?.(text, {}) ?? [])].flatMap((item) =>
		item.kind === "measurement" && item.measurement.phase === "serve" ? [item.measurement] : [],
	);

/** 120 requests of 550 + 150 tokens in 60 s: TTFT 0.25 s, TPOT 10 ms, so e2e 0.25 + 149 · 0.01 = 1.74 s. */
const METRICS = {
	request_throughput: { unit: "requests/sec", avg: 2 },
	request_count: { unit: "requests", avg: 120 },
	request_latency: { unit: "ms", avg: 1740, p50: 1700, p99: 2500, std: 90 },
	time_to_first_token: { unit: "ms", avg: 250, p50: 240, p90: 300, p99: 400 },
	inter_token_latency: { unit: "ms", avg: 10, p50: 10, p99: 12 },
	input_sequence_length: { unit: "tokens", avg: 550 },
	output_sequence_length: { unit: "tokens", avg: 150 },
	output_token_throughput: { unit: "tokens/sec", avg: 300 },
};

describe("AIPerf and genai-perf", () => {
	it("an export of 0.11 names models and phases; its warm-up is set aside", () => {
		const text = JSON.stringify({
			schema_version: "1.3",
			aiperf_version: "0.11.0",
			...METRICS,
			benchmark_duration: { unit: "sec", avg: 60 },
			effective_concurrency: { unit: "requests", avg: 3.5 },
			input_config: {
				models: { items: [{ name: "org/m" }] },
				phases: [
					{ name: "warmup", concurrency: 1 },
					{ name: "profiling", concurrency: 4 },
				],
			},
			warmup_metrics: { request_latency: { unit: "ms", avg: 9 } },
			start_time: "2026-01-02T03:04:05.000001",
		});
		expect(serves(aiperf, text)[0]).toMatchObject({
			concurrency: 3.5,
			concurrencyLimit: 4,
			durationSeconds: 60,
			completed: 120,
			startedAt: "2026-01-02T03:04:05.000001",
			conditions: { model: "org/m" },
		});
		expect([...(aiperf.document?.(text, {}) ?? [])].at(-1)).toMatchObject({ kind: "aside" });
	});

	it("genai-perf has no measured concurrency: Little's law gives it", () => {
		const text = JSON.stringify([
			{ ...METRICS, input_config: { model: ["org/m"], perf_analyzer: { stimulus: { concurrency: 4 } } } },
		]);
		const [serve] = serves(aiperf, text);
		expect(serve?.concurrency).toBeCloseTo(2 * 1.74, 9);
		expect(serve).toMatchObject({
			concurrencyBasis: "measured",
			concurrencyLimit: 4,
			conditions: { model: "org/m" },
		});
	});

	it("takes units from the file", () => {
		const inSeconds = {
			...METRICS,
			time_to_first_token: { unit: "sec", avg: 0.25 },
			request_latency: { unit: "ns", avg: 1.74e9 },
		};
		const [serve] = serves(aiperf, JSON.stringify({ ...inSeconds, input_config: {} }));
		expect(serve?.ttft?.mean).toBe(0.25);
		expect(serve?.e2e?.mean).toBeCloseTo(1.74, 9);
	});

	it("reads genai-perf's CSV, whose thousands have separators", () => {
		const text = `Metric,avg,min,max,p99,p95,p90,p75,p50,p25
Time To First Token (ms),250.00,200.00,420.00,400.00,350.00,300.00,260.00,240.00,230.00
Request Latency (ms),"1,740.00","1,600.00","2,600.00","2,500.00","2,400.00","2,000.00","1,800.00","1,700.00","1,650.00"
Inter Token Latency (ms),10.00,9.00,13.00,12.00,11.50,11.00,10.50,10.00,9.50
Output Sequence Length (tokens),150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00
Input Sequence Length (tokens),550.00,550.00,550.00,550.00,550.00,550.00,550.00,550.00,550.00

Metric,Value
Output Token Throughput (per sec),300.00
Request Throughput (per sec),2.00
`;
		expect(aiperfCsv.detect({ text, whole: true, json: undefined, jsonLines: false })).toBe(true);
		const [serve] = serves(aiperfCsv, text);
		expect(serve).toMatchObject({ input: 550, output: 150, outputTokensPerSecond: 300 });
		expect(serve?.e2e).toMatchObject({ mean: expect.closeTo(1.74, 9), p99: expect.closeTo(2.5, 9) });
		expect(serve?.concurrency).toBeCloseTo(3.48, 9);
	});

	it("reads the CSV of genai-perf's first versions, in nanoseconds and with other names", () => {
		const text = `Metric,avg,min,max,p99,p95,p90,p75,p50,p25
Time To First Token (ns),"250,000,000",1,1,1,1,1,1,"240,000,000",1
Inter Token Latency (ns),"10,000,000",1,1,1,1,1,1,"10,000,000",1
Request Latency (ns),"1,740,000,000",1,1,1,1,1,1,"1,700,000,000",1
Num Output Token,150,150,150,150,150,150,150,150,150
Num Input Token,550,550,550,550,550,550,550,550,550

Metric,Value
Output Token Throughput (per sec),300.00
Request Throughput (per sec),2.00
`;
		const [serve] = serves(aiperfCsv, text);
		expect(serve).toMatchObject({ input: 550, output: 150, outputTokensPerSecond: 300 });
		expect(serve?.ttft?.mean).toBeCloseTo(0.25, 9);
		expect(serve?.tpot?.mean).toBeCloseTo(0.01, 9);
	});

	it("passes over the tables of each GPU that later versions of genai-perf add", () => {
		const text = `Metric,avg,min,max,p99,p95,p90,p75,p50,p25,p10,p5,p1
Time To First Token (ms),250.00,200.00,420.00,400.00,350.00,300.00,260.00,240.00,230.00,220.00,210.00,205.00
Inter Token Latency (ms),10.00,9.00,13.00,12.00,11.50,11.00,10.50,10.00,9.50,9.20,9.10,9.05
Output Sequence Length (tokens),150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00
Input Sequence Length (tokens),550.00,550.00,550.00,550.00,550.00,550.00,550.00,550.00,550.00,550.00,550.00,550.00

Metric,Value
Request Throughput (per sec),2.00
Request Count (count),120.00

Metric,GPU,avg,min,max
GPU Power Usage (W),0,310.00,70.00,350.00

Metric,GPU,Value
Total GPU Memory (GB),0,48.00
`;
		const [serve, ...others] = serves(aiperfCsv, text);
		expect(others).toEqual([]);
		expect(serve).toMatchObject({ input: 550, output: 150, completed: 120 });
		expect(serve?.ttft).toMatchObject({ p95: expect.closeTo(0.35, 9), p99: expect.closeTo(0.4, 9) });
	});
});
