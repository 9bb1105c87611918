import { kvBytesPerToken } from "../memory/attention.ts";
import { isLlamaCpp, VLLM_UTILISATION } from "../memory/defaults.ts";
import type { KvType, ModelFacts } from "../memory/facts.ts";
import { type Layout, layoutOf, type MemoryInput } from "../memory/input.ts";
import { kvTypeOf } from "../memory/kv-type.ts";
import { count, figure } from "../trust/figures.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import type { PlanFacts, Scenario } from "./question.ts";

/** What an engine serves with: everything of a configuration that the model's laws depend on. */
export interface Setup extends Layout {
	/** GPUs that one engine spans: what was measured as one. */
	unit: number;
	/** Engines that serve side by side: gpus / unit. */
	copies: number;
	weights: string | null;
	kvK: KvType | null;
	kvV: KvType | null;
	/** Number of KV heads where it differs from the model's own. */
	kvHeads: number | null;
}

export interface Resolved {
	/** The scenario as it was asked. */
	said: Scenario;
	/** The scenario with every default filled in that has one. */
	scenario: Scenario;
	assumed: { key: keyof Scenario; reason: string }[];
	engine: string | null;
	/** The setup that was measured; null where nothing is. */
	measured: Setup | null;
	asked: Setup;
}

/** MLPerf Inference, server scenario of Llama-2-70B: 99 % of requests within these. */
const DEFAULT_TTFT_SLO = 2;
const DEFAULT_TPOT_SLO = 0.2;

/** Fills in what the scenario leaves out, first from the configuration, then with stated defaults. */
export function resolve(scenario: Scenario, facts: PlanFacts): Resolved {
	const { configuration, model } = facts;
	const assumed: Resolved["assumed"] = [];
	const assume = <T>(key: keyof Scenario, value: T, reason: string): T => {
		assumed.push({ key, reason });
		return value;
	};
	const engine =
		scenario.engine ??
		configuration?.engine ??
		assume("engine", null, "engine not said: memory as vLLM lays it out");
	const measured = configuration ? measuredSetup(facts) : null;
	const asked = askedSetup(scenario, facts, measured, engine);
	if (!scenario.weights && !asked.weights) assume("weights", null, "weight format not said: bf16");
	if (asked.kvHeads !== null && model) assume("kvHeads", null, otherHeads(asked.kvHeads, model));
	if (!asked.kvK) assume("kvK", null, "cache type not said: 16-bit");
	const filled: Scenario = {
		...scenario,
		configuration: configuration?.id ?? scenario.configuration,
		model: model?.id ?? configuration?.modelId ?? configuration?.modelName ?? scenario.model,
		gpu: facts.gpu?.id ?? configuration?.gpuId ?? configuration?.gpuName ?? scenario.gpu,
		engine,
		gpus: asked.gpus,
		tp: asked.tp,
		weights: asked.weights ?? "bf16",
		kvK: asked.kvK ?? "bf16",
		kvV: asked.kvV ?? "bf16",
		kvHeads: scenario.kvHeads ?? model?.kvHeads ?? null,
		utilisation:
			scenario.utilisation ??
			shareOf(configuration?.flags) ??
			facts.pinned?.utilisation ??
			assume(
				"utilisation",
				isLlamaCpp(engine) ? 1 : VLLM_UTILISATION,
				"share of the card: the engine's default",
			),
		maxSequences: scenario.maxSequences ?? slotLimit(configuration?.flags),
		ttftSlo:
			scenario.ttftSlo ??
			assume("ttftSlo", DEFAULT_TTFT_SLO, "2 s to the first token: MLPerf's limit for serving Llama-2-70B"),
		tpotSlo:
			scenario.tpotSlo ??
			assume("tpotSlo", DEFAULT_TPOT_SLO, "0.2 s per token: MLPerf's limit for serving Llama-2-70B"),
		concurrency:
			scenario.concurrency ??
			(scenario.rate === null ? assume("concurrency", BLANK_SCENARIO.concurrency, "load not said") : null),
	};
	if (asked.gpus !== scenario.gpus && !configuration)
		assume("gpus", null, `number of GPUs not said: ${asked.gpus}`);
	return { said: scenario, scenario: filled, assumed, engine, measured, asked };
}

