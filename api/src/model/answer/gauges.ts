/** What an engine's gauges show while requests arrive. */
export interface Gauges {
	/** Prompt tokens of a request. */
	inputTokens: number;
	requestsPerSecond: number;
	/** Share of the cache in use, 0…1. */
	cacheShare: number;
	/** Whether the number of waiting requests keeps growing. */
	queueGrows: boolean;
}

/** From this share on new requests wait for the cache and not for the engine. */
const FULL_CACHE = 0.9;

/** What limits an engine: a queue that grows beside a free cache means that prefill is the limit. */
export function readGauges({ inputTokens, requestsPerSecond, cacheShare, queueGrows }: Gauges): {
	offeredPromptTokensPerSecond: number;
	saturated: boolean;
	cacheBound: boolean;
} {
	return {
		offeredPromptTokensPerSecond: inputTokens * requestsPerSecond,
		saturated: queueGrows,
		cacheBound: queueGrows && cacheShare >= FULL_CACHE,
	};
}
