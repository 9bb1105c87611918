import type { LayerCosts } from "./attention.ts";

/** A paged pool that attention and recurrent layers share: the page is as large as one layer's state. */
export interface HybridPages {
	/** Tokens of one attention block. */
	blockTokens: number;
	/** Bytes that padding adds to the state, as a share of the state. */
	paddingShare: number;
	/** Layers that share one page table; a page spans them. */
	layersPerGroup: number;
	attentionGroups: number;
	stateGroups: number;
	/** Bytes of one page over its group of layers. */
	pageBytes: number;
	/** Pages that the state of one sequence takes in each state group. */
	statePagesPerGroup: number;
}

/**
 * Block length at which one layer's attention block is at least as large as one layer's state.
 * align · ⌈stateBytes / (align · attentionBytesPerToken)⌉
 * @source DESIGN 2.1; vLLM HybridAttentionMambaModelConfig, printed as "Setting attention block size to N tokens"
 */
export function hybridBlockTokens(stateBytes: number, attentionBytesPerToken: number, align = 16): number {
	return align * Math.ceil(stateBytes / (align * attentionBytesPerToken));
}

/** The shared pages of a model with attention and recurrent layers. */
export function hybridPages(
	costs: LayerCosts,
	options: { align?: number; statePagesPerGroup?: number } = {},
): HybridPages {
	const blockTokens = hybridBlockTokens(costs.recurrentBytes, costs.full, options.align);
	const page = blockTokens * costs.full;
	return {
		blockTokens,
		paddingShare: (page - costs.recurrentBytes) / costs.recurrentBytes,
		layersPerGroup: costs.fullLayers,
		attentionGroups: 1,
		stateGroups: Math.ceil(costs.recurrentLayers / costs.fullLayers),
		pageBytes: page * costs.fullLayers,
		statePagesPerGroup: options.statePagesPerGroup ?? 1,
	};
}

/** Whole pages that one request of `context` tokens takes: ⌈L / block⌉ · attention groups + state groups · pages each. */
export function pagesPerRequest(
	pages: Pick<HybridPages, "blockTokens" | "attentionGroups" | "stateGroups" | "statePagesPerGroup">,
	context: number,
): number {
	return (
		Math.ceil(context / pages.blockTokens) * pages.attentionGroups +
		pages.stateGroups * pages.statePagesPerGroup
	);
}
