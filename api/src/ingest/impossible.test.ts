import { expect, it } from "vitest";
import { emptyConditions } from "./fields.ts";
import { impossible } from "./impossible.ts";
import type { Conditions, Measurement } from "./record.ts";

const base = {
	...{
		conditions: emptyConditions("vllm"),
		startedAt: null,
		status: "ok" as const,
		notes: [],
		suspicions: [],
	},
	...{ seconds: [], secondsMean: 0.1, secondsStd: null, repetitions: null, details: {} },
};
const prefill: Measurement = { ...base, phase: "prefill", tokens: 512, cached: 0, batch: 1 };
const decode: Measurement = { ...base, phase: "decode", batch: 4, context: 0, generated: null };
const serve: Measurement = {
	...{ ...base, phase: "serve", input: 1024, output: 128, concurrency: 8, concurrencyBasis: "limit" },
	...{ rate: null, requested: null, completed: null, durationSeconds: null },
	...{ ttft: null, tpot: null, itl: null, e2e: null, outputTokensPerSecond: null },
};

it("lets pass what a law can read, an empty cache included", () => {
	expect([prefill, decode, serve].map(impossible)).toEqual([null, null, null]);
});

it.each<[string, Measurement, RegExp]>([
	["no time", { ...prefill, secondsMean: 0 }, /time must be above 0, not 0/],
	["a time that is no number", { ...decode, secondsMean: Number.NaN }, /time must be above 0, not NaN/],
	["a repetition in no time", { ...prefill, seconds: [0.1, 0] }, /repetition must be above 0/],
	["an empty prompt", { ...prefill, tokens: 0 }, /number of tokens/],
	["fewer than no cached tokens", { ...prefill, cached: -1 }, /cached tokens must be at least 0/],
	["nobody in the batch", { ...decode, batch: 0 }, /batch/],
	["a context below nothing", { ...decode, context: -0.5 }, /context/],
	["nothing generated", { ...serve, output: 0 }, /output tokens must be above 0, not 0/],
	["an endless rate", { ...serve, rate: Number.POSITIVE_INFINITY }, /rate/],
	[
		"a negative percentile",
		{ ...serve, ttft: { mean: 1, p50: 1, p90: null, p95: null, p99: -1, std: null } },
		/p99 of TTFT/,
	],
	[
		"more tokens than there are",
		{ ...prefill, tokens: 1e300 },
		/number of tokens must be at most 1000000000/,
	],
	[
		"a cache of more",
		{ ...prefill, cached: 2e9 },
		/cached tokens must be at most 1000000000, not 2000000000/,
	],
	["a context of more", { ...decode, context: 1e10 }, /context must be at most 1000000000/],
	["more generated", { ...decode, generated: 1e10 }, /generated tokens must be at most 1000000000/],
	["a batch of more than a million", { ...decode, batch: 1e7 }, /batch must be at most 1000000/],
	["an endless answer", { ...serve, output: 1e10 }, /output tokens must be at most 1000000000/],
	["more than a million in flight", { ...serve, concurrency: 1e7 }, /in flight must be at most 1000000/],
	["more than a million clients", { ...serve, concurrencyLimit: 1e7 }, /limit of requests in flight/],
])("refuses %s", (_, measurement, reason) => {
	expect(impossible(measurement)).toMatch(reason);
});

it.each<[string, Partial<Conditions>, RegExp | null]>([
	[
		"fewer GPUs than ranks",
		{ gpus: 2, gpusBasis: "stated", tp: 8 },
		/^tp 8 needs at least 8 GPUs, gpus says 2$/,
	],
	["ranks on no GPU", { gpus: 0, gpusBasis: "stated", tp: 2 }, /^tp 2 needs at least 2 GPUs, gpus says 0$/],
	[
		"fewer GPUs shown than ranks",
		{ gpus: 2, gpusBasis: "inferred", tp: 4 },
		/the file shows 2: say how many/,
	],
	["more GPUs than there are", { gpus: 1e6, gpusBasis: "stated" }, /GPUs must be at most 100000/],
	["more ranks than there are", { tp: 1e6 }, /tp must be at most 100000/],
	["as many", { gpus: 8, gpusBasis: "stated", tp: 8 }, null],
	["ranks on GPUs that nobody counted", { tp: 8 }, null],
	["one rank on the processor", { gpus: 0, gpusBasis: "stated", tp: 1 }, null],
])("looks at GPUs and ranks: %s", (_, conditions, reason) => {
	const found = impossible({ ...prefill, conditions: { ...base.conditions, ...conditions } });
	if (reason === null) expect(found).toBeNull();
	else expect(found).toMatch(reason);
});
