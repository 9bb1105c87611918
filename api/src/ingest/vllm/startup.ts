/** What the start of one vLLM server printed. Bytes are per GPU; maps are keyed by the process that said it. */
export interface Startup {
	/** 1-based line on which its first fact stands. */
	number: number;
	version: string | null;
	arguments: Record<string, unknown>;
	maxModelLen: number | null;
	weightsBytes: Map<string, number>;
	availableBytes: Map<string, number>;
	/** Tokens of the KV pool, one entry for each data-parallel engine. */
	kvTokens: Map<string, number>;
	blocks: number | null;
	/** "Maximum concurrency for `tokens` tokens per request: `times`x". */
	concurrency: { tokens: number; times: number } | null;
	graphBytes: Map<string, number>;
	activationBytes: Map<string, number>;
	nonTorchBytes: Map<string, number>;
	/** Weights and other non-activation memory in one figure. */
	consumedBytes: Map<string, number>;
	/** Tokens of one attention page, where recurrent layers share the pool. */
	hybridPageTokens: number | null;
	windowsHonoured: boolean | null;
	kvType: string | null;
	failure: { reason: string; tokens: number | null } | null;
	/** Highest tensor-parallel rank among the processes that wrote a line; null: none names its rank. */
	highestRank: number | null;
}

export function emptyStartup(number: number): Startup {
	return {
		number,
		version: null,
		arguments: {},
		maxModelLen: null,
		weightsBytes: new Map(),
		availableBytes: new Map(),
		kvTokens: new Map(),
		blocks: null,
		concurrency: null,
		graphBytes: new Map(),
		activationBytes: new Map(),
		nonTorchBytes: new Map(),
		consumedBytes: new Map(),
		hybridPageTokens: null,
		windowsHonoured: null,
		kvType: null,
		failure: null,
		highestRank: null,
	};
}
