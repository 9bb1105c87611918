import { kvTypeName } from "../conditions.ts";
import { finite, positive, text } from "../fields.ts";
import type { Conditions } from "../record.ts";
import { servedModel } from "../served/served-model.ts";

/** Arguments of an engine that decide speed and have no field of their own in the conditions. */
const DECISIVE = [
	"max_num_seqs",
	"max_num_batched_tokens",
	"block_size",
	"enforce_eager",
	"enable_prefix_caching",
	"enable_chunked_prefill",
	"enable_expert_parallel",
	"async_scheduling",
	"attention_backend",
	"cpu_offload_gb",
	"disable_hybrid_kv_cache_manager",
	"decode_context_parallel_size",
];

/** Defaults that some versions print and others leave out. */
const NEUTRAL = new Set([
	"enforce_eager=false",
	"enable_prefix_caching=true",
	"enable_expert_parallel=false",
	"cpu_offload_gb=0",
	"disable_hybrid_kv_cache_manager=false",
	"decode_context_parallel_size=1",
]);

/** What the arguments of a vLLM engine say about its conditions; only fields that they name are present. */
export function conditionsOfArguments(args: Record<string, unknown>): Partial<Conditions> {
	const { model, weights } = servedModel(text(args.model) ?? text(args.model_tag));
	const kv = kvType(args);
	const tp = positive(args.tensor_parallel_size);
	const pp = positive(args.pipeline_parallel_size);
	const dp = positive(args.data_parallel_size);
	return {
		...named("model", model),
		// The format in the model's name says more than the name of the method that reads it.
		...named("weights", weights ?? text(args.quantization) ?? modelType(args)),
		...(kv === null ? {} : { kvK: kv, kvV: kv }),
		...named("tp", tp),
		...named("pp", pp),
		...named("dp", dp),
		...(tp === null ? {} : { gpus: tp * (pp ?? 1) * (dp ?? 1), gpusBasis: "inferred" as const }),
		flags: decisive(args),
	};
}

/** "bf16" for dtype "torch.bfloat16"; null where the model's own type decides and is not named. */
function modelType({ dtype }: Record<string, unknown>): string | null {
	const name = text(dtype)?.replace("torch.", "") ?? "auto";
	return name === "auto" ? null : kvTypeName(name);
}

/** An "auto" KV cache has the model's own type. */
function kvType(args: Record<string, unknown>): string | null {
	const name = text(args.kv_cache_dtype);
	return name === null || name === "auto" ? modelType(args) : kvTypeName(name);
}

function named<K extends keyof Conditions>(key: K, value: Conditions[K] | null) {
	return value === null ? {} : { [key]: value };
}

function decisive(args: Record<string, unknown>): Conditions["flags"] {
	const flags: Conditions["flags"] = {};
	for (const key of DECISIVE) {
		const value = args[key];
		if (NEUTRAL.has(`${key}=${value}`)) continue;
		if (typeof value === "string") flags[key] = value.replace("torch.", "");
		else if (typeof value === "boolean" || finite(value) !== null) flags[key] = value as boolean | number;
	}
	if (typeof args.speculative_config === "object" && args.speculative_config !== null) {
		flags.speculative_decoding = true;
	}
	return flags;
}
