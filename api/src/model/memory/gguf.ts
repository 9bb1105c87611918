import { type ConfigReading, checkCached, slugOf } from "./config.ts";
import { parameters } from "./config-parameters.ts";
import { checkKvHeads, decide, MOST_CONTEXT } from "./config-reader.ts";
import type { LayerKind } from "./config-spellings.ts";
import type { ModelFacts } from "./facts.ts";
import { type GgufLayers, ggufLayers } from "./gguf-layers.ts";
import { countOwn, type GgufReader, needOwn, openGguf, peekOwn, perLayer, readOwn } from "./gguf-reader.ts";
import { fileTypeName, type GgufTensor, tensorTotals } from "./gguf-tensors.ts";

/** What the header of a GGUF file says about a model, and which of its keys decided each field. */
export interface GgufReading extends ConfigReading {
	/** Bytes of all tensors; null where they were not given, are only a part, or have types that are not known. */
	weightsBytes: number | null;
	/** Weight format as the file names it: "q4_k_m". */
	weights: string | null;
}

/** Values by which the source tells how wide the K and V of a head are. */
interface Widths {
	headDimK: number;
	headDimV: number;
}

/**
 * Geometry, limits and weights of a GGUF header.
 * @param metadata key–values by their full names; the tokenizer's lists may be left out
 * @param tensors tensor infos, of every part where the file is split; left out: weights are not told
 * @returns facts, and for each field the key or rule that decided it
 * @throws RangeError naming the key that is missing or impossible
 * @source the keys of ggml/docs/gguf.md, and how llama.cpp reads them (llama-hparams, llama-model)
 */
export function geometryFromGguf(
	metadata: unknown,
	tensors: readonly GgufTensor[] | null = null,
): GgufReading {
	const reader = openGguf(metadata);
	const blocks = needOwn(reader, "layers", "block_count");
	const headsOf = perLayer(reader, "heads", "attention.head_count", blocks) ?? [];
	const heads = Math.max(0, ...headsOf);
	const kvHeadsOf =
		perLayer(reader, "kvHeads", "attention.head_count_kv", blocks) ?? kvAsHeads(reader, headsOf, blocks);
	checkHeads(reader, headsOf, kvHeadsOf);
	const layers = ggufLayers(reader, kvHeadsOf);
	checkCached(layers, layers.recurrentLayers);
	const hidden = readOwn(reader, "hidden", "embedding_length");
	const attention = attentionOf(reader, layers, kvHeadsOf, { heads, hidden });
	const weights = fileTypeName(reader.config["general.file_type"]);
	const counted = countOf(reader, tensors, layers, { heads, hidden, ...attention });
	const name = ggufName(reader) ?? "unnamed model";
	const of = (kind: LayerKind) => layers.kinds.filter((each) => each === kind).length;
	const facts: ModelFacts = {
		id: slugOf(name),
		name,
		family: reader.architecture,
		layers: blocks,
		fullLayers: of("full"),
		slidingLayers: of("sliding"),
		windowTokens: layers.windowTokens,
		recurrentLayers: layers.recurrentLayers,
		recurrentStateBytesPerLayer: stateOf(reader, layers),
		heads,
		...attention,
		hidden,
		maxContextTokens: contextLimit(reader),
		paramsTotal: counted.total,
		paramsActive: counted.active,
		unverified: [],
		caveats: reader.caveats,
		sources: [{ label: "GGUF header" }],
	};
	return { facts, decidedBy: reader.decisions, crossPositions: null, weights, weightsBytes: counted.bytes };
}

/** @throws RangeError for a layer whose heads cannot share its KV heads evenly */
function checkHeads(reader: GgufReader, heads: readonly number[], kvHeads: readonly number[]): void {
	const key = (name: string) => `${reader.architecture}.attention.${name}`;
	for (const [i, kv] of kvHeads.entries())
		if (kv > 0) checkKvHeads(key("head_count_kv"), kv, heads[i] ?? 0, key("head_count"));
}

/** The name that a file gives itself; null where it gives none. */
export function ggufName({ config }: Pick<GgufReader, "config">): string | null {
	const said = ["general.name", "general.basename"].map((key) => config[key]);
	return said.find((name): name is string => typeof name === "string" && name.trim() !== "")?.trim() ?? null;
}

