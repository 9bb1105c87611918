import { join } from "node:path";
import type { ServeMeasurement } from "@plimsoll/api/ingest";
import { describe, expect, it } from "vitest";
import { type FileReading, readFile, sharedFolder } from "../support/reading.ts";

const formats = sharedFolder("formats");
const suite = describe.skipIf(formats === null);
const label = (name: string) => (formats === null ? `${name} (skipped: no shared data)` : name);
const read = (path: string): Promise<FileReading> => readFile(join(formats ?? "", path));

function servesOf({ measurements }: FileReading): ServeMeasurement[] {
	return measurements.flatMap((m) => (m.phase === "serve" ? [m] : []));
}

function onlyServe(reading: FileReading): ServeMeasurement {
	const [serve, ...more] = servesOf(reading);
	if (serve === undefined || more.length > 0) throw new Error(`${more.length + 1} serve measurements`);
	return serve;
}

/** Relative closeness to a figure of the file that was written down with six digits. */
const near = (got: number | null | undefined, want: number, relative = 1e-5) =>
	expect(Math.abs((got ?? Number.NaN) / want - 1), `${got} for ${want}`).toBeLessThan(relative);

/** Users, tensor-parallel size, prompt tokens, completed, asked, mean TTFT and mean TTLT in s, cache hits. */
type AgenticRow = [string, number, number, number, number, number, number, number, number];
const AGENTIC: AgenticRow[] = [
	[
		"tp4_users128_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc128_b200-nb_1",
		128,
		4,
		66346.98,
		152,
		271,
		397.537,
		645.816,
		0.0017,
	],
	[
		"tp4_users12_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc12_b200-dgxc-slurm_8",
		12,
		4,
		91829.1,
		60,
		60,
		164.282,
		276.275,
		0.796,
	],
	[
		"tp4_users16_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc16_b200-dgxc-slurm_5",
		16,
		4,
		73466.34,
		213,
		213,
		5.33831,
		108.418,
		0.873,
	],
	[
		"tp4_users1_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc1_b200-dgxc-slurm_6",
		1,
		4,
		75980.42,
		45,
		45,
		1.11325,
		26.1113,
		0.949,
	],
	[
		"tp4_users256_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc256_b200-dgxc-slurm_5",
		256,
		4,
		59100.41,
		82,
		519,
		272.917,
		536.587,
		0.0195,
	],
	[
		"tp4_users2_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc2_b200-dgxc-slurm_2",
		2,
		4,
		89541.81,
		57,
		66,
		1.60381,
		41.3723,
		0.935,
	],
	[
		"tp4_users32_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc32_b200-dgxc-slurm_7",
		32,
		4,
		82765.91,
		53,
		65,
		210.698,
		423.824,
		0.0014,
	],
	[
		"tp4_users48_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc48_b200-nb_1",
		48,
		4,
		75781.73,
		147,
		147,
		244.967,
		471.316,
		0,
	],
	[
		"tp4_users8_offloadoff_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc8_b200-dgxc-slurm_8",
		8,
		4,
		79009.33,
		162,
		162,
		2.71301,
		65.8412,
		0.898,
	],
	[
		"tp8_users128_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc128_b200-dgxc-slurm_4",
		128,
		8,
		70639.72,
		152,
		205,
		334.946,
		623.959,
		0.0038,
	],
	[
		"tp8_users12_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc12_b200-dgxc-slurm_7",
		12,
		8,
		93451.38,
		29,
		29,
		490.249,
		595.288,
		0.577,
	],
	[
		"tp8_users16_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc16_b200-dgxc-slurm_2",
		16,
		8,
		76146.41,
		34,
		34,
		441.993,
		585.201,
		0.549,
	],
	[
		"tp8_users1_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc1_b200-nb_0",
		1,
		8,
		71851.75,
		52,
		52,
		0.857917,
		21.9361,
		0.951,
	],
	[
		"tp8_users256_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc256_b200-dgxc-slurm_6",
		256,
		8,
		60272.76,
		105,
		429,
		286.437,
		569.443,
		0.0047,
	],
	[
		"tp8_users2_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc2_b200-dgxc-slurm_0",
		2,
		8,
		91700.06,
		54,
		54,
		1.26595,
		21.9854,
		0.95,
	],
	[
		"tp8_users32_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc32_b200-dgxc-slurm_3",
		32,
		8,
		79211.54,
		41,
		43,
		54.9134,
		237.427,
		0.243,
	],
	[
		"tp8_users512_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc512_b200-dgxc-slurm_8",
		512,
		8,
		51488.06,
		149,
		897,
		318.59,
		633.888,
		0.0056,
	],
	[
		"tp8_users8_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc8_b200-dgxc-slurm_1",
		8,
		8,
		79231.7,
		71,
		71,
		11.3683,
		54.5461,
		0.83,
	],
];

