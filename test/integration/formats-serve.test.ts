import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Measurement, ServeMeasurement } from "@plimsoll/api/ingest";
import { describe, expect, it } from "vitest";
import { GRIDS } from "../fixtures/serve-grid.ts";
import { type FileReading, readBytes, readFile, readText, sharedFolder } from "../support/reading.ts";

const formats = sharedFolder("formats");
const suite = describe.skipIf(formats === null);
const label = (name: string) => (formats === null ? `${name} (skipped: no shared data)` : name);
const read = (path: string): Promise<FileReading> => readFile(join(formats ?? "", path));

function serveOf({ measurements }: FileReading): ServeMeasurement {
	const found = measurements.find((m) => m.phase === "serve");
	if (found?.phase !== "serve") throw new Error("no serve measurement");
	return found;
}

const phases = ({ measurements }: FileReading) => measurements.map((m: Measurement) => m.phase);

suite(label("grids of the seconds variant"), () => {
	for (const { folder, model, rows } of GRIDS) {
		it.each(rows)(`${folder}/%s`, async (file, input, clients, completed, ttft, tpot, outputPerSecond) => {
			const reading = await read(`vllm-serve/${folder}/${file}`);
			expect(reading.format).toBe("vllm-serve json");
			expect(reading.counts).toEqual({ measurement: 1 });
			const serve = serveOf(reading);
			expect(serve.conditions).toMatchObject({ model, engine: null, gpu: null });
			// 128 tokens were generated in each request of these grids.
			expect(serve).toMatchObject({
				input,
				output: 128,
				completed,
				concurrency: clients,
				status: "ok",
				rate: null,
			});
			expect(serve.concurrencyBasis).toBe("limit");
			expect(serve.ttft?.p50).toBeCloseTo(ttft, 4);
			expect(Math.abs((serve.tpot?.p50 ?? 0) / tpot - 1)).toBeLessThan(1e-5);
			expect(Math.abs((serve.outputTokensPerSecond ?? 0) / outputPerSecond - 1)).toBeLessThan(1e-5);
		});
	}
});

/** File, model, input, output, clients allowed, mean in flight, mean TTFT and mean TPOT in ms, as printed there. */
type ServeRow = [string, string, number, number, number | null, number, number, number];

const BLACKWELL = "RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16";
const SERVE: ServeRow[] = [
	// 128 · (49.0889 + 4.91515 · (15999/128 − 1)) ms / 84.288 s = 0.9998
	[
		"blackwell-vllm.w4a16/vllm-infqps-concurrency1-Meta-Llama-3.1-8B-Instruct-quantized.w4a16-20251017-003757.json",
		BLACKWELL,
		1020.5625,
		124.9922,
		1,
		0.9998,
		49.0889,
		4.91515,
	],
	[
		"blackwell-vllm.w4a16/vllm-infqps-concurrency4-Meta-Llama-3.1-8B-Instruct-quantized.w4a16-20251017-003850.json",
		BLACKWELL,
		1020.5625,
		124.9922,
		4,
		3.931,
		17.141,
		5.24754,
	],
	[
		"blackwell-vllm.w4a16/vllm-infqps-concurrency16-Meta-Llama-3.1-8B-Instruct-quantized.w4a16-20251017-004010.json",
		BLACKWELL,
		1020.5625,
		124.9922,
		16,
		15.598,
		31.3563,
		6.52293,
	],
	[
		"blackwell-sglang.fp8-auto/vllm-infqps-concurrency16-Llama-3.1-8B-Instruct-20251017-012440.json",
		"meta-llama/Llama-3.1-8B-Instruct",
		1020.5625,
		125.0703,
		16,
		15.652,
		37.2042,
		8.87001,
	],
	["bench_serve_v0.25.1.json", "facebook/opt-125m", 32, 16, 2, 1.992, 215.536, 11.2658],
	// 640 · 31.79476 s / 333.1588 s = 61.078
	[
		"mi355x/kimik2.5_8k1k_conc64.json",
		"amd/Kimi-K2.5-MXFP4",
		7386.7875,
		921.7609,
		64,
		61.078,
		1656.301,
		32.7427,
	],
	[
		"mi355x/minimaxm2.5_8k1k_conc64_gmu090.json",
		"MiniMaxAI/MiniMax-M2.5",
		7386.7875,
		921.7609,
		64,
		62.252,
		1230.341,
		29.577,
	],
	// 40 · 8.910337 s / 89.19548 s = 3.9959
	[
		"amd16-disagg-gpt-oss-120b/concurrency_4_req_rate_inf_gpus_16_ctx_8_gen_8.json",
		"openai/gpt-oss-120b",
		1024,
		1024,
		4,
		3.9959,
		330.796,
		8.38665,
	],
	[
		"amd16-disagg-gpt-oss-120b/concurrency_32_req_rate_inf_gpus_16_ctx_8_gen_8.json",
		"openai/gpt-oss-120b",
		1024,
		1024,
		32,
		31.831,
		327.792,
		10.3517,
	],
	[
		"amd16-disagg-minimax-m2.5/concurrency_32_req_rate_inf_gpus_16_ctx_8_gen_8.json",
		"MiniMaxAI/MiniMax-M2.5",
		1024,
		1024,
		32,
		31.904,
		204.825,
		19.0726,
	],
	[
		"../vllm-sweep/SERVE--max_num_seqs=4-BENCH--max_concurrency=2-num_prompts=8/run=0.json",
		"facebook/opt-125m",
		32,
		16,
		2,
		1.9941,
		217.273,
		8.20455,
	],
	[
		"../vllm-sweep/SERVE--max_num_seqs=4-BENCH--max_concurrency=2-num_prompts=8/run=1.json",
		"facebook/opt-125m",
		32,
		16,
		2,
		1.9874,
		39.3073,
		8.01244,
	],
	[
		"../vllm-stdout/mi355x-minimax-conc64.log",
		"MiniMaxAI/MiniMax-M2.5",
		492.52,
		256,
		64,
		56.857,
		382.33,
		13.54,
	],
];

