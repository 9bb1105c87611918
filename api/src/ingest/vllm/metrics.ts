import type { PinnedMemory } from "../../model/memory/facts.ts";
import type { Family } from "../family.ts";
import { emptyConditions, positive, truth } from "../fields.ts";
import { pinnedMemory } from "../pinned.ts";
import type { Conditions, Item } from "../record.ts";
import { servedModel } from "../served/served-model.ts";
import { prometheusSamples } from "../text/prometheus.ts";
import { conditionsOfArguments } from "./arguments.ts";

/** What one engine of a /metrics page says about itself. */
interface EngineState {
	model: string | null;
	config: Record<string, string> | null;
	/** Sums and counts since the server started, without "_total". */
	sums: Map<string, number>;
}

/**
 * The /metrics page of a vLLM server. Its KV cache pins memory; its counters are sums since the server
 * started, over whatever ran and the warm-up, and so no point at one load.
 */
export const vllmMetrics: Family = {
	name: "vllm metrics",
	detect: ({ text }) => /^(?:# HELP )?vllm:\w+/m.test(text),
	document: function* (body) {
		for (const [engine, state] of enginesOf(body)) yield* engineItems(engine, state);
	},
};

function enginesOf(body: string): Map<string, EngineState> {
	const engines = new Map<string, EngineState>();
	for (const { name, labels, value } of prometheusSamples(body)) {
		if (!name.startsWith("vllm:") || name.endsWith("_bucket") || name.endsWith("_created")) continue;
		const engine = labels.engine ?? "0";
		const state = engines.get(engine) ?? { model: null, config: null, sums: new Map() };
		engines.set(engine, state);
		state.model ??= labels.model_name ?? null;
		if (name === "vllm:cache_config_info") state.config = labels;
		else addTo(state.sums, name.slice("vllm:".length).replace(/_total$/, ""), value);
	}
	return engines;
}

/** Series that differ only in a reason or a source are one figure here. */
function addTo(sums: Map<string, number>, key: string, value: number): void {
	sums.set(key, (sums.get(key) ?? 0) + value);
}

function* engineItems(engine: string, state: EngineState): Generator<Item> {
	const at = `engine ${engine}`;
	if (state.config !== null) yield* cacheConfigItems(at, state.model, state.config);
	yield { kind: "aside", at: `${at}, counters`, reason: sinceStart(state.sums) };
}

/** The KV pool as the labels of cache_config_info describe it. */
export function* cacheConfigItems(
	at: string,
	model: string | null,
	config: Record<string, string>,
): Generator<Item> {
	const memory = memoryOf(config);
	if (memory.kvTokens === null && memory.kvPoolBytes === null) return;
	yield { kind: "memory", at, conditions: conditionsOf(model, config), memory };
}

function conditionsOf(model: string | null, config: Record<string, string>): Conditions {
	const named = model === null ? {} : servedModel(model);
	const prefix = truth(config.enable_prefix_caching);
	const given = conditionsOfArguments({
		kv_cache_dtype: config.cache_dtype,
		...(prefix === null ? {} : { enable_prefix_caching: prefix }),
	});
	return { ...emptyConditions("vllm"), ...given, ...named };
}

function memoryOf(config: Record<string, string>): Omit<PinnedMemory, "sources"> {
	const blocks = positive(config.num_gpu_blocks);
	const size = positive(config.block_size);
	return pinnedMemory({
		kvPoolBytes: positive(config.kv_cache_memory_bytes),
		kvTokens:
			positive(config.kv_cache_size_tokens) ?? (blocks !== null && size !== null ? blocks * size : null),
	});
}

/** The counters in a sentence: what they hold, and why they are no point. */
function sinceStart(sums: ReadonlyMap<string, number>): string {
	const means = [
		meanOf(sums, "TTFT", "time_to_first_token_seconds"),
		meanOf(
			sums,
			"time per output token",
			"request_time_per_output_token_seconds",
			"time_per_output_token_seconds",
		),
		meanOf(sums, "end-to-end", "e2e_request_latency_seconds"),
		meanOf(sums, "queue", "request_queue_time_seconds"),
	].filter((text) => text !== null);
	const requests = sums.get("request_success") ?? sums.get("e2e_request_latency_seconds_count") ?? 0;
	return (
		`sums since the server started, over ${requests} requests of whatever ran and the warm-up, are no point at ` +
		`one load${means.length === 0 ? "" : ` (means: ${means.join(", ")})`}`
	);
}

function meanOf(sums: ReadonlyMap<string, number>, label: string, ...names: string[]): string | null {
	for (const name of names) {
		const [sum, count] = [sums.get(`${name}_sum`), sums.get(`${name}_count`)];
		if (sum !== undefined && count !== undefined && count > 0) {
			return `${label} ${Number((sum / count).toPrecision(4))} s`;
		}
	}
	return null;
}
