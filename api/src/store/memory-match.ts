import type { Conditions } from "../ingest/index.ts";
import { elementBytes, kvTypeOf, weightFormatOf } from "../model/index.ts";
import { GPU } from "./pinned-memory.ts";

/** What an engine was started as, with what the catalogs call its GPU and its model. */
export interface MemorySetup {
	conditions: Conditions;
	gpuId: string | null;
	modelId: string | null;
}

/** How far a memory fact speaks of a configuration. */
export interface MemoryMatch {
	/** Conditions that decide memory and that one of the two does not say, so that they could not be compared. */
	unknown: string[];
}

/**
 * Whether the memory figures of one start speak of a configuration: model and engine are known to be the same, and
 * nothing else that decides memory is known to differ. What one of them does not say is allowed, and named.
 * @returns null where it speaks of something else
 */
export function matchMemory(fact: MemorySetup, asked: MemorySetup): MemoryMatch | null {
	const differing = memoryDifferences(fact, asked);
	if (differing === null || differing.length > 0) return null;
	const silent = DECIDING.filter(({ of }) => of(fact) === null || of(asked) === null);
	return { unknown: silent.flatMap(({ name, spoken }) => (spoken ? [name] : [])) };
}

/** What decides memory and is known to differ between a start and a configuration; null: of another model or engine. */
export function memoryDifferences(fact: MemorySetup, asked: MemorySetup): string[] | null {
	if (!sameModel(fact, asked) || !sameEngine(fact.conditions, asked.conditions)) return null;
	const differing = DECIDING.filter(({ of, same }) => {
		const [a, b] = [of(fact), of(asked)];
		return a !== null && b !== null && !same(a, b);
	});
	return [...differing.map(({ name }) => name), ...differingFlags(fact.conditions, asked.conditions)];
}

const plain = (text: string | null) => text?.trim().toLowerCase().replace(/\s+/g, " ") ?? null;
const file = (name: string | null) =>
	plain(name)
		?.split("/")
		.at(-1)
		?.replace(/\.gguf$/, "") ?? null;

function sameModel(a: MemorySetup, b: MemorySetup): boolean {
	if (a.modelId !== null && b.modelId !== null) return a.modelId === b.modelId;
	const [name, other] = [file(a.conditions.model), file(b.conditions.model)];
	return name !== null && name === other;
}

const sameEngine = (a: Conditions, b: Conditions) => a.engine !== null && plain(a.engine) === plain(b.engine);

interface Deciding {
	/** How it is named to a reader. */
	name: string;
	/** Whether it is worth a word where it is not said. */
	spoken: boolean;
	of: (setup: MemorySetup) => string | null;
	same: (a: string, b: string) => boolean;
}

const equal = (a: string, b: string) => a === b;
const written = (value: number | null) => (value === null ? null : String(value));
const condition = (
	name: string,
	of: (conditions: Conditions) => string | null,
	same = equal,
	spoken = true,
): Deciding => ({ name, spoken, of: ({ conditions }) => of(conditions), same });
/** A condition whose absence is the rule. */
const unspoken = (name: string, of: (conditions: Conditions) => string | null, same = equal): Deciding =>
	condition(name, of, same, false);

/** What decides how much memory weights, cache and scratch take on one GPU. */
const DECIDING: Deciding[] = [
	{ name: GPU, spoken: true, of: gpuOf, same: equal },
	condition("number of GPUs that share the weights", ranksOf),
	condition("engine version", ({ engineVersion }) => versionOf(engineVersion)),
	condition("weight format", ({ weights }) => plain(weights), sameFormat),
	condition("cache type", ({ kvK }) => plain(kvK), sameBytes),
	unspoken("cache type of values", ({ kvV }) => plain(kvV), sameBytes),
	unspoken("pipeline stages", ({ pp }) => written(pp)),
	unspoken("data-parallel copies", ({ dp }) => written(dp)),
	unspoken("expert-parallel GPUs", ({ ep }) => written(ep)),
];

function gpuOf({ gpuId, conditions }: MemorySetup): string | null {
	return (
		gpuId ??
		plain(conditions.gpu)
			?.replace(/\b(nvidia|geforce|amd|radeon)\b/g, "")
			.trim() ??
		null
	);
}

/** Copies of a model beside one another change nothing on a GPU: its tensor-parallel ranks count. */
function ranksOf({ tp, gpus }: Conditions): string | null {
	return written(tp ?? gpus);
}

/** "v0.10.0+cu128" is 0.10.0, "b6040 66625a59" is b6040. */
function versionOf(version: string | null): string | null {
	const name =
		plain(version)
			?.replace(/^v(?=\d)/, "")
			.replace(/\+(cu|rocm)\d+$/, "") ?? null;
	return name?.match(/^b\d+(?= )/)?.[0] ?? name;
}

/** Formats of equal names, or of the same recipe by another name: "float16" and "f16". */
function sameFormat(a: string, b: string): boolean {
	const [format, other] = [weightFormatOf(a), weightFormatOf(b)];
	return a === b || (format !== null && format === other);
}

/** Cache types of equal bytes: float16 takes what bfloat16 takes. */
function sameBytes(a: string, b: string): boolean {
	const [type, other] = [kvTypeOf(a), kvTypeOf(b)];
	return a === b || (type !== null && other !== null && elementBytes(type) === elementBytes(other));
}

/** Settings, as engines name them, that move memory between weights, cache and scratch. */
const MEMORY_FLAGS = [
	...["gpu_memory_utilization", "mem_fraction_static", "kv_cache_memory_bytes", "cpu_offload_gb"],
	...["max_num_seqs", "max_num_batched_tokens", "max_model_len", "block_size", "enforce_eager"],
	...["enable_expert_parallel", "disable_hybrid_kv_cache_manager", "decode_context_parallel_size"],
	...["n_gpu_layers", "n_cpu_moe", "tensor_buft_overrides", "tensor_split", "split_mode", "main_gpu"],
	...["no_kv_offload", "swa_full", "n_ubatch", "flash_attn"],
];

function differingFlags({ flags: a }: Conditions, { flags: b }: Conditions): string[] {
	return MEMORY_FLAGS.filter((name) => {
		const [one, other] = [a[name] ?? null, b[name] ?? null];
		return one !== null && other !== null && String(one) !== String(other);
	});
}
