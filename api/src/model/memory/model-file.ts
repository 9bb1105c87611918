import type { Quantity } from "../trust/quantity.ts";
import { geometryFromConfig, slugOf } from "./config.ts";
import { type Decision, isObject } from "./config-reader.ts";
import type { KvType, ModelFacts } from "./facts.ts";
import { geometryFromGguf, ggufName } from "./gguf.ts";
import type { GgufTensor } from "./gguf-tensors.ts";
import { memoryStack } from "./stack.ts";

/** What a file says of a model, whichever kind it is. */
export interface ModelReading {
	kind: "config.json" | "GGUF header";
	facts: ModelFacts;
	decidedBy: Decision[];
	/** Whether the file names the model; without it `facts.name` is only its family. */
	named: boolean;
	/** Weight format that the file says its weights have: "bf16", "q4_k_m"; null: not said. */
	weights: string | null;
	/** Bytes of all weights where the file tells them exactly. */
	weightsBytes: number | null;
}

/** Name and id that a person gave in place of the file's own. */
export interface Named {
	name?: string | undefined;
	id?: string | undefined;
}

/** Header of a GGUF file as JSON: its key–values alone, or under `metadata` with the tensor infos beside them. */
const ggufOf = (file: Record<string, unknown>): Record<string, unknown> | null =>
	[file.metadata, file].filter(isObject).find((part) => "general.architecture" in part) ?? null;

/** Keys of which every config.json of a language model has one, if only in a nested section. */
const CONFIG_KEYS =
	/^(model_type|architectures|num_hidden_layers|n_layers?|num_layers|(text|llm|language|thinker)_config|language_model)$/;

/** Whether a JSON object is a config.json or the header of a GGUF file. */
export const isModelFile = (file: unknown): file is Record<string, unknown> =>
	isObject(file) && (ggufOf(file) !== null || Object.keys(file).some((key) => CONFIG_KEYS.test(key)));

/**
 * Reads a config.json, or the header of a GGUF file as JSON.
 * @param file the parsed config.json; or the header's key–values; or `{metadata, tensorInfos: [{name, shape, dtype}]}`
 * @param said name and id that win over the file's own
 * @throws RangeError naming what is missing or impossible
 */
export function readModelFile(file: unknown, said: Named = {}): ModelReading {
	if (!isObject(file)) throw new RangeError("file: expected a JSON object");
	const reading = ggufOf(file) ? readGguf(file) : readConfig(file);
	const name = said.name ?? reading.facts.name;
	const id = said.id ?? slugOf(name);
	return {
		...reading,
		named: reading.named || said.name !== undefined,
		facts: { ...reading.facts, name, id },
	};
}

function readGguf(file: Record<string, unknown>): ModelReading {
	const metadata = ggufOf(file) ?? {};
	const reading = geometryFromGguf(metadata, tensorsOf(file.tensorInfos));
	const { facts, decidedBy, weights, weightsBytes } = reading;
	return {
		kind: "GGUF header",
		facts,
		decidedBy,
		named: ggufName({ config: metadata }) !== null,
		weights,
		weightsBytes,
	};
}

/** @throws RangeError for what is no list of tensor infos */
function tensorsOf(infos: unknown): GgufTensor[] | null {
	if (infos === undefined || infos === null) return null;
	if (Array.isArray(infos) && infos.every(isTensor)) return infos;
	throw new RangeError("tensorInfos: expected a list of {name, shape: [elements], dtype: number}");
}

const isTensor = (info: unknown): info is GgufTensor =>
	isObject(info) &&
	typeof info.name === "string" &&
	typeof info.dtype === "number" &&
	Array.isArray(info.shape) &&
	info.shape.every((n) => typeof n === "number" && Number.isSafeInteger(n) && n >= 0);

function readConfig(file: Record<string, unknown>): ModelReading {
	const { facts, decidedBy } = geometryFromConfig(file);
	const named = [file._name_or_path, file.name].some(
		(name) => typeof name === "string" && name.trim() !== "",
	);
	const weights = configWeights(file);
	const decided = weights ? [...decidedBy, { field: "weights", from: weights.from }] : decidedBy;
	return {
		kind: "config.json",
		facts,
		decidedBy: decided,
		named,
		weights: weights?.format ?? null,
		weightsBytes: null,
	};
}

/** How the checkpoint stores its weights: its quantisation, else its float type. */
function configWeights(file: Record<string, unknown>): { format: string; from: string } | null {
	const section = [file.text_config, file.llm_config].find(isObject) ?? {};
	const quantised = file.quantization_config ?? section.quantization_config;
	if (isObject(quantised)) {
		const { quant_method: method, bits, weight_bits: weightBits } = quantised;
		const width = bits ?? weightBits;
		const format = typeof width === "number" ? `int${width}` : String(method ?? "");
		if (format) return { format, from: `quantization_config ${[method, width].filter(Boolean).join(", ")}` };
	}
	const dtype = file.dtype ?? file.torch_dtype ?? section.dtype ?? section.torch_dtype;
	const plain = FLOATS[String(dtype)];
	return plain ? { format: plain, from: `dtype = ${dtype}` } : null;
}

const FLOATS: Readonly<Record<string, string>> = { bfloat16: "bf16", float16: "f16", float32: "f32" };

/** What a model costs in memory by itself, on one card and with a 16-bit cache. */
export interface Implied {
	kvBytesPerToken: Quantity;
	/** One sequence of the model's longest context; of the default context where no limit is known. */
	kvBytesPerSequence: Quantity;
	weightsBytes: Quantity;
}

/**
 * The bytes that a model implies.
 * @param cache type of K and V, default 16-bit
 */
export function impliedBy(
	{ facts, weights, weightsBytes }: Pick<ModelReading, "facts" | "weights" | "weightsBytes">,
	cache: KvType = "bf16",
): Implied {
	const { kvBytesPerToken, kvBytesPerSequence, ...stack } = memoryStack({
		model: facts,
		...{ gpus: 1, tp: 1, kvK: cache, kvV: cache, blockTokens: 1 },
		context: facts.maxContextTokens,
		weights,
		weightsBytesTotal: weightsBytes,
	});
	return { kvBytesPerToken, kvBytesPerSequence, weightsBytes: stack.weightsBytes };
}
