import { countOf, type LayerKinds, layerKinds } from "./config-layers.ts";
import { type ParameterCount, parameters } from "./config-parameters.ts";
import {
	type ConfigReader,
	checkKvHeads,
	type Decision,
	decide,
	MOST_CONTEXT,
	need,
	openConfig,
	peek,
	peekCount,
	read,
	saidUnder,
} from "./config-reader.ts";
import { recurrentLayers, stateOf } from "./config-state.ts";
import type { ModelFacts } from "./facts.ts";

/** What a config.json says about a model, and which of its keys decided each field. */
export interface ConfigReading {
	facts: ModelFacts;
	decidedBy: Decision[];
	/** Encoder positions whose cache every sequence of an encoder-decoder model holds; null for decoders. */
	crossPositions: number | null;
}

const HEAD_KEYS = ["num_attention_heads", "n_head", "decoder_attention_heads", "num_heads", "n_heads"];

/** Families whose configs leave num_key_value_heads out when every head has its own. */
const MHA_FAMILIES =
	/^(llama|gpt2|gpt_neox|gptj|opt|bloom|mpt|phi|phi-msft|starcoder|stablelm|whisper|gpt_bigcode)$/;

/**
 * Geometry, limits and parameter counts of a config.json.
 * @param config the parsed file; decoders nested under text_config or llm_config are found
 * @param beside what other files of the checkpoint say: the tokenizer's own limit
 * @returns facts, and for each field the key or rule that decided it
 * @throws RangeError naming the key that is missing or impossible
 */
export function geometryFromConfig(
	config: unknown,
	beside: { tokenizerMaxLength?: number } = {},
): ConfigReading {
	const reader = openConfig(config);
	const layers = layerKinds(reader);
	const heads = need(reader, "heads", ...HEAD_KEYS);
	const hidden = read(reader, "hidden", "hidden_size", "n_embd", "d_model");
	const mla = latentOf(reader);
	const kvHeads = kvHeadsOf(reader, heads, mla !== null);
	const dims = headDims(reader, hidden, heads, mla !== null);
	checkCached(layers, recurrentLayers(reader, layers));
	const limit = contextLimit(reader, beside.tokenizerMaxLength);
	const counted = parameters(reader, layers, { heads, kvHeads, hidden, ...dims });
	const name = nameOf(reader);
	const facts: ModelFacts = {
		id: slugOf(name),
		name,
		family: String(reader.config.model_type ?? "unknown"),
		layers: layers.layers,
		fullLayers: countOf(layers, "full"),
		slidingLayers: countOf(layers, "sliding"),
		windowTokens: layers.windowTokens,
		recurrentLayers: recurrentLayers(reader, layers),
		recurrentStateBytesPerLayer: stateOf(reader, layers),
		heads,
		...globalGeometry(reader, kvHeads, dims, countOf(layers, "sliding") > 0),
		mla,
		hidden,
		maxContextTokens: limit,
		paramsTotal: counted?.total ?? null,
		paramsActive: counted?.active ?? null,
		unverified: [],
		caveats: reader.caveats,
		sources: [{ label: "config.json" }],
	};
	if (peek(reader, "index_topk", "index_n_heads") !== null)
		reader.caveats.push("The cache of the sparse-attention indexer is not included.");
	return { facts, decidedBy: reader.decisions, crossPositions: peek(reader, "max_source_positions") };
}

/** @throws RangeError for layers that keep nothing at all: 0 bytes of cache per token are a misreading */
export function checkCached({ kinds }: Pick<LayerKinds, "kinds">, recurrent: number): void {
	if (recurrent === 0 && kinds.every((kind) => kind === "none"))
		throw new RangeError("layers: none of them owns a cache or keeps a state, so the model could not attend");
}

/** Parameters of a config.json; null where widths are missing. @throws RangeError as geometryFromConfig */
export function parametersFromConfig(config: unknown): ParameterCount | null {
	const { paramsTotal: total, paramsActive: active } = geometryFromConfig(config).facts;
	return total === null || active === null ? null : { total, active };
}

function nameOf({ config }: ConfigReader): string {
	const name = config._name_or_path ?? config.name ?? config.model_type;
	return typeof name === "string" && name !== "" ? name.replace(/^.*[/\\]/, "") : "unnamed model";
}

