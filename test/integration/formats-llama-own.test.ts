import { join } from "node:path";
import { configurationKey, type Item, type Measurement } from "@plimsoll/api/ingest";
import { describe, expect, it } from "vitest";
import { EPYC } from "../fixtures/llama-expectations.ts";
import { type FileReading, readFile, readText } from "../support/reading.ts";

// Unmodified output of llama.cpp tools on a processor; its README says how it was made.
const folder = join(import.meta.dirname, "../fixtures/llama-cpp-cpu");
const read = (name: string): Promise<FileReading> => readFile(join(folder, name));
const MIB = 2 ** 20;

/** The layouts without samples beside the samples of the very same run. */
const TWINS = ["short.json", "short.jsonl", "short.csv", "short.sql", "short.md"];

describe("one run written in two layouts", () => {
	it.each(TWINS)("%s agrees with its JSONL twin, row by row", async (name) => {
		const layout = await read(`formats/${name}`);
		const twin = await read(`formats/${name}.same-run-stderr.jsonl`);
		expect(layout.counts).toMatchObject({ measurement: 16 });
		expect(twin.counts).toEqual({ measurement: 16 });
		const table = name.endsWith(".md");
		for (const [index, got] of layout.measurements.entries()) {
			const want = twin.measurements[index] as Measurement;
			expect(shape(got)).toEqual(shape(want));
			// md prints a mean of speeds with two decimals; the mean of seconds differs by the square of the spread.
			expect(Math.abs(got.secondsMean / want.secondsMean - 1)).toBeLessThan(table ? 2e-3 : 1e-7);
			if (!table) expect(configurationKey(got.conditions)).toBe(configurationKey(want.conditions));
		}
	});

	it("gives each of two models its own configuration, in every layout", async () => {
		for (const name of TWINS) {
			const { measurements } = await read(`formats/${name}`);
			const keys = new Set(measurements.map(({ conditions }) => configurationKey(conditions)));
			expect(keys.size).toBe(2);
		}
	});

	it("takes the spread from samples where there are some, else from stddev_ts/avg_ts", async () => {
		const [json, csv] = [
			await read("formats/short.csv.same-run-stderr.jsonl"),
			await read("formats/short.csv"),
		];
		for (const [index, { secondsStd, seconds, repetitions }] of json.measurements.entries()) {
			expect(repetitions).toBe(3);
			expect(seconds).toHaveLength(3);
			const ratio = (csv.measurements[index]?.secondsStd ?? Number.NaN) / (secondsStd ?? Number.NaN);
			expect(ratio).toBeGreaterThan(0.9);
			expect(ratio).toBeLessThan(1.1);
		}
	});
});

function shape(measurement: Measurement): unknown {
	switch (measurement.phase) {
		case "prefill":
			return ["prefill", measurement.tokens, measurement.cached];
		case "decode":
			return ["decode", measurement.context, measurement.generated];
		case "mixed":
			return ["mixed", measurement.tokens, measurement.cached, measurement.generated];
		case "serve":
		case "tools":
			return [measurement.phase];
	}
}

describe("llama-bench on a processor", () => {
	it("names the processor as the device, with no GPU used", async () => {
		const { measurements } = await read("bench-prefill-gqa-f16-armA.jsonl");
		expect(measurements).toHaveLength(8);
		expect(measurements[0]?.conditions).toMatchObject({
			...EPYC,
			model: "tiny-gqa-f16.gguf",
			weights: "F16",
		});
	});

	it("keeps eight settings of one sweep apart", async () => {
		const { counts, measurements } = await read("bench-multiconfig.jsonl");
		expect(counts).toEqual({ measurement: 24 });
		// flash attention × n_ubatch × cache type
		expect(new Set(measurements.map(({ conditions }) => conditions)).size).toBe(8);
		expect(new Set(measurements.map(({ conditions }) => configurationKey(conditions))).size).toBe(8);
	});

	it("gives repeated commands one configuration", async () => {
		const arms = await Promise.all(
			["A", "B", "C"].map((arm) => read(`bench-prefill-gqa-f16-arm${arm}.jsonl`)),
		);
		const keys = arms.flatMap(({ measurements }) =>
			measurements.map(({ conditions }) => configurationKey(conditions)),
		);
		expect(new Set(keys).size).toBe(1);
	});
});

