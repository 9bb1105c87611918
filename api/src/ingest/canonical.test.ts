import { describe, expect, it } from "vitest";
import { canonical } from "./canonical.ts";
import type { Item } from "./record.ts";

const read = (file: unknown): Item[] => [...(canonical.document?.(JSON.stringify(file), {}) ?? [])];
const FILE = {
	plimsoll: 1,
	gpu: "NVIDIA H100 80GB HBM3",
	gpus: 8,
	model: "llama-2-70b",
	engine: "vllm",
	kv: "bf16",
	tp: 8,
};
const one = (row: unknown): Item | undefined => read({ ...FILE, measurements: [row] })[0];

describe("a file of measurements", () => {
	it("gives every row its configuration, one object for all", () => {
		const items = read({
			...FILE,
			flags: { eager: true },
			measurements: [
				{ phase: "prefill", tokens: 1024, cached: 0, batch: 1, seconds: [0.123, 0.121] },
				{ phase: "decode", batch: 8, context: 2048, seconds: [0.031] },
			],
		});
		expect(items).toMatchObject([
			{
				kind: "measurement",
				at: "measurements[0]",
				measurement: { tokens: 1024, secondsMean: 0.122, repetitions: 2 },
			},
			{ kind: "measurement", measurement: { batch: 8, context: 2048, secondsStd: null, repetitions: 1 } },
		]);
		const conditions = items.map((item) => item.kind === "measurement" && item.measurement.conditions);
		expect(conditions[0]).toBe(conditions[1]);
		expect(conditions[0]).toMatchObject({
			gpusBasis: "stated",
			kvK: "bf16",
			kvV: "bf16",
			tp: 8,
			flags: { eager: true },
		});
	});

	it("keeps where it comes from as notes", () => {
		const items = read({ ...FILE, source: "arXiv 2411.01783", attribution: "Meta", measurements: [{}] });
		expect(items).toMatchObject([
			{ kind: "note", text: "attribution: Meta" },
			{ kind: "note", text: "source: arXiv 2411.01783" },
			{},
		]);
	});

	it.each<[string, unknown, string]>([
		["another version", { ...FILE, plimsoll: 2, measurements: [{}] }, "plimsoll"],
		["no measurements", { ...FILE }, "measurements"],
		["an empty list", { ...FILE, measurements: [] }, "measurements"],
		["a number as GPU", { ...FILE, gpu: 7, measurements: [] }, "gpu"],
		["a fraction of GPUs", { ...FILE, gpus: 1.5, measurements: [] }, "gpus"],
		["a list as flag", { ...FILE, flags: { a: [] }, measurements: [] }, "flags.a"],
		["a number as cache type", { ...FILE, kv: 16, measurements: [] }, "kv"],
		["more GPUs than there are", { ...FILE, gpus: 1e6, measurements: [] }, "gpus"],
		["more ranks than there are", { ...FILE, tp: 1e6, measurements: [] }, "tp"],
	])("names %s", (_, file, at) => {
		expect(read(file).find(({ kind }) => kind === "rejected")).toMatchObject({ at });
	});

	it("rejects all rows of a configuration that is wrong", () => {
		const items = read({ ...FILE, gpu: 7, measurements: [{ phase: "prefill", tokens: 1, seconds: 1 }] });
		expect(items.map(({ kind }) => kind)).toEqual(["rejected", "rejected"]);
	});

	it.each([2, 0])(
		"rejects 8 tensor parallel ranks on %i GPUs, and takes them where no GPUs are counted",
		(gpus) => {
			const row = { phase: "prefill", tokens: 1, seconds: 1 };
			expect(read({ ...FILE, gpus, measurements: [row] })).toMatchObject([
				{ kind: "rejected", at: "tp", reason: `tp 8 needs at least 8 GPUs, gpus says ${gpus}` },
				{ kind: "rejected", at: "measurements[0]" },
			]);
			expect(read({ ...FILE, gpus: null, measurements: [row] })).toMatchObject([{ kind: "measurement" }]);
		},
	);

	it("keeps the whole rows of a cut file", () => {
		const whole = JSON.stringify({
			...FILE,
			measurements: [
				{ phase: "prefill", tokens: 1, seconds: 1 },
				{ phase: "decode", context: 1, seconds: 1 },
			],
		});
		const items = [...(canonical.document?.(whole.slice(0, -12), {}) ?? [])];
		expect(items.map(({ kind }) => kind)).toEqual(["measurement", "rejected", "note"]);
	});

	it("says where a file ends that was cut before its first row", () => {
		const items = [...(canonical.document?.('{"plimsoll": 1,\n"gpu": "H100", "meas', {}) ?? [])];
		expect(items).toMatchObject([
			{ kind: "rejected", reason: expect.stringMatching(/breaks off.* in line 2 behind 20 characters$/) },
		]);
	});
});