/** Catalog id of a name: "Llama-3.1-70B" → llama-3.1-70b. */
export const slugOf = (name: string): string =>
	name
		.toLowerCase()
		.split(/[^a-z0-9.]+/)
		.map((part) => part.replace(/^\.+|\.+$/g, "").replace(/\.+/g, "."))
		.filter(Boolean)
		.join("-") || "unnamed";

function latentOf(reader: ConfigReader): ModelFacts["mla"] {
	const kvLoraRank = read(reader, "latent width", "kv_lora_rank");
	if (kvLoraRank === null) return null;
	return { kvLoraRank, qkRopeHeadDim: need(reader, "latent rope width", "qk_rope_head_dim") };
}

const KV_HEAD_KEYS = [
	"num_key_value_heads",
	"num_kv_heads",
	"n_head_kv",
	"multi_query_group_num",
	"num_query_groups",
];

function kvHeadsOf(reader: ConfigReader, heads: number, latent: boolean): number {
	const { config } = reader;
	// Falcon-7B names 71 KV heads beside multi_query, and uses one.
	if (config.multi_query === true && config.new_decoder_architecture !== true) {
		decide(reader, "kvHeads", "multi_query = true: 1");
		return 1;
	}
	const listed = KV_HEAD_KEYS.map((key) => config[key]).find(Array.isArray);
	if (listed) return meanHeads(reader, listed, heads);
	const said =
		read(reader, "kvHeads", ...KV_HEAD_KEYS) ??
		read({ ...reader, config: Object(config.attn_config) }, "kvHeads", "kv_n_heads");
	if (said !== null) {
		// A latent cache holds no heads: their number is a remainder there.
		if (!latent) checkKvHeads(saidUnder(reader, KV_HEAD_KEYS), said, heads, saidUnder(reader, HEAD_KEYS));
		return said;
	}
	const inGroup = peekCount(reader, "n_heads_in_group") ?? groupOfBlocks(config.block_configs);
	if (inGroup) {
		decide(reader, "kvHeads", `${heads} heads in groups of n_heads_in_group = ${inGroup}`);
		checkKvHeads("n_heads_in_group", heads / inGroup, heads, saidUnder(reader, HEAD_KEYS));
		return heads / inGroup;
	}
	decide(reader, "kvHeads", `num_key_value_heads is absent: ${heads}, one for each head`);
	if (!MHA_FAMILIES.test(String(config.model_type ?? "")))
		reader.caveats.push(
			`KV heads are not said; ${heads} assumed, one for each head (MHA). Check the model card.`,
		);
	return heads;
}

/** A count for each layer: the mean gives the same bytes. */
function meanHeads(reader: ConfigReader, counts: readonly unknown[], most: number): number {
	const heads = counts.filter((n): n is number => typeof n === "number");
	if (!heads.some((n) => n > 0) || !heads.every((n) => Number.isInteger(n) && n >= 0 && n <= most))
		throw new RangeError(`num_key_value_heads: expected whole numbers from 0 to the ${most} heads`);
	decide(reader, "kvHeads", `a list for ${heads.length} layers, its mean`);
	reader.caveats.push("KV heads differ by layer; their mean is exact on one GPU only.");
	return heads.reduce((sum, n) => sum + n, 0) / heads.length;
}

function groupOfBlocks(blocks: unknown): number | null {
	if (!Array.isArray(blocks)) return null;
	const groups = blocks
		.map((block) => block?.attention?.n_heads_in_group)
		.filter((n) => typeof n === "number");
	return groups.length > 0 ? Math.min(...groups) : null;
}

interface HeadDims {
	headDimK: number;
	headDimV: number;
}

function headDims(reader: ConfigReader, hidden: number | null, heads: number, latent: boolean): HeadDims {
	const nope = peekCount(reader, "qk_nope_head_dim");
	const rope = peekCount(reader, "qk_rope_head_dim");
	if (latent && nope !== null && rope !== null) {
		decide(reader, "headDim", `qk_nope_head_dim ${nope} + qk_rope_head_dim ${rope}`);
		return { headDimK: nope + rope, headDimV: need(reader, "headDimV", "v_head_dim", "qk_nope_head_dim") };
	}
	const said = read(reader, "headDim", "head_dim", "attention_head_dim", "kv_channels", "d_head");
	const headDimK = said ?? derivedHeadDim(reader, hidden, heads);
	return { headDimK, headDimV: read(reader, "headDimV", "v_head_dim") ?? headDimK };
}

