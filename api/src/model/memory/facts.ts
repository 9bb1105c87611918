import type { Source } from "../trust/quantity.ts";

/** Bytes of one block of 32 elements, per type; a block is how llama.cpp stores quantised caches. */
export const BLOCK_BYTES_PER_32 = {
	f32: 128,
	f16: 64,
	bf16: 64,
	fp8: 32,
	int8: 32,
	q8_0: 34,
	q5_1: 24,
	q5_0: 22,
	q4_1: 20,
	q4_0: 18,
	iq4_nl: 18,
} as const;
export type KvType = keyof typeof BLOCK_BYTES_PER_32;

/** Layers that keep a growing cache of every token. Sliding layers keep only the last `windowTokens`. */
export interface AttentionGeometry {
	layers: number;
	/** Layers of full attention that own a cache. */
	fullLayers: number;
	/** Layers of sliding-window or chunked attention that own a cache. */
	slidingLayers: number;
	windowTokens: number | null;
	/** Layers with a fixed recurrent state per sequence (Mamba, gated delta). */
	recurrentLayers: number;
	/** Bytes of recurrent state per layer and sequence, null where there are none or the source does not say. */
	recurrentStateBytesPerLayer: number | null;
	heads: number;
	kvHeads: number;
	headDimK: number;
	headDimV: number;
	/** Where sliding layers differ from the full ones. */
	slidingKvHeads: number | null;
	slidingHeadDim: number | null;
	/** Latent attention: the cache holds kvLoraRank + qkRopeHeadDim values per token, once, on every rank. */
	mla: { kvLoraRank: number; qkRopeHeadDim: number } | null;
}

/** What the catalog knows about a model. null: the source does not say. */
export interface ModelFacts extends AttentionGeometry {
	id: string;
	name: string;
	family: string;
	hidden: number | null;
	maxContextTokens: number | null;
	paramsTotal: number | null;
	/** Parameters touched per token; equals paramsTotal for dense models. */
	paramsActive: number | null;
	/** Names of the fields above that nobody re-read in a source. */
	unverified: string[];
	/** What the simple KV formula cannot express here, in words; empty where it is exact. */
	caveats: string[];
	sources: Source[];
	/** What else the sources say: where they differ, what was computed, experts, scope. */
	notes?: string[];
}

/** What the catalog knows about a GPU. null: the source does not say. */
export interface GpuFacts {
	id: string;
	name: string;
	vendor: string;
	/** Memory the driver or an engine reported, in bytes, else the nominal upper bound (see totalBytesBasis). */
	totalBytes: number;
	totalBytesBasis: "engine" | "driver" | "nominal";
	bandwidthBytesPerSecond: number | null;
	bf16DenseFlops: number | null;
	fp8DenseFlops: number | null;
	tdpWatts: number | null;
	unverified: string[];
	sources: Source[];
	/** What else the sources say: other rates, shared memory, where tables differ. */
	notes?: string[];
}

/** Figures that the engine itself printed for a configuration; each replaces our estimate of it. Bytes per GPU. */
export interface PinnedMemory {
	weightsBytes: number | null;
	kvPoolBytes: number | null;
	/** Tokens that the whole KV pool holds (one data-parallel engine). */
	kvTokens: number | null;
	activationBytes: number | null;
	graphBytes: number | null;
	otherBytes: number | null;
	maxModelLen: number | null;
	/** Whether the engine was seen to honour sliding windows; null: unknown. */
	windowsHonoured: boolean | null;
	sources: Source[];
	/** Share of the card that the engine was given, 0…1. */
	utilisation?: number | null;
	/** Cache types of that start, for a configuration that does not say its own. */
	kvK?: KvType | null;
	kvV?: KvType | null;
	/** Conditions that the start or the configuration does not say, so that they could not be compared. */
	unknown?: string[];
	/** What qualifies the figures: lines of a log that contradict each other, starts that differ. */
	remarks?: string[];
}