suite(label("InferenceX"), () => {
	it.each(AGENTIC)("agentic %s", async (name, users, tp, input, completed, asked, ttft, ttlt, hits) => {
		const reading = await read(`inferencex/b200-dsr1-agentic/agg_dsr1_${name}.json`);
		expect(reading.format).toBe("inferencex json");
		const serve = onlyServe(reading);
		expect(serve.conditions).toMatchObject({
			gpu: "b200",
			gpus: tp,
			tp,
			engine: "vllm",
			engineVersion: "0.19.1",
			model: "nvidia/DeepSeek-R1-0528-FP4",
			weights: "fp4",
		});
		expect(serve).toMatchObject({ completed, requested: asked, concurrencyLimit: users });
		expect(serve.status).toBe(completed < asked ? "partial" : "ok");
		near(serve.input, input);
		near(serve.ttft?.mean, ttft);
		near(serve.e2e?.mean, ttlt);
		const doubts = serve.suspicions.join("\n");
		expect(doubts.includes("prefix cache")).toBe(hits >= 0.05);
		expect(doubts.includes(`only ${completed} of ${asked}`)).toBe(completed < 0.95 * asked);
		// Most of a prompt is in the cache: no prefill point may follow, not even for one user.
		expect(reading.measurements.some((m) => m.phase === "prefill")).toBe(false);
	});

	it.each([
		[
			"agg_kimik2.5_1k1k_int4_vllm_tp8-ep1-dpafalse_disagg-false_spec-mtp_conc4_MI355-gbt350-odcdh5-wbb3",
			1024,
			4,
			0.317086,
			0.0172941,
			221.424,
		],
		[
			"agg_kimik2.5_8k1k_int4_vllm_tp8-ep1-dpafalse_disagg-false_spec-mtp_conc32_MI355-gbt350-odcdh5-wbb3",
			8192,
			32,
			2.50942,
			0.224106,
			140.5646,
		],
	])(
		"aggregated %s: seconds, throughput per GPU times 8",
		async (name, input, clients, ttft, tpot, perSecond) => {
			const serve = onlyServe(await read(`inferencex/${name}.json`));
			expect(serve).toMatchObject({ input, output: 1024, concurrency: clients, concurrencyBasis: "limit" });
			expect(serve.conditions).toMatchObject({
				gpu: "mi355x",
				gpus: 8,
				engineVersion: "0.21.0",
				weights: "int4",
			});
			expect(serve.conditions.flags).toMatchObject({ speculative_decoding: "mtp" });
			expect(serve.conditions.flags).not.toHaveProperty("dp_attention");
			near(serve.ttft?.mean, ttft);
			near(serve.tpot?.mean, tpot);
			near(serve.outputTokensPerSecond, perSecond);
		},
	);

	// Lengths from throughputs: 3415.83 / 20.2158 = 168.97 tokens where osl says 1024.
	it.each([
		["inferencex/b200-gptoss-untuned/conc16.json", "vllm", 4, 16, 160, 168.968, 26.2747, 3.65328],
		["inferencex/b200-gptoss-untuned/conc64.json", "vllm", 4, 64, 638, null, 41.3195, 6.19948],
		["inferencex/b200-gptoss-untuned/conc256.json", "vllm", 4, 256, 2554, null, 368.754, 14.5603],
		["inferencex/b200-gptoss-untuned/conc512.json", "vllm", 4, 512, 5105, null, 686.679, 22.4523],
		["sglang/b200x8-dsr1-fp4-conc16.json", "sglang", 8, 16, 160, 501.162, 358.53, 12.9392],
		["sglang/b200x8-dsr1-fp4-conc64.json", "sglang", 8, 64, 638, null, 502.903, 21.3407],
		["sglang/b200x8-dsr1-fp4-conc256.json", "sglang", 8, 256, 2554, 485.024, 606.574, 32.9565],
	])("runner row %s", async (file, engine, tp, clients, completed, output, ttftMs, tpotMs) => {
		const serve = onlyServe(await read(file));
		expect(serve.conditions).toMatchObject({ gpu: "b200", engine, tp, gpus: tp });
		expect(serve).toMatchObject({ completed, concurrency: clients });
		if (output !== null) near(serve.output, output);
		expect(serve.notes.join()).toContain("flag and data disagree: 1024");
		near(serve.ttft?.p50, ttftMs / 1000);
		near(serve.tpot?.p50, tpotMs / 1000);
	});
});