suite(label("serving results"), () => {
	it.each(SERVE)("%s", async (file, model, input, output, limit, inFlight, ttftMs, tpotMs) => {
		const serve = serveOf(await read(`vllm-serve/${file}`));
		expect(serve.conditions).toMatchObject({ model, engine: null });
		expect(serve.input).toBeCloseTo(input, 3);
		expect(serve.output).toBeCloseTo(output, 3);
		expect(serve.concurrencyLimit).toBe(limit);
		expect(serve.concurrencyBasis).toBe("measured");
		expect(Math.abs((serve.concurrency ?? 0) / inFlight - 1)).toBeLessThan(1e-3);
		expect(Math.abs(((serve.ttft?.mean ?? 0) * 1000) / ttftMs - 1)).toBeLessThan(1e-5);
		expect(Math.abs(((serve.tpot?.mean ?? 0) * 1000) / tpotMs - 1)).toBeLessThan(1e-5);
		expect(serve.suspicions).toEqual([]);
	});

	const results = SERVE.map(([file]) => file).filter((file) => file.endsWith(".json"));
	it.each(results)("%s: times a thousandfold too long or too short are doubted", async (file) => {
		const row = JSON.parse(readFileSync(join(formats ?? "", "vllm-serve", file), "utf8"));
		for (const factor of [1000, 0.001]) {
			const scaled = Object.entries(row).map(([key, value]) =>
				key.endsWith("_ms") && typeof value === "number" ? [key, value * factor] : [key, value],
			);
			const serve = serveOf(await readText(JSON.stringify(Object.fromEntries(scaled))));
			expect(serve.suspicions.join(), `times ${factor}`).toContain("wrong units");
		}
	});

	it("take a prefill and a decode point from one client at a time, and from nothing else", async () => {
		const [alone, four] = await Promise.all(SERVE.slice(0, 2).map(([file]) => read(`vllm-serve/${file}`)));
		expect(alone?.measurements).toEqual([
			expect.objectContaining({ phase: "serve" }),
			expect.objectContaining({ phase: "prefill", tokens: 1020.5625, batch: 1, cached: 0, repetitions: 128 }),
			expect.objectContaining({ phase: "decode", batch: 1, generated: 15_999 / 128 }),
		]);
		const [, prefill, decode] = alone?.measurements ?? [];
		expect(prefill?.secondsMean).toBeCloseTo(0.0490889, 6);
		expect(decode).toMatchObject({ context: 1020.5625 + 15_999 / 256 });
		expect(four === undefined ? [] : phases(four)).toEqual(["serve"]);
	});

	it("appended to one another show that a prefix cache answered: TTFT fell from 49 to 17 ms", async () => {
		const [one, four] = SERVE.map(([file]) => readFileSync(join(formats ?? "", "vllm-serve", file), "utf8"));
		const { measurements } = await readText(`${one}\n${four}\n`);
		const serves = measurements.filter((m) => m.phase === "serve");
		expect(serves.map((m) => m.suspicions.join().includes("prefix cache answered"))).toEqual([false, true]);
	});

	it.each([
		["bench_serve_all_requests_failed_v0.25.1.json", "none of 8 requests completed"],
		["mi355x/minimaxm2.5_8k1k_conc64.json", "none of 640 requests completed"],
	])("%s: every request failed, which is a failure and no speed", async (file, reason) => {
		const { counts, items } = await read(`vllm-serve/${file}`);
		expect(counts).toEqual({ failure: 1 });
		expect(items[0]).toMatchObject({ failure: { phase: "serve", reason } });
	});

	it("the Ascend result, trimmed of its token counts, is rejected with the reason", async () => {
		const { counts, items } = await read("vllm-serve/ascend-2025-02-llama8B-qps_inf.json");
		expect(counts).toEqual({ rejected: 1 });
		expect(items[0]).toMatchObject({ reason: expect.stringMatching(/input tokens/) });
	});

	it("a sweep's summary holds both runs, the swept value as a setting", async () => {
		const reading = await read(
			"vllm-sweep/SERVE--max_num_seqs=4-BENCH--max_concurrency=2-num_prompts=8/summary.json",
		);
		expect(phases(reading)).toEqual(["serve", "serve"]);
		expect(reading.measurements.map((m) => m.startedAt)).toEqual([
			"2026-08-18T02:13:33",
			"2026-08-18T02:13:38",
		]);
		expect(reading.measurements[0]?.conditions.flags).toEqual({ max_num_seqs: 4 });
	});
});

