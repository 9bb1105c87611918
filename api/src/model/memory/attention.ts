import type { AttentionGeometry, KvType } from "./facts.ts";
import { elementBytes } from "./kv-type.ts";

/** How the engine stores and splits the cache. */
export interface KvStorage {
	kvK: KvType;
	kvV: KvType;
	/** Ranks that split the heads; heads are copied when there are more ranks than heads. */
	tp?: number;
	/** Stages that split the layers (pipeline, or llama.cpp over several GPUs). */
	stages?: number;
	/** Ranks that split the tokens of a sequence between them (context parallel). */
	contextRanks?: number;
	/** "What if the model had this many KV heads"; replaces a latent cache too. */
	kvHeads?: number | null;
	/** Whether sliding layers really keep only their window; default true. */
	windowsHonoured?: boolean;
	/** Bytes of scale kept beside each head's K and each head's V of a token, e.g. 4 for one float. */
	scaleBytes?: number;
	/** Tokens of one cache block; default 1. */
	blockTokens?: number;
}

/** Bytes that one token costs in one layer of each kind, on one GPU, and how many such layers the GPU holds. */
export interface LayerCosts {
	full: number;
	sliding: number;
	fullLayers: number;
	slidingLayers: number;
	recurrentLayers: number;
	recurrentBytes: number;
}

/** KV heads on one rank: ⌈heads / tp⌉, at least one. A mean over layers whose heads differ stays a mean. */
export const headsOnRank = (kvHeads: number, tp: number): number =>
	Math.max(1, Number.isInteger(kvHeads) ? Math.ceil(kvHeads / tp) : kvHeads / tp);

/**
 * Cache bytes of one token in each layer of one GPU.
 * heads · headDimK · bytesK + heads · headDimV · bytesV; latent attention: (rank + rope) · bytes, once, whole on every rank.
 * @source DESIGN 2.1; llama.cpp block sizes of ggml-common.h
 */
export function layerCosts(geometry: AttentionGeometry, storage: KvStorage): LayerCosts {
	const { tp = 1, stages = 1, contextRanks = 1 } = storage;
	const perStage = (layers: number) => Math.ceil(layers / stages);
	return {
		full:
			tokenBytes(geometry, storage, geometry.kvHeads, geometry.headDimK, geometry.headDimV) / contextRanks,
		sliding: slidingBytes(geometry, storage) / contextRanks,
		fullLayers: perStage(geometry.fullLayers),
		slidingLayers: perStage(geometry.slidingLayers),
		recurrentLayers: perStage(geometry.recurrentLayers),
		recurrentBytes: Math.ceil((geometry.recurrentStateBytesPerLayer ?? 0) / tp),
	};
}

function tokenBytes(
	{ mla }: AttentionGeometry,
	{ kvK, kvV, tp = 1, kvHeads, scaleBytes = 0 }: KvStorage,
	ownHeads: number,
	dimK: number,
	dimV: number,
): number {
	if (mla && !kvHeads) return (mla.kvLoraRank + mla.qkRopeHeadDim) * elementBytes(kvK);
	const heads = headsOnRank(kvHeads ?? ownHeads, tp);
	return heads * (dimK * elementBytes(kvK) + dimV * elementBytes(kvV) + 2 * scaleBytes);
}

function slidingBytes(geometry: AttentionGeometry, storage: KvStorage): number {
	const { slidingKvHeads, slidingHeadDim, kvHeads, headDimK, headDimV } = geometry;
	// A sliding head keeps the ratio of the K to the V width of the full ones (MiMo: 192 to 128).
	const dimK = slidingHeadDim ?? headDimK;
	const dimV = slidingHeadDim === null ? headDimV : (slidingHeadDim * headDimV) / headDimK;
	return tokenBytes(geometry, storage, slidingKvHeads ?? kvHeads, dimK, dimV);
}

/**
 * Cache bytes that one more token of a long sequence costs on one GPU.
 * Σ over layers that keep every token; sliding layers count only where windows are not honoured or nothing else grows.
 * @returns bytes/token
 */
export function kvBytesPerToken(geometry: AttentionGeometry, storage: KvStorage): number {
	const { full, sliding, fullLayers, slidingLayers } = layerCosts(geometry, storage);
	const windowed = storage.windowsHonoured !== false && geometry.windowTokens !== null && fullLayers > 0;
	return full * fullLayers + (windowed ? 0 : sliding * slidingLayers);
}

/**
 * Cache bytes of one sequence of `context` tokens on one GPU, in whole blocks.
 * full · ⌈L⌉ + sliding · min(⌈L⌉, ⌈window⌉) + recurrent state
 * @param context tokens, ≥ 0
 */
export function kvBytesPerSequence(
	geometry: AttentionGeometry,
	storage: KvStorage & { context: number },
): number {
	return bytesKept(layerCosts(geometry, storage), geometry.windowTokens, storage, storage.context);
}

/** The bytes of one sequence from costs that were worked out before. */
export function bytesKept(
	costs: LayerCosts,
	windowTokens: number | null,
	{ blockTokens = 1, windowsHonoured = true }: KvStorage,
	context: number,
): number {
	const tokens = wholeBlocks(context, blockTokens);
	const kept =
		windowTokens === null || !windowsHonoured
			? tokens
			: Math.min(tokens, wholeBlocks(windowTokens, blockTokens));
	return (
		costs.full * costs.fullLayers * tokens +
		costs.sliding * costs.slidingLayers * kept +
		costs.recurrentBytes * costs.recurrentLayers
	);
}

/** Tokens rounded up to whole blocks. */
export const wholeBlocks = (tokens: number, blockTokens: number): number =>
	Math.ceil(tokens / blockTokens) * blockTokens;