/** A model with other KV heads is another model: what a plan takes over from the one that exists. */
function otherHeads(heads: number, model: ModelFacts): string {
	const { name, kvHeads, hidden, layers, headDimK, headDimV, mla } = model;
	const more = hidden === null || mla ? 0 : layers * hidden * (heads - kvHeads) * (headDimK + headDimV);
	const parameters = more > 0 ? `, which would have ${figure(more / 1e9, 2)} billion parameters more` : "";
	return `${count(heads)} KV heads: weights and their time as of ${name} with its ${count(kvHeads)}${parameters}`;
}

export const numeric = (value: unknown): number | null => {
	const number = typeof value === "string" ? Number(value) : value;
	return typeof number === "number" && Number.isFinite(number) && number > 0 ? number : null;
};

export const flag = (flags: Record<string, unknown> | undefined, ...names: string[]): unknown =>
	names.map((name) => flags?.[name]).find((value) => value !== undefined && value !== null);

/** The share of the card that the configuration was started with. */
const shareOf = (flags: Record<string, unknown> | undefined): number | null => {
	const share = numeric(
		flag(flags, "gpu_memory_utilization", "gpu-memory-utilization", "mem_fraction_static"),
	);
	return share !== null && share <= 1 ? share : null;
};

/** The most sequences that the configuration was started for; null where its flags do not say. */
export const slotLimit = (flags: Record<string, unknown> | undefined): number | null =>
	numeric(flag(flags, "max_num_seqs", "max-num-seqs", "n_parallel", "parallel", "max_running_requests"));

function measuredSetup({ configuration, pinned }: PlanFacts): Setup {
	const { gpus = null, tp = null, engine = null, kvK, kvV, weights = null, flags, pp } = configuration ?? {};
	const layout = layoutOf({
		gpus,
		tp,
		engine,
		stages: pp ?? numeric(flag(flags, "pipeline_parallel_size", "pp")),
		contextRanks: numeric(flag(flags, "contextParallel", "context_parallel_size", "cp")),
	});
	return {
		...layout,
		unit: layout.gpus,
		copies: 1,
		weights,
		// A start-up log of the same setup says what a client's result does not.
		kvK: kvTypeOf(kvK) ?? kvTypeOf(kvV) ?? pinned?.kvK ?? null,
		kvV: kvTypeOf(kvV) ?? kvTypeOf(kvK) ?? pinned?.kvV ?? null,
		kvHeads: null,
	};
}

function askedSetup(
	scenario: Scenario,
	{ model }: PlanFacts,
	measured: Setup | null,
	engine: string | null,
): Setup {
	const layout = askedLayout(scenario, measured, engine, model);
	const whole = measured !== null && scenario.tp === null && layout.gpus >= measured.unit;
	const unit = whole ? measured.unit : layout.tp * layout.stages;
	return {
		...layout,
		unit,
		copies: Math.max(1, Math.floor(layout.gpus / unit)),
		weights: scenario.weights ?? measured?.weights ?? null,
		kvK: scenario.kvK ?? measured?.kvK ?? null,
		kvV: scenario.kvV ?? measured?.kvV ?? null,
		kvHeads: scenario.kvHeads !== null && scenario.kvHeads !== model?.kvHeads ? scenario.kvHeads : null,
	};
}

/** A change of the GPU count keeps the engine that was measured and adds or takes away copies of it. */
function askedLayout(
	scenario: Scenario,
	measured: Setup | null,
	engine: string | null,
	model: ModelFacts | null,
): Layout {
	const gpus = scenario.gpus ?? Math.max(measured?.gpus ?? 1, scenario.tp ?? 1);
	if (measured === null || scenario.tp !== null) return layoutOf({ gpus, tp: scenario.tp, engine, model });
	const tp = Math.min(measured.tp, gpus);
	const stages = Math.max(1, Math.min(measured.stages, Math.floor(gpus / tp)));
	const contextRanks = Math.max(1, Math.min(measured.contextRanks, Math.floor(gpus / (tp * stages))));
	return layoutOf({ gpus, tp, stages, contextRanks, engine });
}

