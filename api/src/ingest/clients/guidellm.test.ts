import { describe, expect, it } from "vitest";
import type { Family } from "../family.ts";
import { guidellm } from "./guidellm.ts";
import { guidellmCsv } from "./guidellm-csv.ts";

const serves = (family: Family, text: string) =>
	[...(family.document?.(text, {}) ?? [])].flatMap((item) =>
		item.kind === "measurement" && item.measurement.phase === "serve" ? [item.measurement] : [],
	);
const summary = (mean: number) => ({
	successful: {
		mean,
		median: mean,
		std_dev: 0.1,
		count: 50,
		percentiles: { p90: mean, p95: mean, p99: 2 * mean },
	},
});

/** 50 requests of 256 + 100 tokens in 25 s, 4 streams. */
const METRICS = {
	request_totals: { successful: 50, errored: 1, incomplete: 3, total: 54 },
	request_concurrency: summary(3.9),
	request_latency: summary(2),
	time_to_first_token_ms: summary(118),
	time_per_output_token_ms: summary(20),
	inter_token_latency_ms: summary(19),
	prompt_token_count: summary(256),
	output_token_count: summary(100),
};

describe("a guidellm report", () => {
	it("of 0.3 keeps strategy and model in other places than that of 0.8", () => {
		const old = {
			args: { strategy: { type_: "concurrent", streams: 4 } },
			worker: { backend_model: "org/m" },
		};
		const now = { config: { strategy: { type_: "concurrent", streams: 4 }, backend: { model: "org/m" } } };
		for (const place of [old, now]) {
			const report = {
				benchmarks: [
					{
						...place,
						metrics: METRICS,
						start_time: 1_750_000_000,
						duration: 25,
						requests: { successful: [{ prompt: "text" }] },
					},
				],
			};
			const [serve] = serves(guidellm, JSON.stringify(report));
			expect(serve).toMatchObject({
				concurrency: 3.9,
				concurrencyLimit: 4,
				completed: 50,
				requested: 51,
				status: "partial",
				input: 256,
				outputTokensPerSecond: 200,
				startedAt: "2025-06-15T15:06:40.000Z",
				conditions: { model: "org/m", engine: null },
			});
			expect(serve?.tpot?.mean).toBeCloseTo(0.019, 12);
			expect(serve?.e2e?.mean).toBe(2);
			expect(JSON.stringify(serve)).not.toContain("text");
		}
	});

	it("synchronous is one request at a time: prefill and decode points follow", () => {
		const report = {
			benchmarks: [
				{
					args: { strategy: { type_: "synchronous" } },
					metrics: { ...METRICS, request_concurrency: summary(1) },
					duration: 100,
				},
			],
		};
		const phases = [...(guidellm.document?.(JSON.stringify(report), {}) ?? [])].map((item) =>
			item.kind === "measurement" ? item.measurement.phase : item.kind,
		);
		expect(phases).toEqual(["serve", "prefill", "decode"]);
	});

	it("cut inside its second benchmark keeps the first", () => {
		const text = JSON.stringify({
			benchmarks: [
				{ args: {}, metrics: METRICS, duration: 25 },
				{ args: {}, metrics: METRICS },
			],
		});
		const items = [...(guidellm.document?.(text.slice(0, text.lastIndexOf('"metrics"')), {}) ?? [])];
		expect(items.map((item) => item.kind)).toEqual(["measurement", "rejected"]);
	});
});

describe("a guidellm CSV", () => {
	const COLUMNS: [string, string, string, string][] = [
		["Run Info", "Run ID", "", "r1"],
		["Run Info", "Profile", "", '"{""kind"": ""constant"", ""rate"": [2.0]}"'],
		["Run Info", "Backend", "", '"{""model"": ""org/m-awq""}"'],
		["Benchmark", "Strategy", "", "constant"],
		["Timings", "Duration", "Sec", "25"],
		["Request Counts", "Successful", "", "50"],
		["Request Counts", "Incomplete", "", "0"],
		["Request Counts", "Errored", "", "0"],
		["Request Latency", "Successful Sec", "Mean", "2"],
		["Time to First Token", "Successful ms", "Mean", "118"],
		["Time to First Token", "Successful ms", "Median", "110"],
		[
			"Time to First Token",
			"Successful ms",
			"Percentiles",
			'"[100, 101, 102, 103, 104, 105, 120, 130, 140, 150, 160]"',
		],
		["Inter Token Latency", "Successful ms", "Mean", "19"],
		["Server Throughput", "Successful Concurrency", "Mean", "4"],
		["Token Metrics", "Successful Input Tokens", "Mean", "256"],
		["Token Metrics", "Successful Output Tokens", "Mean", "100"],
	];
	const row = (index: number) => COLUMNS.map((column) => column[index]).join(",");
	const text = [0, 1, 2, 3].map(row).join("\r\n");

	it("is read through its three header rows", () => {
		expect(guidellmCsv.detect({ text, whole: true, json: undefined, jsonLines: false })).toBe(true);
		const [serve] = serves(guidellmCsv, text);
		expect(serve).toMatchObject({ rate: 2, completed: 50, concurrency: 4, input: 256, output: 100 });
		expect(serve?.conditions).toMatchObject({ model: "org/m-awq", weights: "awq" });
		expect(serve?.ttft).toMatchObject({ p95: expect.closeTo(0.14, 9), p99: expect.closeTo(0.15, 9) });
	});

	it("rejects a row with columns that its header does not have", () => {
		const items = [...(guidellmCsv.document?.(`${text}\r\n${row(3)},extra`, {}) ?? [])];
		expect(items.map((item) => item.kind)).toEqual(["measurement", "rejected"]);
	});
});
