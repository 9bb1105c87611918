import { expect, it } from "vitest";
import { emptyConditions } from "./fields.ts";
import { impossible } from "./impossible.ts";
import type { Measurement } from "./record.ts";

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
])("refuses %s", (_, measurement, reason) => {
	expect(impossible(measurement)).toMatch(reason);
});
