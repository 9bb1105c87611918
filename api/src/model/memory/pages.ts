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

/**
 * The shared pages of a model with attention and recurrent layers.
 * @param options alignment of the block in tokens, state pages of one sequence in each group (1, with prefix caching
 * 2 + draft tokens), attention layers of a draft model that share the pool
 */
export function hybridPages(
	costs: LayerCosts,
	options: { align?: number; statePagesPerGroup?: number; draftLayers?: number } = {},
): HybridPages {
	const blockTokens = hybridBlockTokens(costs.recurrentBytes, costs.full, options.align);
	const page = blockTokens * costs.full;
	const layersPerGroup = costs.fullLayers + (options.draftLayers ?? 0);
	return {
		blockTokens,
		paddingShare: (page - costs.recurrentBytes) / costs.recurrentBytes,
		layersPerGroup,
		attentionGroups: 1,
		stateGroups: Math.ceil(costs.recurrentLayers / layersPerGroup),
		pageBytes: page * layersPerGroup,
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

/** What a paged pool holds of requests of one length, and the token line that engines print for it. */
export interface PageCapacity {
	pages: number;
	pagesPerRequest: number;
	/** pages / pages per request: requests of that length, not rounded. */
	concurrency: number;
	/** ⌊concurrency · length⌋, as newer engines print it. */
	tokens: number;
	/** ⌊pages / groups⌋ · block, as older engines print it: not a capacity. */
	tokensByGroups: number;
}

/** Capacity of `pages` whole pages for requests of `context` tokens. */
export function pageCapacity(pages: HybridPages, available: number, context: number): PageCapacity {
	const each = pagesPerRequest(pages, context);
	const concurrency = available / each;
	const groups = pages.attentionGroups + pages.stateGroups;
	return {
		pages: available,
		pagesPerRequest: each,
		concurrency,
		tokens: Math.floor(concurrency * context),
		tokensByGroups: Math.floor(available / groups) * pages.blockTokens,
	};
}