describe("rows", () => {
	it("reads what a client saw", () => {
		const row = {
			phase: "serve",
			input: 1024,
			output: 128,
			concurrency: 16,
			ttft: { mean: 0.9, p50: 0.8, p99: 2.1 },
			tpot: { mean: 0.02 },
			outputTokensPerSecond: 640,
		};
		expect(one(row)).toMatchObject({
			measurement: {
				concurrency: 16,
				concurrencyBasis: "limit",
				rate: null,
				ttft: { mean: 0.9, p50: 0.8, p99: 2.1, p90: null },
				secondsMean: 0.02,
				outputTokensPerSecond: 640,
			},
		});
		expect(one({ ...row, tpot: 0.03 })).toMatchObject({ measurement: { secondsMean: 0.03 } });
		expect(one({ ...row, requested: 100, completed: 90 })).toMatchObject({
			measurement: { status: "partial" },
		});
	});

	it("reads failures of any phase", () => {
		expect(one({ phase: "prefill", tokens: 200000, error: "out of memory" })).toMatchObject({
			kind: "failure",
			failure: { phase: "prefill", tokens: 200000, reason: "out of memory" },
		});
		expect(one({ phase: "decode", context: 9000, batch: 4, error: "x" })).toMatchObject({
			failure: { tokens: 9000, batch: 4 },
		});
	});

	it.each<[string, unknown, string]>([
		["no object", 5, ""],
		["no phase", {}, ".phase"],
		["an unknown phase", { phase: "warm-up" }, ".phase"],
		["text as tokens", { phase: "prefill", tokens: "many", seconds: 1 }, ".tokens"],
		["no seconds", { phase: "prefill", tokens: 5 }, ".seconds"],
		["negative seconds", { phase: "prefill", tokens: 5, seconds: -1 }, ".seconds"],
		["an empty list", { phase: "prefill", tokens: 5, seconds: [] }, ".seconds"],
		["zero among seconds", { phase: "prefill", tokens: 5, seconds: [1, 0] }, ".seconds"],
		["a negative cache", { phase: "prefill", tokens: 5, seconds: 1, cached: -1 }, ".cached"],
		["no context", { phase: "decode", seconds: 1 }, ".context"],
		["no load", { phase: "serve", input: 5, output: 5, tpot: 1 }, ".concurrency"],
		["no times", { phase: "serve", input: 5, output: 5, concurrency: 1, ttft: 1 }, ".tpot"],
		[
			"text as a statistic",
			{ phase: "serve", input: 5, output: 5, concurrency: 1, tpot: { mean: "1" } },
			".tpot.mean",
		],
		["endless tokens", { phase: "prefill", tokens: 1e300, seconds: 1 }, ".tokens"],
		["an endless cache", { phase: "prefill", tokens: 5, cached: 1e300, seconds: 1 }, ".cached"],
		["an endless context", { phase: "decode", context: 1e300, seconds: 1 }, ".context"],
		["an endless batch", { phase: "decode", context: 5, batch: 1e7, seconds: 1 }, ".batch"],
		["endless clients", { phase: "serve", input: 5, output: 5, concurrency: 1e7, tpot: 1 }, ".concurrency"],
		["a failure at endless tokens", { phase: "prefill", tokens: 1e300, error: "x" }, ".tokens"],
		["a number as error", { phase: "prefill", error: 5 }, ".error"],
	])("names the field of %s", (_, row, field) => {
		expect(one(row)).toMatchObject({ kind: "rejected", at: `measurements[0]${field}` });
	});
});