/** File, bytes of the cache, tokens it holds, longest sequence, types, windows: as printed in the log. */
const STARTUP: [string, number, number, number, string, boolean | null][] = [
	["gqa-f16-kvf16-np4-c131072", 256, 131072, 32768, "f16", null],
	["gqa-f16-kvf16-unified-c131072", 256, 131072, 131072, "f16", null],
	["gqa-f16-kvq8_0-np4-c131072", 136, 131072, 32768, "q8_0", null],
	["gqa-q8_0-default-ctx", 256, 131072, 131072, "f16", null],
	["mha-f16-kvf16-np4-c131072", 1024, 131072, 32768, "f16", null],
	// one full layer 64 MiB, three sliding ones 9 MiB (1536 cells) or, told to keep all, 192 MiB
	["swa-f16-kvf16-np4-c131072", 73, 131072, 32768, "f16", true],
	["swa-f16-kvf16-np4-c131072-swafull", 256, 131072, 32768, "f16", false],
];

describe("start-up logs", () => {
	it.each(STARTUP)("%s", async (name, kvMib, kvTokens, maxModelLen, type, windowsHonoured) => {
		const { format, items } = await read(`startup/${name}.log`);
		expect(format).toBe("llama.cpp log");
		const [memory, ...others] = items;
		expect(others).toEqual([]);
		if (memory?.kind !== "memory") throw new Error("no memory facts");
		expect(memory.memory).toMatchObject({ kvPoolBytes: kvMib * MIB, kvTokens, maxModelLen, windowsHonoured });
		expect(memory.conditions).toMatchObject({
			gpus: 0,
			backend: "CPU",
			kvK: type,
			kvV: type,
			engine: "llama.cpp",
		});
		expect(memory.conditions).toMatchObject({ engineVersion: "b1 80fb11a", gpu: "CPU: AMD EPYC" });
	});

	it("says that a log at default verbosity holds nothing to keep", async () => {
		const { counts } = await read("startup/gqa-f16-kvf16-np4-c16384-default-verbosity.log");
		expect(counts).toEqual({ rejected: 1 });
	});
});

describe("runs that failed", () => {
	it.each<[string, string, RegExp]>([
		[
			"bench-depth-does-not-fit",
			"tiny-mha-f16.gguf",
			/failed to create context with model 'tiny-mha-f16.gguf'/,
		],
		["bench-missing-model", "no-such-model.gguf", /failed to load model/],
		["bench-truncated-gguf", "truncated.gguf", /failed to load model/],
		["bench-v-quant-without-fa", "tiny-gqa-f16.gguf", /failed to create context/],
		["server-kv-does-not-fit-default-verbosity", "tiny-mha-f16.gguf", /./],
	])("%s", async (name, model, reason) => {
		const { counts, items } = await read(`failures/${name}.stderr.txt`);
		expect(counts).toEqual({ failure: 1 });
		const [item] = items;
		if (item?.kind !== "failure") throw new Error("no failure");
		expect(item.failure.conditions.model).toBe(model);
		expect(item.failure.reason).toMatch(reason);
		expect(item.failure.reason).not.toContain("models/");
	});

	it("keeps the length at which the cache did not fit", async () => {
		const { items } = await read("failures/server-kv-does-not-fit-mha-c8388608.stderr.txt");
		const failure = items.find((item) => item.kind === "failure");
		// -c 8388608 over four sequences
		expect(failure?.kind === "failure" && failure.failure.tokens).toBe(2097152);
	});

	it.each<[string, FileReading["counts"]]>([
		["bench-killed-midway-csv", { measurement: 3 }],
		["bench-killed-midway-json", { measurement: 3, note: 1 }],
		["batched-bench-aborts-midway-c4096", { measurement: 8 }],
		["batched-bench-aborts-midway-c4096-md", { measurement: 8 }],
	])("keeps the finished rows of %s", async (name, counts) => {
		expect((await read(`failures/${name}.stdout.txt`)).counts).toEqual(counts);
	});

	it("says that an open bracket is a run that failed before its first result", async () => {
		await expect(read("failures/bench-missing-model.stdout.txt")).rejects.toThrow(/before its first result/);
	});
});

