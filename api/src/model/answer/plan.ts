import type { MemoryAnswer } from "../memory/answer.ts";
import type { GpuFacts, KvType, ModelFacts, PinnedMemory } from "../memory/facts.ts";
import { stackOf } from "../memory/stack.ts";
import type { GpuPrice } from "../money/price.ts";
import type { ConfigurationFits } from "../time/curves.ts";
import type { FailurePoint } from "../time/points.ts";
import type { Quantity } from "../trust/quantity.ts";
import type { Wording } from "../trust/statement.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { costsOf } from "./costs.ts";
import { type LoadPoint, outlookOf, timingOf } from "./outlook.ts";
import { throughputOf } from "./throughput.ts";
import { timesOf } from "./times.ts";
import { verdictOf } from "./verdict.ts";

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
	/** USD per GPU-hour. */
	price: number | null;
	/** Share of the paid hours in which this load really runs, 0…1: idle capacity is charged. */
	busy: number;
	ttftSlo: number | null;
	tpotSlo: number | null;
	/** Figures that win over derived ones (bytes per GPU). */
	weightsBytes: number | null;
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

export type Binding = "memory" | "ttft" | "tpot" | "throughput" | null;

export interface Plan {
	/** The scenario with every default filled in. */
	scenario: Scenario;
	/** Keys of the scenario that were defaults, with the words for why. */
	assumed: { key: keyof Scenario; reason: string }[];
	memory: MemoryAnswer;
	ttft: Quantity;
	tpot: Quantity;
	e2e: Quantity;
	load: {
		outputTokensPerSecond: Quantity;
		requestsPerSecond: Quantity;
		/** Share of the engine's time that this load takes, 0…1. */
		utilisation: Quantity;
		saturationConcurrency: Quantity;
	};
	cost: {
		usdPerMillionInputTokens: Quantity;
		usdPerMillionOutputTokens: Quantity;
		usdPerRequest: Quantity;
		usdPerMonth: Quantity;
	};
	/** `decided` false: a limit could not be checked because something is not known; the reasons say what. */
	verdict: { feasible: boolean; decided: boolean; binding: Binding; reasons: string[] };
}

/**
 * The whole what-if answer: memory, time and money of a load on a configuration, and whether it can be carried.
 * @param scenario what is asked; what it leaves out takes its default, and the answer says which
 * @param facts what is known of the configuration, or of a model and a GPU
 * @param wording `{arithmetic: false}` leaves the words out, for bulk
 * @returns quantities with evidence; what is not known is null and says what is missing
 */
export function plan(scenario: Scenario, facts: PlanFacts, wording: Wording = {}): Plan {
	const outlook = outlookOf(scenario, facts);
	const { resolved } = outlook;
	const at = loadPointOf(resolved.scenario);
	const timing = timingOf(outlook, at);
	const batch = at.concurrency ?? Math.max(1, Math.ceil((timing?.load.running ?? 1) * resolved.asked.copies));
	return {
		scenario: resolved.scenario,
		assumed: resolved.assumed,
		memory: stackOf({ ...outlook.memory, batch }, outlook.memoryInput, wording),
		...timesOf(outlook, at, timing, wording),
		load: throughputOf(outlook, at, timing, wording),
		cost: costsOf(outlook, at, timing, wording),
		verdict: verdictOf(outlook, at, timing),
	};
}

const loadPointOf = ({ context, output, cached, concurrency, rate }: Scenario): LoadPoint => ({
	context,
	output,
	cached,
	concurrency,
	rate,
});

/** A first question about a configuration: inside what was measured, and everything else left to its default. */
export function defaultScenario(facts: PlanFacts): Scenario {
	const { configuration, fits, model, gpu } = facts;
	const base: Scenario = {
		...BLANK_SCENARIO,
		configuration: configuration?.id ?? null,
		model: configuration ? null : (model?.id ?? null),
		gpu: configuration ? null : (gpu?.id ?? null),
	};
	// Clients' measurements alone speak of the requests that they sent.
	if (fits.serve && (!fits.prefill || !fits.decode)) {
		const { input, output, concurrency } = fits.serve.range;
		const inFlight = Math.max(1, Math.round(Math.min(concurrency[1], Math.max(concurrency[0], 8))));
		return { ...base, context: Math.round(input[1]), output: Math.round(output[1]), concurrency: inFlight };
	}
	const limit = (model?.maxContextTokens ?? Number.POSITIVE_INFINITY) - base.output;
	const longest = Math.min(base.context, fits.prefill?.range.to ?? Number.POSITIVE_INFINITY, limit);
	const batch = fits.decode?.range.batch[1] ?? Number.POSITIVE_INFINITY;
	return {
		...base,
		context: Math.max(1, Math.floor(longest)),
		concurrency: Math.max(1, Math.min(BLANK_SCENARIO.concurrency ?? 1, Math.floor(batch))),
	};
}
