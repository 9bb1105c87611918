import { BLOCK_BYTES_PER_32, type KvType } from "./facts.ts";

const OTHER_NAMES: Record<string, KvType> = {
	fp32: "f32",
	float32: "f32",
	float: "f32",
	fp16: "f16",
	float16: "f16",
	half: "f16",
	bfloat16: "bf16",
	float8: "fp8",
	fp8_e4m3: "fp8",
	fp8_e5m2: "fp8",
	fp8_e4m3fn: "fp8",
	float8_e4m3fn: "fp8",
	float8_e5m2: "fp8",
	e4m3: "fp8",
	q8: "q8_0",
	q4: "q4_0",
};

/** The cache type a name stands for ("fp8_e4m3" → fp8); null for "auto" and for names nobody knows. */
export function kvTypeOf(name: string | null | undefined): KvType | null {
	const plain = name?.trim().toLowerCase() ?? "";
	if (Object.hasOwn(BLOCK_BYTES_PER_32, plain)) return plain as KvType;
	return Object.hasOwn(OTHER_NAMES, plain) ? (OTHER_NAMES[plain] ?? null) : null;
}

/** Bytes of one cached element: block bytes / 32, e.g. q8_0 34/32 = 1.0625. */
export const elementBytes = (type: KvType): number => BLOCK_BYTES_PER_32[type] / 32;

/**
 * The cache type that an engine setting means; "auto" is the model's own type, whatever its weights are quantised to.
 * @param setting e.g. vLLM's kv_cache_dtype
 * @param modelType the model's torch_dtype
 */
export const kvTypeInUse = (
	setting: string | null | undefined,
	modelType: string | null | undefined,
): KvType => kvTypeOf(setting) ?? kvTypeOf(modelType) ?? "bf16";