describe("llama-batched-bench", () => {
	it("reads B prompts at once and B sequences a step", async () => {
		const { counts, items } = await read("batched-gqa-f16-armA.jsonl");
		expect(counts).toEqual({ measurement: 24 });
		// line 2: two prompts of 128 in 0.071861 s, 32 steps of both in 0.240171 s
		expect(measurementAt(items, "line 2 T_PP")).toMatchObject({
			tokens: 128,
			batch: 2,
			secondsMean: 0.071861,
		});
		const step = measurementAt(items, "line 2 T_TG");
		expect(step).toMatchObject({ batch: 2, context: 143.5, generated: 32 });
		expect(step.secondsMean).toBeCloseTo(0.240171 / 32, 9);
	});

	it("reads one prompt where all sequences share it", async () => {
		const { items } = await read("batched-gqa-f16-pps.jsonl");
		expect(measurementAt(items, "line 2 T_PP")).toMatchObject({
			tokens: 128,
			batch: 1,
			secondsMean: 0.034849,
		});
		expect(measurementAt(items, "line 2 T_TG")).toMatchObject({ batch: 2, context: 143.5 });
	});

	it("reads the table as the JSONL, to the last digit printed", async () => {
		const { format, counts, items } = await read("batched-gqa-f16-armC.md");
		expect(format).toBe("llama-batched-bench md");
		expect(counts).toEqual({ measurement: 24 });
		// "0.040 | 3237.88": the speed is the sharper print, 128/3237.88
		expect(measurementAt(items, "line 6 T_PP").secondsMean).toBeCloseTo(0.039532, 6);
		expect(measurementAt(items, "line 6 T_PP").conditions.flags).toMatchObject({
			n_batch: 2048,
			flash_attn: "on",
		});
	});

	it("takes sequences that generate one after the other as single ones", async () => {
		const header =
			"main: n_kv_max = 4096, n_batch = 2048, n_ubatch = 512, is_pp_shared = 0, is_tg_separate = 1";
		const table = "| PP | TG | B | N_KV | T_PP s | S_PP t/s | T_TG s | S_TG t/s | T s | S t/s |";
		const row = "| 128 | 32 | 4 | 640 | 0.400 | 1280.00 | 1.280 | 100.00 | 1.680 | 380.95 |";
		const { items } = await readText([header, table, row, ""].join("\n"));
		// 1.28 s for four times 32 steps of one sequence
		const step = measurementAt(items, "line 3 T_TG");
		expect(step).toMatchObject({ batch: 1 });
		expect(step.secondsMean).toBeCloseTo(0.01, 6);
	});
});

describe("answers of llama-server", () => {
	it("splits prompt and steps; the first token belongs to the prompt", async () => {
		const { format, counts, items } = await read("server/chat.json");
		expect(format).toBe("llama-server jsonl");
		expect(counts).toEqual({ measurement: 2 });
		expect(measurementAt(items, "line 1 prompt")).toMatchObject({
			tokens: 367,
			cached: 0,
			secondsMean: expect.closeTo(0.107505, 9),
		});
		// 135.167 ms for 48 tokens, 47 steps; contexts 367 … 413
		const step = measurementAt(items, "line 1 predicted");
		expect(step).toMatchObject({ context: 390, generated: 47, conditions: { engineVersion: "b1 80fb11a" } });
		expect(step.secondsMean).toBeCloseTo(0.002875894, 9);
		expect(step.suspicions).toEqual([expect.stringContaining("other requests")]);
	});

	it("counts what came from the cache", async () => {
		const { items } = await read("server/completion-prefix-cached.json");
		expect(measurementAt(items, "line 1 prompt")).toMatchObject({
			tokens: 5,
			cached: 348,
			secondsMean: 0.005755,
		});
		expect(measurementAt(items, "line 1 predicted")).toMatchObject({ context: 376 });
	});

	it.each(["chat-stream.sse", "completion-stream-timings-per-token.sse"])(
		"takes the last timings of %s",
		async (name) => {
			const { format, counts } = await read(`server/${name}`);
			expect(format).toBe("llama-server stream");
			expect(counts).toEqual({ measurement: 2 });
		},
	);

	it("does not doubt a recorder that sent one request at a time", async () => {
		const [alone, crowd] = [
			await read("server/closed-loop-c1.jsonl"),
			await read("server/closed-loop-c4.jsonl"),
		];
		expect(alone.counts).toEqual({ measurement: 24 });
		expect(alone.measurements.every(({ suspicions }) => suspicions.length === 0)).toBe(true);
		expect(crowd.measurements.every(({ suspicions }) => suspicions.length === 1)).toBe(true);
	});

	it("keeps errors as failures, in a stream too", async () => {
		const long = await read("server/fail-context-too-long-chat.json");
		expect(long.items).toMatchObject([{ kind: "failure", failure: { tokens: 4651, phase: "serve" } }]);
		expect((await read("server/fail-chat-stream-error-midstream.sse")).counts).toEqual({ failure: 1 });
	});

	it.each<[string, Record<string, unknown>]>([
		["props.json", { model: "tiny-gqa-chat-f16.gguf", weights: "F16" }],
		["slots-idle-before.json", {}],
		["models.json", { modelParams: 27662848, modelBytes: 55334912 }],
	])("takes the longest sequence from %s", async (name, conditions) => {
		const { items } = await read(`server/${name}`);
		expect(items).toMatchObject([{ kind: "memory", conditions, memory: { maxModelLen: 4096 } }]);
	});

	it("sets a page of sums aside", async () => {
		const { format, counts } = await read("server/metrics-after.txt");
		expect(format).toBe("llama-server metrics");
		expect(counts).toEqual({ aside: 1 });
	});
});

