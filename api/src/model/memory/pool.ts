/** Parts of one card, bytes. */
export interface CardSplit {
	totalBytes: number;
	/** Share of the whole card that the engine may use, 0…1. */
	utilisation: number;
	weightsBytes: number;
	/** Activations, graphs, communication, and what others hold. */
	overheadBytes: number;
}

/**
 * Cache pool of one card: total · utilisation − weights − overhead.
 * @returns bytes; below zero the model does not fit, short by that much
 * @source DESIGN 2.2; vLLM's "GPU KV cache size" follows it to 0.02 GiB on 13 public logs
 */
export const poolBytes = ({ totalBytes, utilisation, weightsBytes, overheadBytes }: CardSplit): number =>
	totalBytes * utilisation - weightsBytes - overheadBytes;

/** Least share of the card at which weights and overhead fit; above 1 no share helps. */
export const leastShare = ({
	totalBytes,
	weightsBytes,
	overheadBytes,
}: Omit<CardSplit, "utilisation">): number => (weightsBytes + overheadBytes) / totalBytes;

/** Whole cache blocks of a pool and the tokens they hold. */
export interface PoolBlocks {
	blocks: number;
	tokens: number;
}

/**
 * Blocks of a pool: ⌊pool / (block tokens · bytes per token)⌋, none for a pool below zero.
 * @param reservedBlocks blocks the engine keeps for itself
 */
export function blocksOf(
	pool: number,
	bytesPerToken: number,
	blockTokens: number,
	reservedBlocks = 0,
): PoolBlocks {
	const blocks = Math.max(0, Math.floor(pool / (blockTokens * bytesPerToken)));
	return { blocks, tokens: Math.max(0, blocks - reservedBlocks) * blockTokens };
}

/** Share of a pool that sequences of the given lengths take, in whole blocks. */
export const poolShare = (tokens: readonly number[], blockTokens: number, totalBlocks: number): number =>
	tokens.reduce((sum, length) => sum + Math.ceil(length / blockTokens), 0) / totalBlocks;

/** Requests that fit when one was seen to take a share of the pool, e.g. from the engine's cache-usage gauge. */
export const sequencesByShare = (shareOfOne: number): number => Math.floor(1 / shareOfOne);