/** Stage, offered rate, completed, mean TTFT in s, prompt tokens, output tokens/s, mean delay of sending in s. */
type StageRow = [string, number, number, number, number, number, number];
const STAGES: StageRow[] = [
	["vllm/stage_0", 1, 60, 0.0311273, 204.1, 64.2335, 0.0004],
	["vllm/stage_1", 31.4, 1884, 0.0298369, 204.115, 1943.01, 0.001],
	["vllm/stage_3", 92.19, 5531, 0.0505486, 204.102, 5693.88, 0.0003],
	["vllm/stage_4", 122.59, 7355, 2.61653, 204.1, 6316.81, 3.556],
	["vllm/stage_6", 183.38, 11_002, 2.94324, 204.101, 6431.06, 19.92],
	["vllm-batch_size/stage_0", 1, 60, 0.033319, 200.683, 62.1536, 0.0004],
	["vllm-batch_size/stage_1", 37.97, 2278, 0.0312943, 200.928, 2366.17, 0.0008],
	["vllm-batch_size/stage_3", 111.92, 6715, 0.146234, 200.928, 6955.73, 0.0002],
	["vllm-batch_size/stage_4", 148.89, 8933, 2.05641, 200.93, 7094.38, 7.184],
	["vllm-batch_size/stage_6", 222.83, 13_369, 2.20045, 200.929, 7140.79, 25.87],
];