describe("timings in a server's log", () => {
	const launch = (id: number, task: number) =>
		`slot launch_slot_: id  ${id} | task ${task} | processing task, is_child = 0`;
	const cache = (id: number, task: number, n: number) =>
		`slot   operator(): id  ${id} | task ${task} | cached n_tokens = ${n}, memory_seq_rm [${n}, end)`;
	const timing = (id: number, task: number) => [
		`slot print_timing: id  ${id} | task ${task} | prompt eval time =       5.75 ms /     5 tokens (    1.15 ms per token,   868.81 tokens per second)`,
		`slot print_timing: id  ${id} | task ${task} |        eval time =     135.75 ms /    48 tokens (    2.89 ms per token,   346.23 tokens per second)`,
	];
	const release = (id: number, task: number) =>
		`slot      release: id  ${id} | task ${task} | stop processing: n_tokens = 400, truncated = 0`;

	it("counts the cached prompt, and trusts a request that ran alone", async () => {
		const { items } = await readText(
			[launch(3, 51), cache(3, 51, 348), ...timing(3, 51), release(3, 51), ""].join("\n"),
		);
		expect(measurementAt(items, "line 3")).toMatchObject({ tokens: 5, cached: 348, suspicions: [] });
		// 135.75 ms for 47 steps at contexts 353 … 399
		const step = measurementAt(items, "line 4");
		expect(step).toMatchObject({ context: 376, generated: 47, suspicions: [] });
		expect(step.secondsMean).toBeCloseTo(0.13575 / 47, 9);
	});

	it("doubts requests that ran beside others, or whose beginning it did not see", async () => {
		const together = [
			launch(0, 1),
			launch(1, 2),
			...timing(0, 1),
			release(0, 1),
			...timing(1, 2),
			release(1, 2),
		];
		const crowd = await readText(`${together.join("\n")}\n`);
		expect(crowd.measurements.map(({ suspicions }) => suspicions.length)).toEqual([1, 1, 1, 1]);
		const later = await readText(`${[...timing(0, 1), ""].join("\n")}\n`);
		expect(later.measurements[0]?.suspicions).toEqual([expect.stringContaining("not in the file")]);
	});

	it("sets a single token aside: it has no step", async () => {
		const lines = [
			"llama_perf_context_print: prompt eval time =      74.99 ms /     2 tokens (   37.49 ms per token,    26.67 tokens per second)",
			"llama_perf_context_print:        eval time =       0.00 ms /     1 runs   (    0.00 ms per token,      inf tokens per second)",
		];
		const { counts, measurements } = await readText(`${lines.join("\n")}\n`);
		expect(counts).toEqual({ measurement: 1, aside: 1 });
		expect(measurements[0]).toMatchObject({
			phase: "prefill",
			tokens: 2,
			secondsMean: expect.closeTo(0.07499, 9),
		});
	});
});

function measurementAt(items: Item[], at: string): Measurement {
	const found = items.find((item) => item.kind === "measurement" && item.at === at);
	if (found?.kind !== "measurement") throw new Error(`no measurement at ${at}`);
	return found.measurement;
}
