/** Prices of a hosted API's prompt cache, as multiples of the input price or in USD per million tokens. */
export interface CachePrices {
	input: number;
	write: number;
	read: number;
}

/**
 * Hit share at which prompt caching costs as much as none.
 * h = (w − 1) / (w − r), w and r the write and read price over the input price
 * @returns share 0…1; null where writing costs no more than reading
 * @source DESIGN 2.8; 1.25 and 0.1 give 21.7 %, 2 and 0.1 give 52.6 %
 */
export function cacheBreakEven({ input, write, read }: CachePrices): number | null {
	const [w, r] = [write / input, read / input];
	return w > r ? Math.min(1, Math.max(0, (w - 1) / (w - r))) : null;
}

/** Reads of a cached prefix after which writing it has paid for itself: ⌈(w − 1) / (1 − r)⌉. */
export const readsToBreakEven = ({ input, write, read }: CachePrices): number =>
	Math.ceil((write - input) / (input - read));

/** USD that caching saves: reads · (input − read) − writes · (write − input); negative where it loses. @param tokens read and written, in tokens; prices in USD per million */
export const cacheSavingUsd = (prices: CachePrices, tokens: { reads: number; writes: number }): number =>
	(tokens.reads * (prices.input - prices.read) - tokens.writes * (prices.write - prices.input)) / 1e6;

/** Mean price of a prefix that is written once and read `reads` times. */
export const meanCachedPrice = ({ write, read }: CachePrices, reads: number): number =>
	(write + reads * read) / (1 + reads);
