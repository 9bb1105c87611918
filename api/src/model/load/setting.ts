import type { EngineLaws } from "./pace.ts";

/** An engine that batches continuously, and the laws that time it. */
export interface EngineSetting extends EngineLaws {
	/** Most sequences that run at the same time. @source vLLM: max_num_seqs */
	maxSequences: number;
	/** Tokens of one pass, decoding sequences included; endless: whole prompts. @source vLLM: max_num_batched_tokens */
	chunkTokens: number;
	/** Tokens that the KV cache holds; endless where not known. */
	kvTokens: number;
	/** Tokens of a block of the cache, ≥ 1. @source vLLM: block_size, 16 */
	blockTokens: number;
	/** Mean tokens of a decode step: above 1 with speculative decoding, whose step the decode law then times. */
	acceptanceLength: number;
}