/** Whether heads, layers, tokens and weights lie on the GPUs as they were measured; copies do not matter to one engine. */
export const sameEngine = (a: Setup, b: Setup): boolean =>
	a.unit === b.unit &&
	a.tp === b.tp &&
	a.stages === b.stages &&
	a.contextRanks === b.contextRanks &&
	(a.weights ?? "bf16") === (b.weights ?? "bf16");

/** Whether a token takes the same bytes in the cache; what is not said is 16-bit. */
export const sameCache = (a: Setup, b: Setup): boolean =>
	(a.kvK ?? "bf16") === (b.kvK ?? "bf16") &&
	(a.kvV ?? "bf16") === (b.kvV ?? "bf16") &&
	a.kvHeads === b.kvHeads;

/** The question to the memory stack that a scenario asks, for `batch` sequences of prompt and output. */
export function memoryInputOf(
	{ said: scenario, asked, measured, engine }: Resolved,
	facts: PlanFacts,
): MemoryInput {
	const { configuration, model, gpu } = facts;
	const same = measured === null || sameEngine(measured, asked);
	const sameWeights = measured !== null && (measured.weights ?? "bf16") === (asked.weights ?? "bf16");
	const flags = configuration?.flags;
	const pinned = same ? pinnedFor(facts, measured) : null;
	return {
		model,
		gpu,
		engine,
		pinned,
		gpus: asked.gpus,
		tp: asked.tp,
		stages: asked.stages,
		contextRanks: asked.contextRanks,
		weights: asked.weights,
		weightsBytes: scenario.weightsBytes,
		weightsBytesTotal: sameWeights ? (configuration?.weightsBytesTotal ?? null) : null,
		kvK: asked.kvK,
		kvV: asked.kvV,
		kvHeads: asked.kvHeads,
		context: scenario.context + scenario.output,
		batch: 1,
		utilisation:
			scenario.utilisation ?? (pinned?.kvPoolBytes ? null : (shareOf(flags) ?? pinned?.utilisation ?? null)),
		overheadBytes: scenario.overheadBytes,
		totalBytes: scenario.totalBytes,
		blockTokens: null,
		statePagesPerGroup: scenario.cached > 0 ? 2 : 1,
		windowsHonoured: windowsOf(flags),
	};
}

/** llama.cpp's full cache for sliding layers and vLLM's switched-off hybrid manager keep every token. */
function windowsOf(flags: Record<string, unknown> | undefined): boolean | null {
	const whole = flag(flags, "swa_full", "disable_hybrid_kv_cache_manager");
	return whole === true || whole === 1 ? false : null;
}

/**
 * Pinned figures with the pool in bytes, worked out with the cache types it was measured with.
 * The engine counts the blocks of its smallest rank, so that the tokens it printed are the tighter of the two lines.
 */
function pinnedFor({ pinned, model }: PlanFacts, measured: Setup | null): PlanFacts["pinned"] {
	if (!pinned?.kvTokens || !model || !measured) return pinned;
	// Windows and states take a part of the pool that no rate per token tells.
	if (model.slidingLayers > 0 || model.recurrentLayers > 0) return pinned;
	const { kvK, kvV, tp, stages, contextRanks } = measured;
	const perToken = kvBytesPerToken(model, {
		kvK: kvK ?? "bf16",
		kvV: kvV ?? "bf16",
		tp,
		stages,
		contextRanks,
	});
	const byTokens = pinned.kvTokens * perToken;
	return { ...pinned, kvPoolBytes: Math.min(byTokens, pinned.kvPoolBytes ?? byTokens) };
}
