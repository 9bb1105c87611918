import type { GpuFacts, KvType, ModelFacts, PinnedMemory } from "../memory/facts.ts";
import type { GpuPrice } from "../money/price.ts";
import type { ConfigurationFits } from "../time/curves.ts";
import type { FailurePoint } from "../time/points.ts";
import type { EffectiveLength } from "../trust/effective-length.ts";

/** A what-if question. null: not asked for; the plan takes its default and says which in `assumed`. */
export interface Scenario {
	configuration: string | null;
	model: string | null;
	gpu: string | null;
	engine: string | null;
	gpus: number | null;
	tp: number | null;
	weights: string | null;
	kvK: KvType | null;
	kvV: KvType | null;
	/** "What if the model had this many KV heads": GQA → MHA and back. */
	kvHeads: number | null;
	/** Prompt tokens. */
	context: number;
	/** Output tokens. */
	output: number;
	/** Requests in flight; with `rate` null. */
	concurrency: number | null;
	/** Offered requests per second; with `concurrency` null. */
	rate: number | null;
	/** Share of the prompt that a prefix cache holds already, 0…1. */
	cached: number;
	/** Share of the card that the engine may use, 0…1. */
	utilisation: number | null;
	/** Sequences that one engine runs at most, as it is started. */
	maxSequences: number | null;
	/** USD per GPU-hour. */
	price: number | null;
	/** Share of the paid hours in which this load really runs, 0…1: idle capacity is charged. */
	busy: number;
	ttftSlo: number | null;
	tpotSlo: number | null;
	/** Figures that win over derived ones (bytes per GPU). */
	weightsBytes: number | null;
	/** Memory of one card. */
	totalBytes: number | null;
	overheadBytes: number | null;
}

/** What is known of the configuration asked about: all that plan() reads. JSON, the same on server and page. */
export interface PlanFacts {
	configuration: ConfigurationFacts | null;
	model: ModelFacts | null;
	gpu: GpuFacts | null;
	fits: ConfigurationFits;
	failures: FailurePoint[];
	pinned: PinnedMemory | null;
	/** Prices of this GPU, newest first. */
	prices: GpuPrice[];
	/** The newest runs behind the fit of each phase, a few of each; left out where nothing is measured. */
	runs?: FittedRun[];
	/** How far the model uses its window, by task; left out where nothing is known of it. */
	effectiveLengths?: EffectiveLength[];
}

/** A run whose measurements a fit read. */
export interface FittedRun {
	phase: "prefill" | "decode" | "serve";
	id: string;
	/** Its label, else its file's name, else its format. */
	label: string;
}

/** The key that measurements are grouped by, as a person reads it. */
export interface ConfigurationFacts {
	id: string;
	label: string;
	gpuName: string | null;
	gpuId: string | null;
	gpus: number | null;
	engine: string | null;
	engineVersion: string | null;
	modelName: string | null;
	modelId: string | null;
	weights: string | null;
	/** Bytes of the weights as the tool printed them, over all GPUs; null: not printed. */
	weightsBytesTotal: number | null;
	kvK: string | null;
	kvV: string | null;
	tp: number | null;
	/** Pipeline stages, where the source says. */
	pp?: number | null;
	flags: Record<string, unknown>;
	/** "own": posted by the user; "example": our own runs; "published": re-entered from a publication. */
	origin: "own" | "example" | "published";
	/** For published ones: "published by …, not measured by you". */
	attribution: string | null;
}