function kvAsHeads(reader: GgufReader, heads: readonly number[], layers: number): number[] {
	if (heads.length === 0) return Array<number>(layers).fill(0);
	decide(reader, "kvHeads", "attention.head_count_kv is absent: one for each head");
	return [...heads];
}

type Attention = Pick<
	ModelFacts,
	"kvHeads" | "headDimK" | "headDimV" | "slidingKvHeads" | "slidingHeadDim" | "mla"
>;

function attentionOf(
	reader: GgufReader,
	{ kinds }: GgufLayers,
	kvHeadsOf: readonly number[],
	{ heads, hidden }: { heads: number; hidden: number | null },
): Attention {
	const mean = (kind: LayerKind) => meanHeads(kvHeadsOf.filter((_, i) => kinds[i] === kind));
	const [full, sliding] = [mean("full"), mean("sliding")];
	if ([full, sliding].some((n) => n !== null && !Number.isInteger(n)))
		reader.caveats.push("KV heads differ by layer; their mean is exact on one GPU only.");
	const latent = latentOf(reader);
	if (latent) return { kvHeads: heads, ...latent, slidingKvHeads: null, slidingHeadDim: null };
	const slidingDim =
		sliding === null ? null : readOwn(reader, "headDim of sliding layers", "attention.key_length_swa");
	return {
		kvHeads: full ?? sliding ?? heads,
		...widthsOf(reader, hidden, heads),
		slidingKvHeads: full !== null && sliding !== null && sliding !== full ? sliding : null,
		slidingHeadDim: slidingDim,
		mla: null,
	};
}

const meanHeads = (heads: readonly number[]): number | null =>
	heads.length === 0 ? null : heads.reduce((sum, n) => sum + n, 0) / heads.length;

/** Latent attention, where the file was made for it. */
function latentOf(reader: GgufReader): (Widths & Pick<ModelFacts, "mla">) | null {
	const kvLoraRank = peekOwn(reader, "attention.kv_lora_rank");
	if (kvLoraRank === null) return null;
	const headDimK = readOwn(reader, "headDim", "attention.key_length_mla");
	if (headDimK === null) {
		reader.caveats.push(
			"Made before llama.cpp kept a latent cache (no attention.key_length_mla): every head is cached. A newer file of this model caches far less.",
		);
		return null;
	}
	readOwn(reader, "latent width", "attention.kv_lora_rank");
	const headDimV = readOwn(reader, "headDimV", "attention.value_length_mla") ?? headDimK;
	return {
		headDimK,
		headDimV,
		mla: { kvLoraRank, qkRopeHeadDim: needOwn(reader, "latent rope width", "rope.dimension_count") },
	};
}

function widthsOf(reader: GgufReader, hidden: number | null, heads: number): Widths {
	const derived = () => {
		if (heads === 0) return 0;
		if (hidden === null)
			throw new RangeError("attention.key_length or embedding_length: missing, needed for headDim");
		if (hidden % heads !== 0)
			throw new RangeError(
				`embedding_length: ${hidden} is no multiple of the ${heads} heads, and attention.key_length is not said`,
			);
		decide(reader, "headDim", `embedding_length ${hidden} / ${heads} heads`);
		return hidden / heads;
	};
	const headDimK = readOwn(reader, "headDim", "attention.key_length") ?? derived();
	return { headDimK, headDimV: readOwn(reader, "headDimV", "attention.value_length") ?? headDimK };
}

function contextLimit(reader: GgufReader): number | null {
	const said = readOwn(reader, "maxContextTokens", "context_length");
	const factor = peekOwn(reader, "rope.scaling.factor");
	if (
		said === null ||
		factor === null ||
		reader.config[`${reader.architecture}.rope.scaling.type`] !== "yarn"
	)
		return said;
	const stretched = Math.floor((peekOwn(reader, "rope.scaling.original_context_length") ?? said) * factor);
	if (!(stretched > 0 && stretched <= MOST_CONTEXT))
		throw new RangeError(`rope.scaling.factor: ${factor} stretches the context to ${stretched} tokens`);
	if (stretched > said) decide(reader, "maxContextTokens", `rope.scaling yarn × ${factor} = ${stretched}`);
	return Math.max(said, stretched);
}

const STATE_BYTES = 4;

/**
 * State of one recurrent layer in llama.cpp, kept in 32 bit.
 * (kernel − 1)·(inner + 2·groups·state) + state·inner elements; short convolutions: hidden·(kernel − 1)
 */
