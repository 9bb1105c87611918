import { countOf, type LayerKinds } from "./config-layers.ts";
import { type ConfigReader, decide, peek } from "./config-reader.ts";

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
	const vocabulary = peek(reader, "vocab_size");
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
	const latent = peek(reader, "kv_lora_rank");
	const output = heads * headDimV * hidden;
	if (latent === null) return hidden * headDimK * heads + hidden * kvHeads * (headDimK + headDimV) + output;
	const rope = peek(reader, "qk_rope_head_dim") ?? 0;
	const queryRank = peek(reader, "q_lora_rank");
	const query = queryRank === null ? hidden * heads * headDimK : queryRank * (hidden + heads * headDimK);
	return query + hidden * (latent + rope) + latent * heads * (headDimK - rope + headDimV) + output;
}

function feedForward(reader: ConfigReader, layers: number, hidden: number | null): ParameterCount | null {
	const width = peek(reader, "intermediate_size", "ffn_dim", "n_inner");
	const experts = peek(reader, "num_local_experts", "n_routed_experts", "num_experts");
	if (hidden === null || (width === null && experts === null)) return null;
	const gated = (width: number) => 3 * hidden * width;
	if (experts === null) {
		const all = layers * gated(width ?? 0);
		return { total: all, active: all };
	}
	const chosen = peek(reader, "num_experts_per_tok", "moe_topk", "top_k_experts") ?? 1;
	const expert = gated(peek(reader, "moe_intermediate_size") ?? width ?? 0);
	const shared = sharedExperts(reader, expert, gated);
	const dense = Math.min(layers, peek(reader, "first_k_dense_replace") ?? 0);
	const sparse = layers - dense;
	const router = hidden * experts;
	const block = (n: number) => dense * gated(width ?? 0) + sparse * (n * expert + shared + router);
	return { total: block(experts), active: block(chosen) };
}

function sharedExperts(reader: ConfigReader, expert: number, gated: (width: number) => number): number {
	const width = peek(reader, "shared_expert_intermediate_size");
	return width === null ? (peek(reader, "n_shared_experts") ?? 0) * expert : gated(width);
}
