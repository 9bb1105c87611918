import type { PinnedMemory } from "../model/memory/facts.ts";

/**
 * What the parser of one file family gives back, item by item, in the order of the file.
 * Nothing vanishes: every row found ends as exactly one measurement, failure, rejection or aside.
 */
export type Item =
	| { kind: "measurement"; at: string; measurement: Measurement }
	| { kind: "failure"; at: string; failure: Failure }
	| { kind: "rejected"; at: string; reason: string }
	| { kind: "aside"; at: string; reason: string }
	| { kind: "memory"; at: string; conditions: Conditions; memory: Omit<PinnedMemory, "sources"> }
	| { kind: "note"; text: string };

/**
 * Everything that decides speed; the key of a configuration. null: the source does not say.
 * Rows of a file with equal settings share one object, so that keys can be cached by object identity.
 */
export interface Conditions {
	gpu: string | null;
	/** GPUs used, not GPUs visible. 0: CPU only. */
	gpus: number | null;
	/** How the count is known: "inferred" where only the visible devices are printed. */
	gpusBasis: "stated" | "inferred" | null;
	engine: string | null;
	engineVersion: string | null;
	backend: string | null;
	/** Base name of the file or the hub id; never a path. */
	model: string | null;
	modelParams: number | null;
	/** Bytes of all weights. */
	modelBytes: number | null;
	weights: string | null;
	kvK: string | null;
	kvV: string | null;
	tp: number | null;
	pp: number | null;
	dp: number | null;
	ep: number | null;
	/** Settings that decide speed, names as in the source. */
	flags: Record<string, string | number | boolean | null>;
}

interface MeasurementBase {
	conditions: Conditions;
	/** ISO instant with Z, or local time without zone as the source gave it; null: not said. */
	startedAt: string | null;
	/** "partial": fewer requests completed than asked, or the file was cut. */
	status: "ok" | "partial";
	notes: string[];
	/** Reasons to doubt the value; a suspicious measurement is kept and left out of fits. */
	suspicions: string[];
	/** Per repetition, seconds, when the source has them; else empty. */
	seconds: number[];
	/** Mean of the repetitions; their median where a few were slow, which the notes then say (`settle`). */
	secondsMean: number;
	/** Standard deviation over the repetitions that were not slow; null: unknown (also with one repetition). */
	secondsStd: number | null;
	/** null: the source gives statistics but not how many. */
	repetitions: number | null;
	/** Further facts of this row worth keeping, names as in the source. */
	details: Record<string, unknown>;
}

/** `batch` sequences of `tokens` new tokens over `cached` each; secondsMean is for the whole batch. */
export interface PrefillMeasurement extends MeasurementBase {
	phase: "prefill";
	tokens: number;
	cached: number;
	batch: number;
}

/** One decode step of `batch` sequences at mean context `context`; secondsMean is per step. */
export interface DecodeMeasurement extends MeasurementBase {
	phase: "decode";
	batch: number;
	context: number;
	/** Tokens generated per sequence inside the clock, where known. */
	generated: number | null;
}

/** Prompt and generation in one clock reading (llama-bench pg, vllm latency): kept, never fitted. */
export interface MixedMeasurement extends MeasurementBase {
	phase: "mixed";
	tokens: number;
	cached: number;
	generated: number;
	batch: number;
}

export interface Statistics {
	mean: number | null;
	p50: number | null;
	p90: number | null;
	p95: number | null;
	p99: number | null;
	std: number | null;
}

/** What a client saw. secondsMean is the mean TPOT where there is one, else the mean e2e. */
export interface ServeMeasurement extends MeasurementBase {
	phase: "serve";
	/** Mean prompt and output tokens of a request. */
	input: number;
	output: number;
	/** Requests in flight; measured mean by Little's law where it could be computed, else the limit. */
	concurrency: number | null;
	concurrencyBasis: "measured" | "limit" | null;
	/** The client's limit of requests in flight, also where the measured mean is known. */
	concurrencyLimit?: number | null;
	/** Offered requests per second; null: closed loop, unlimited, or not said. */
	rate: number | null;
	requested: number | null;
	completed: number | null;
	durationSeconds: number | null;
	ttft: Statistics | null;
	tpot: Statistics | null;
	itl: Statistics | null;
	e2e: Statistics | null;
	outputTokensPerSecond: number | null;
}

/**
 * A request that carries tools: how long until the first byte of the answer. Building a grammar of the tools, reading the
 * prompt and the first token share the clock: kept and drawn, never fitted. `details` may hold `schema` (the kind of schemas,
 * in the client's words), `toolChoice`, `headersSeconds` and `promptSeconds`.
 */
export interface ToolsMeasurement extends MeasurementBase {
	phase: "tools";
	/** Tools in the request, ≥ 0. */
	tools: number;
	/** Prompt tokens, tools included, and how many of them came from a cache; null: not said. */
	tokens: number | null;
	cached: number | null;
}

export type Measurement =
	| PrefillMeasurement
	| DecodeMeasurement
	| MixedMeasurement
	| ServeMeasurement
	| ToolsMeasurement;

/** A point at which the configuration stopped. */
export interface Failure {
	conditions: Conditions;
	phase: Measurement["phase"];
	tokens: number | null;
	/** Sequences together; of a request with tools: how many tools. */
	batch: number | null;
	reason: string;
	startedAt: string | null;
	/** How long it took to fail; left out: not said. */
	seconds?: number | null;
	/** Further facts worth keeping, names as in the source. */
	details?: Record<string, unknown>;
}

/** What the uploader said beside the file; fills what the file does not say, never overrides it. */
export interface Said {
	gpu?: string;
	gpus?: number;
	model?: string;
	engine?: string;
	engineVersion?: string;
	weights?: string;
	kv?: string;
	tp?: number;
	label?: string;
}
