import { wholeBlocks } from "./attention.ts";

/** llama.cpp pads caches to this many cells. @source llama.cpp, llama_kv_cache padding with flash attention */
const CELL_PADDING = 256;

/** Prompt tokens llama.cpp computes at once, by default. */
const UBATCH = 512;

/**
 * Cells of llama.cpp's cache for sliding layers: the windows of all slots and one batch in flight, padded.
 * ⌈min(context, window · slots + ubatch)⌉₂₅₆
 * @source llama.cpp, llama_kv_cache_iswa; logs print 768 cells for a window of 128
 */
export const slidingCells = (context: number, windowTokens: number, slots = 1, ubatch = UBATCH): number =>
	wholeBlocks(Math.min(context, windowTokens * slots + ubatch), CELL_PADDING);

/** Cells of a cache that is divided between slots, each padded: ⌈context / slots⌉₂₅₆ · slots. */
export const dividedCells = (context: number, slots: number): number =>
	wholeBlocks(Math.ceil(context / slots), CELL_PADDING) * slots;

/** Tokens that each slot gets of a context that is divided, and the context that gives each slot a whole one. */
export const slotTokens = (context: number, slots: number): { each: number; forWhole: number } => ({
	each: Math.floor(context / slots),
	forWhole: context * slots,
});
