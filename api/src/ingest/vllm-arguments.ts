import { count, finite, text } from "./fields.ts";
import type { Conditions } from "./record.ts";
import { servedModel, weightsInName } from "./served-model.ts";

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

const SHORT_TYPES: Record<string, string> = {
	bfloat16: "bf16",
	float16: "f16",
	half: "f16",
	float32: "f32",
	float: "f32",
};

/** What the arguments of a vLLM engine say about its conditions; only fields that they name are present. */
export function conditionsOfArguments(args: Record<string, unknown>): Partial<Conditions> {
	const model = text(args.model) ?? text(args.model_tag);
	const kv = kvType(args);
	const [tp, pp, dp] = [
		count(args.tensor_parallel_size),
		count(args.pipeline_parallel_size),
		count(args.data_parallel_size),
	];
	return {
		...named("model", model === null ? null : servedModel(model)),
		...named("weights", weightsOf(model, args)),
		...(kv === null ? {} : { kvK: kv, kvV: kv }),
		...named("tp", tp),
		...named("pp", pp),
		...named("dp", dp),
		...(tp === null ? {} : { gpus: tp * (pp ?? 1) * (dp ?? 1), gpusBasis: "inferred" as const }),
		flags: decisive(args),
	};
}

/** The format in the model's name, else the quantisation that was asked for, else the type of the model. */
function weightsOf(model: string | null, args: Record<string, unknown>): string | null {
	return (model === null ? null : weightsInName(model)) ?? text(args.quantization) ?? modelType(args);
}

/** "bf16" for dtype "torch.bfloat16"; null where the model's own type decides and is not named. */
function modelType({ dtype }: Record<string, unknown>): string | null {
	return SHORT_TYPES[text(dtype)?.replace("torch.", "") ?? ""] ?? null;
}

/** An "auto" KV cache has the model's own type. */
function kvType(args: Record<string, unknown>): string | null {
	const name = text(args.kv_cache_dtype);
	if (name === null || name === "auto") return modelType(args);
	return name.startsWith("fp8") ? "fp8" : (SHORT_TYPES[name] ?? name);
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