function stateOf(reader: GgufReader, { recurrentLayers }: GgufLayers): number | null {
	if (recurrentLayers === 0) return null;
	const short = peekOwn(reader, "shortconv.l_cache");
	const hidden = peekOwn(reader, "embedding_length");
	if (short !== null && hidden !== null) {
		decide(reader, "recurrent state", `shortconv.l_cache = ${short}, ${hidden} channels`);
		return STATE_BYTES * hidden * (short - 1);
	}
	const [kernel, inner, state] = ["conv_kernel", "inner_size", "state_size"].map((name) =>
		peekOwn(reader, `ssm.${name}`),
	);
	if (!kernel || !inner || !state) {
		reader.caveats.push(
			"The size of the recurrent state is not said: KV bytes per sequence are a lower bound.",
		);
		return null;
	}
	const groups = peekOwn(reader, "ssm.group_count") ?? 0;
	decide(
		reader,
		"recurrent state",
		`ssm.conv_kernel ${kernel}, inner_size ${inner}, state_size ${state}, group_count ${groups}, 32 bit`,
	);
	return STATE_BYTES * ((kernel - 1) * (inner + 2 * groups * state) + state * inner);
}

interface Counted {
	total: number | null;
	active: number | null;
	bytes: number | null;
}

/** Parameters and bytes from the tensors; without all of them, parameters counted from the widths. */
function countOf(
	reader: GgufReader,
	tensors: readonly GgufTensor[] | null,
	layers: GgufLayers,
	shape: { heads: number; hidden: number | null } & Pick<ModelFacts, "kvHeads" | "headDimK" | "headDimV">,
): Counted {
	const [count, used] = [countOwn(reader, "expert_count"), countOwn(reader, "expert_used_count")];
	if (count !== null && used !== null && used > count)
		throw new RangeError(
			`${reader.architecture}.expert_used_count: ${used} experts a token of the ${count} that expert_count says`,
		);
	const parts = wholeOf(reader, tensors);
	if (parts === null) {
		const counted = fromWidths(reader, layers, shape);
		return { total: counted?.total ?? null, active: counted?.active ?? null, bytes: null };
	}
	const totals = tensorTotals(parts, count && used ? { count, used } : null);
	decide(reader, "parameters", `the shapes of ${parts.length} tensors`);
	if (totals.bytes === null)
		reader.caveats.push(
			`Tensor types ${totals.unknownTypes.join(", ")} are not known here: weight bytes are not told.`,
		);
	return { total: totals.parameters, active: totals.active, bytes: totals.bytes };
}

/** The tensors, where they are all there. */
function wholeOf(reader: GgufReader, tensors: readonly GgufTensor[] | null): readonly GgufTensor[] | null {
	if (tensors === null || tensors.length === 0) return null;
	const all = reader.config["split.tensors.count"];
	if (typeof all !== "number" || tensors.length >= all) return tensors;
	reader.caveats.push(
		`This is one part of a split file: ${tensors.length} of ${all} tensors. Read all parts together for the bytes of the weights.`,
	);
	return null;
}

/** The widths under the names that the count of a config.json reads. */
function fromWidths(
	reader: GgufReader,
	{ kinds, windowTokens }: GgufLayers,
	shape: Parameters<typeof parameters>[2],
) {
	const tokens = reader.config["tokenizer.ggml.tokens"];
	const own = (name: string) => countOwn(reader, name) ?? undefined;
	const config = {
		vocab_size: own("vocab_size") ?? (Array.isArray(tokens) ? tokens.length : undefined),
		intermediate_size: own("feed_forward_length"),
		num_experts: own("expert_count"),
		num_experts_per_tok: own("expert_used_count"),
		moe_intermediate_size: own("expert_feed_forward_length"),
		n_shared_experts: own("expert_shared_count"),
		first_k_dense_replace: own("leading_dense_block_count"),
		kv_lora_rank: own("attention.kv_lora_rank"),
		q_lora_rank: own("attention.q_lora_rank"),
		qk_rope_head_dim: own("rope.dimension_count"),
		tie_word_embeddings: /^gemma/.test(reader.architecture),
	};
	return parameters({ ...reader, config }, { layers: kinds.length, kinds, windowTokens }, shape);
}
