import { countOf, type LayerKinds } from "./config-layers.ts";
import { type ConfigReader, decide, peekCount, saidUnder } from "./config-reader.ts";

interface Shape {
	heads: number;
	kvHeads: number;
	hidden: number | null;
	headDimK: number;
	headDimV: number;
}

/** Parameters of the whole model, and of those one token passes through. */
export interface ParameterCount {
	total: number;
	active: number;
}

/**
 * Parameters counted from a config: embeddings, attention, feed-forward blocks with all their experts.
 * Norms and biases are left out: together below 0.1 %.
 * @returns null where the config lacks hidden, vocabulary or feed-forward widths, or has recurrent layers
 */
export function parameters(reader: ConfigReader, layers: LayerKinds, shape: Shape): ParameterCount | null {
	const { hidden } = shape;
	const vocabulary = peekCount(reader, "vocab_size");
	if (vocabulary === 0) throw new RangeError("vocab_size: 0 is no number of tokens");
	const blocks = feedForward(reader, layers.layers, hidden);
	if (hidden === null || vocabulary === null || blocks === null || countOf(layers, "recurrent") > 0)
		return null;
	const attentionLayers = countOf(layers, "full") + countOf(layers, "sliding");
	const attention = attentionLayers * attentionParameters(reader, shape, hidden);
	const embeddings = vocabulary * hidden * (reader.config.tie_word_embeddings === true ? 1 : 2);
	decide(reader, "parameters", "counted from vocabulary, attention and feed-forward widths");
	return { total: embeddings + attention + blocks.total, active: embeddings + attention + blocks.active };
}

function attentionParameters(
	reader: ConfigReader,
	{ heads, kvHeads, headDimK, headDimV }: Shape,
	hidden: number,
): number {
	const latent = peekCount(reader, "kv_lora_rank");
	const output = heads * headDimV * hidden;
	if (latent === null) return hidden * headDimK * heads + hidden * kvHeads * (headDimK + headDimV) + output;
	const rope = peekCount(reader, "qk_rope_head_dim") ?? 0;
	const queryRank = peekCount(reader, "q_lora_rank");
	const query = queryRank === null ? hidden * heads * headDimK : queryRank * (hidden + heads * headDimK);
	return query + hidden * (latent + rope) + latent * heads * (headDimK - rope + headDimV) + output;
}

const EXPERT_KEYS = ["num_local_experts", "n_routed_experts", "num_experts"];
const CHOSEN_KEYS = ["num_experts_per_tok", "moe_topk", "top_k_experts"];

function feedForward(reader: ConfigReader, layers: number, hidden: number | null): ParameterCount | null {
	const width = peekCount(reader, "intermediate_size", "ffn_dim", "n_inner");
	const { experts, chosen } = expertsOf(reader);
	if (width === 0 && experts === 0)
		throw new RangeError("intermediate_size: 0 is no width of a feed-forward block");
	if (hidden === null || (width === null && experts === 0)) return null;
	const gated = (width: number) => 3 * hidden * width;
	if (experts === 0) {
		const all = layers * gated(width ?? 0);
		return { total: all, active: all };
	}
	const expert = gated(peekCount(reader, "moe_intermediate_size") ?? width ?? 0);
	const shared = sharedExperts(reader, expert, gated);
	const dense = Math.min(layers, peekCount(reader, "first_k_dense_replace") ?? 0);
	const sparse = layers - dense;
	const router = hidden * experts;
	const block = (n: number) => dense * gated(width ?? 0) + sparse * (n * expert + shared + router);
	return { total: block(experts), active: block(chosen) };
}

/** Experts of a layer, 0 where it is dense, and how many of them a token passes through. */
function expertsOf(reader: ConfigReader): { experts: number; chosen: number } {
	const experts = peekCount(reader, ...EXPERT_KEYS);
	const chosen = peekCount(reader, ...CHOSEN_KEYS);
	// Some dense models of a family with experts write 0 for both.
	if (experts !== null && chosen !== null && (chosen > experts || (chosen === 0 && experts > 0)))
		throw new RangeError(
			`${saidUnder(reader, CHOSEN_KEYS)}: ${chosen} experts a token of the ${experts} that ${saidUnder(reader, EXPERT_KEYS)} says`,
		);
	return { experts: experts ?? 0, chosen: chosen ?? 1 };
}

function sharedExperts(reader: ConfigReader, expert: number, gated: (width: number) => number): number {
	const width = peekCount(reader, "shared_expert_intermediate_size");
	return width === null ? (peekCount(reader, "n_shared_experts") ?? 0) * expert : gated(width);
}