function derivedHeadDim(reader: ConfigReader, hidden: number | null, heads: number): number {
	if (hidden === null) throw new RangeError("head_dim or hidden_size: missing, needed for headDim");
	if (hidden % heads !== 0)
		throw new RangeError(
			`hidden_size: ${hidden} is no multiple of the ${heads} heads, and head_dim is not said`,
		);
	decide(reader, "headDim", `hidden ${hidden} / ${heads} heads`);
	return hidden / heads;
}

/** Models whose full layers have other heads than their sliding ones say so under global_… or swa_… */
function globalGeometry(
	reader: ConfigReader,
	kvHeads: number,
	{ headDimK, headDimV }: HeadDims,
	slides: boolean,
): Pick<ModelFacts, "kvHeads" | "headDimK" | "headDimV" | "slidingKvHeads" | "slidingHeadDim"> {
	const globalHeads = read(reader, "kvHeads of full layers", "num_global_key_value_heads");
	const globalDim = read(reader, "headDim of full layers", "global_head_dim");
	if (globalHeads !== null || globalDim !== null)
		return {
			kvHeads: globalHeads ?? kvHeads,
			headDimK: globalDim ?? headDimK,
			headDimV: globalDim ?? headDimV,
			slidingKvHeads: kvHeads,
			slidingHeadDim: headDimK,
		};
	return {
		kvHeads,
		headDimK,
		headDimV,
		slidingKvHeads: slides ? read(reader, "kvHeads of sliding layers", "swa_num_key_value_heads") : null,
		slidingHeadDim: slides ? read(reader, "headDim of sliding layers", "swa_head_dim") : null,
	};
}

/** Longest context: the config's, stretched by YaRN, or the tokenizer's where that is smaller. */
function contextLimit(reader: ConfigReader, tokenizer: number | undefined): number | null {
	const said = read(
		reader,
		"maxContextTokens",
		"max_position_embeddings",
		"n_positions",
		"max_target_positions",
		"max_seq_len",
		"seq_length",
	);
	const stretched = said === null ? null : stretchedBy(reader, said);
	if (tokenizer === undefined) return stretched;
	const { tokens, note } = contextLimitOf(stretched, tokenizer);
	if (note) reader.caveats.push(note);
	if (tokens === tokenizer)
		decide(reader, "maxContextTokens", `the tokenizer's model_max_length = ${tokenizer}`);
	return tokens;
}

/** The longest context where config and tokenizer both name one: the smaller counts, with a note where they differ. */
export function contextLimitOf(
	configLimit: number | null,
	tokenizerLimit: number,
): { tokens: number; note: string | null } {
	if (configLimit === null) return { tokens: tokenizerLimit, note: null };
	const tokens = Math.min(configLimit, tokenizerLimit);
	const differ = tokenizerLimit < configLimit;
	const note = `The tokenizer ends at ${tokenizerLimit} tokens, the config at ${configLimit}: the smaller counts.`;
	return { tokens, note: differ ? note : null };
}

function stretchedBy(reader: ConfigReader, limit: number): number {
	const scaling = reader.config.rope_scaling as Record<string, unknown> | null | undefined;
	const kind = scaling?.rope_type ?? scaling?.type;
	const factor = scaling?.factor;
	if (kind !== "yarn" || typeof factor !== "number") return limit;
	const original = scaling?.original_max_position_embeddings;
	const stretched = Math.floor((typeof original === "number" ? original : limit) * factor);
	if (!(stretched > 0 && stretched <= MOST_CONTEXT))
		throw new RangeError(`rope_scaling.factor: ${factor} stretches the context to ${stretched} tokens`);
	decide(reader, "maxContextTokens", `rope_scaling yarn × ${factor} = ${stretched}`);
	return Math.max(limit, stretched);
}