const DETAILED = "vllm-serve/a100x8-llama3.3-70b-detailed";
const PIECE = `${DETAILED}/serving_meta-llama-Llama-3.3-70B-Instruct_tp8_pp1_sharegpt_qps_04.json.part-0`;

suite(label("a detailed result of 1.1 MB"), () => {
	it("is one serve point; texts stay behind", async () => {
		const whole = Buffer.concat([0, 1, 2, 3].map((n) => readFileSync(join(formats ?? "", PIECE + n))));
		expect(whole.length).toBe(1_114_109);
		const reading = await readBytes(whole, {}, 65_536);
		expect(reading.counts).toEqual({ measurement: 1 });
		const serve = serveOf(reading);
		expect(serve).toMatchObject({ rate: 4, requested: 200, completed: 200, input: 213.295, output: 212.245 });
		expect(serve.ttft?.mean).toBeCloseTo(0.0503255, 6);
		expect(serve.conditions.model).toBe("meta-llama/Llama-3.3-70B-Instruct");
		// The longest prompt of the list is 933 tokens, the shortest 4.
		expect(serve.details.requests).toMatchObject({ failed: 0, inputTokens: { min: 4, max: 933 } });
		expect(JSON.stringify(serve)).not.toContain("Entrepreneurial");
		expect(JSON.stringify(serve).length).toBeLessThan(5000);
	});

	it("cut after the first piece is rejected, and later pieces alone are refused", async () => {
		const first = await read(`${PIECE}0`);
		expect(first.counts).toEqual({ rejected: 1 });
		await expect(read(`${PIECE}1`)).rejects.toThrow(/No known benchmark output/);
		await expect(read(`${PIECE}3`)).rejects.toThrow(/No known benchmark output/);
	});

	it.each([
		["benchmark_results.json", { measurement: 4 }],
		["benchmark_results.md", { measurement: 4, aside: 4 }],
	])("%s gives the four rows of the table once", async (file, counts) => {
		const reading = await read(`${DETAILED}/${file}`);
		expect(reading.counts).toEqual(counts);
		const serves = reading.measurements.flatMap((m) => (m.phase === "serve" ? [m] : []));
		expect(serves.map((m) => m.rate)).toEqual([1, 4, 16, null]);
		// (1351.17 − 673.918) / 3.17519 = 213.3 and 673.918 / 3.17519 = 212.2 tokens a request
		expect(serves[1]?.input).toBeCloseTo(213.295, 2);
		expect(serves[1]?.output).toBeCloseTo(212.245, 2);
		expect(serves[3]?.ttft?.p99).toBeCloseTo(0.45038, 4);
		expect(serves[0]?.conditions).toMatchObject({ tp: 8, gpus: 8, gpu: null });
	});

	it.each(["01", "04"])("the command file of qps %s holds no measurement", async (qps) => {
		const file = `serving_meta-llama-Llama-3.3-70B-Instruct_tp8_pp1_sharegpt_qps_${qps}.commands`;
		const { counts, items } = await read(`${DETAILED}/${file}`);
		expect(counts).toEqual({ aside: 1 });
		expect(items[0]).toMatchObject({ reason: expect.stringContaining("Standard_ND96asr_v4") });
	});
});

suite(label("offline results of vLLM"), () => {
	it.each([
		["ascend-llama8B-tp1-2025-02.json", 7.41957, 7.438288155943155],
		["ascend-llama8B-tp1-2025-03.json", 7.109123, 6.898985657840967],
	])("latency %s keeps its 15 iterations as a mixed row", async (file, mean, first) => {
		const { counts, measurements } = await read(`vllm-latency/${file}`);
		expect(counts).toEqual({ measurement: 1 });
		expect(measurements[0]).toMatchObject({
			phase: "mixed",
			repetitions: 15,
			batch: 8,
			tokens: 32,
			generated: 128,
		});
		expect(measurements[0]?.secondsMean).toBeCloseTo(mean, 5);
		expect(measurements[0]?.seconds[0]).toBe(first);
		expect(measurements[0]?.suspicions.join()).toContain("not in the file");
	});

	it.each([
		["ascend-llama8B-tp1-2025-02.json", "86204 tokens in 72.38"],
		["strix-halo-x2-minimax-m2.7-awq-triton.json", "146523 tokens in 1731.78"],
	])("throughput %s is set aside: its tokens are one sum", async (file, figures) => {
		const { counts, items } = await read(`vllm-throughput/${file}`);
		expect(counts).toEqual({ aside: 1 });
		expect(items[0]).toMatchObject({ reason: expect.stringContaining(figures) });
	});
});