suite(label("inference-perf"), () => {
	it.each(STAGES)("%s", async (stage, rate, completed, ttft, input, perSecond, delay) => {
		const serve = onlyServe(await read(`inference-perf/${stage}_lifecycle_metrics.json`));
		expect(serve).toMatchObject({ rate, completed, concurrencyBasis: "measured", status: "ok" });
		near(serve.ttft?.mean, ttft);
		near(serve.input, input);
		near(serve.outputTokensPerSecond, perSecond);
		expect(serve.suspicions.some((doubt) => doubt.includes("could not hold its rate"))).toBe(delay > 0.5);
	});

	it("counts tokens where the tool counts chunks", async () => {
		const serve = onlyServe(await read("inference-perf/vllm/stage_0_lifecycle_metrics.json"));
		// (0.480482 − 0.0311273) s / (63.15 − 1) tokens = 7.2302 ms, where the file says 3.4734 ms
		near(serve.tpot?.mean, 0.0072302, 1e-4);
		expect(serve.notes.join()).toContain("0.003473 s per output token");
	});

	it.each([
		["vllm/summary_lifecycle_metrics.json", /mixes all stages/],
		["vllm-batch_size/summary_lifecycle_metrics.json", /mixes all stages/],
		["vllm-batch_size/stage_0_prometheus_metrics.json", /server's own counters/],
	])("%s is set aside", async (file, reason) => {
		const { counts, items } = await read(`inference-perf/${file}`);
		expect(counts).toEqual({ aside: 1 });
		expect(items[0]).toMatchObject({ reason: expect.stringMatching(reason) });
	});
});

/** Mean in flight, requests, prompt and output tokens, mean TTFT, TPOT, chunk gap and latency in ms. */
const AIPERF: [string, number, number, number, number, number, number, number | null, number][] = [
	["mi355x4-kimi-k2.7-conc1-kvnone", 1.36787, 195, 97031.7, 1092.39, 10259.1, 13.2061, null, 25463.4],
	["mi355x4-kimi-k2.7-conc8-kvnone", 11.0196, 873, 87276.8, 825.023, 14911.0, 38.7646, 37.6224, 45819.7],
	["mi355x4-kimi-k2.7-conc32-kvdram-lmcache", 47.3141, 646, 96314, 916.514, 202202, 79.6557, null, 266599],
];

suite(label("AIPerf"), () => {
	for (const layout of ["json", "csv"]) {
		it.each(AIPERF)(
			`%s.${layout}`,
			async (name, inFlight, requests, input, output, ttft, tpot, gap, latency) => {
				const reading = await read(`aiperf/${name}.${layout}`);
				expect(reading.format).toBe(`aiperf ${layout}`);
				// The warm-up repeats the names of the metrics and is no measurement.
				expect(reading.counts).toEqual(layout === "json" ? { measurement: 1, aside: 1 } : { measurement: 1 });
				const serve = onlyServe(reading);
				// The CSV has two decimals.
				const exact = layout === "json" ? 1e-5 : 5e-3;
				near(serve.concurrency, inFlight, exact);
				expect(serve).toMatchObject({ completed: requests, concurrencyBasis: "measured" });
				near(serve.input, input, exact);
				near(serve.output, output, exact);
				near(serve.ttft?.mean, ttft / 1000, exact);
				near(serve.tpot?.mean, tpot / 1000, exact);
				if (gap !== null) near(serve.itl?.mean, gap / 1000, exact);
				near(serve.e2e?.mean, latency / 1000, exact);
				expect(serve.conditions.model).toBe(layout === "json" ? "amd/Kimi-K2.7-Code-MXFP4" : null);
				expect(serve.suspicions.join()).toContain("prefix cache");
			},
		);
	}

	it("reads the table on the console, whose names are broken over lines", async () => {
		const reading = await read("aiperf/mi355x4-kimi-k2.7-conc8-console.txt");
		expect(reading.format).toBe("aiperf console");
		const serve = onlyServe(reading);
		expect(serve).toMatchObject({ completed: 873, concurrency: 11.02, input: 87_276.84, output: 825.02 });
		near(serve.ttft?.p50, 11.95793);
		near(serve.ttft?.p99, 62.49725);
		expect(serve.outputTokensPerSecond).toBe(198.41);
	});
});

suite(label("guidellm"), () => {
	it("reads both benchmarks of a report", async () => {
		const reading = await read("guidellm/report-v2-mock-server.json");
		expect(reading.format).toBe("guidellm json");
		const [first, second] = servesOf(reading);
		expect(first).toMatchObject({
			rate: 2,
			completed: 2,
			input: 71.5,
			output: 8,
			durationSeconds: 5.01964807510376,
		});
		expect(second).toMatchObject({ rate: 4, completed: 2, input: 65.5, output: 8 });
		expect(first?.conditions).toMatchObject({ model: "e2e-mock-model", gpu: null, engine: null });
		near(first?.ttft?.mean, 0.0114812);
		near(first?.e2e?.mean, 0.0197891);
		// Its time per output token (2.44 ms) counts the first token in; the gap between tokens is TPOT.
		near(first?.tpot?.mean, 0.00115085);
		// 2 requests of 8 tokens in 5.02 s, not the mean of instantaneous rates
		near(first?.outputTokensPerSecond, 3.18747);
		near(first?.concurrency, 0.00788466);
	});
});

suite(label("per-request files"), () => {
	// Means over the rows: TTFT, generation time / (tokens − 1), and Σ (finish − launch) / (last − first).
	it.each([
		["h100-llama3-70b-2replicas-qps4.csv", 252, 0.140031, 0.0372181, 26.916, 1147.7],
		["h100-llama3-70b-2replicas-qps16.csv", 68, 0.206476, 0.047932, 29.6728, 805.515],
		["h100-llama3-70b-2replicas-qps40.csv", 252, 34.1325, 0.0470751, 109.966, 1147.7],
	])("LMBench %s is one run", async (file, rows, ttft, tpot, inFlight, input) => {
		const reading = await read(`lmbenchmark/${file}`);
		expect(reading.format).toBe("lmbench csv");
		expect(reading.counts).toEqual({ measurement: 1 });
		const serve = onlyServe(reading);
		expect(serve).toMatchObject({ completed: rows, rate: null, concurrencyBasis: "measured" });
		near(serve.ttft?.mean, ttft);
		near(serve.tpot?.mean, tpot);
		near(serve.concurrency, inFlight);
		near(serve.input, input);
	});

	it("a recording inside vLLM agrees with the summary its author published beside it", async () => {
		const reading = await read("vllm-requests/RTX4090-Llama-3.1-8B/requests.jsonl");
		const serve = onlyServe(reading);
		expect(serve).toMatchObject({ completed: 300, conditions: { engine: "vllm" } });
		const ms = (seconds: number | null | undefined) => Number(((seconds ?? 0) * 1000).toFixed(1));
		// summary.txt, column vLLM: TTFT, TPOT, latency
		expect(
			[serve.ttft?.mean, serve.ttft?.p50, serve.ttft?.p90, serve.ttft?.p95, serve.ttft?.p99].map(ms),
		).toEqual([65456.6, 60110.9, 121121.7, 122739.2, 137356.3]);
		expect(
			[serve.tpot?.mean, serve.tpot?.p50, serve.tpot?.p90, serve.tpot?.p95, serve.tpot?.p99].map(ms),
		).toEqual([32.4, 30.8, 38.1, 48.1, 56.0]);
		expect([serve.e2e?.mean, serve.e2e?.p99].map(ms)).toEqual([86578.3, 153627.5]);
	});

	it.each(["summary.txt", "timeseries.csv"])("%s beside it is no benchmark output", async (file) => {
		await expect(read(`vllm-requests/RTX4090-Llama-3.1-8B/${file}`)).rejects.toThrow(/No known benchmark/);
	});
});
