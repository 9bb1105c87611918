import { figure } from "../trust/figures.ts";
import { type CardSplit, poolBytes } from "./pool.ts";

/** A figure of a log that does not agree with another one of it, in words; null where they agree. */
export type Contradiction = string | null;

const GIB = 2 ** 30;
const gib = (bytes: number) => `${figure(bytes / GIB)} GiB`;

/** Rounding of logs: two digits behind the point of a GiB, on four parts. */
const POOL_TOLERANCE_BYTES = 0.04 * GIB;

/** Whether the parts of a card give the cache that was printed beside them. */
export function poolContradiction(split: CardSplit, statedPoolBytes: number): Contradiction {
	const pool = poolBytes(split);
	if (Math.abs(pool - statedPoolBytes) <= POOL_TOLERANCE_BYTES) return null;
	const share = (statedPoolBytes + split.weightsBytes + split.overheadBytes) / split.totalBytes;
	return `the parts leave ${gib(pool)} of cache at a share of ${figure(split.utilisation)}, ${gib(statedPoolBytes)} are stated: that needs a share of ${figure(share, 2)}`;
}

/** Two lines of a start-up log: tokens in the cache, and requests of the longest length that fit. */
export interface CapacityLines {
	tokens: number;
	concurrency: number;
	maxLength: number;
}

/**
 * Whether "GPU KV cache size: N tokens" and "Maximum concurrency: X" speak of one pool.
 * Older engines divide a hybrid model's pages by the number of groups; the concurrency line is then the one to trust.
 */
export function capacityContradiction({ tokens, concurrency, maxLength }: CapacityLines): Contradiction {
	const byConcurrency = concurrency * maxLength;
	// The concurrency is printed with two digits behind the point.
	const rounding = 0.005 / Math.max(concurrency, 0.01) + 0.01;
	if (Math.abs(byConcurrency / tokens - 1) <= rounding) return null;
	return `${figure(concurrency)} × ${maxLength} tokens are ${figure(byConcurrency)}, the token line says ${tokens} (${figure(tokens / maxLength, 3)}×)`;
}

/** How the tokens that an engine printed stand to pool / bytes per token. */
export interface TokenBound {
	/** ⌊pool / bytes per token⌋: what the simple rate allows at most. */
	upperBoundTokens: number;
	/** Printed tokens over that bound. */
	ratio: number;
	/** "arithmetic" where the printed figure follows, "estimated" where the simple rate only bounds it. */
	evidence: "arithmetic" | "estimated";
}

/** Ranks differ by a little more than a hundredth: the engine takes the smallest and prints one. @source vllm-project/vllm#21348 */
const RANK_TOLERANCE = 0.015;

/** Holds the printed tokens against the simple rate: state pages, windows and shared blocks make it a bound only. */
export function tokenBound(pool: number, bytesPerToken: number, printedTokens: number): TokenBound {
	const upperBoundTokens = Math.floor(pool / bytesPerToken);
	const ratio = printedTokens / upperBoundTokens;
	return {
		upperBoundTokens,
		ratio,
		evidence: Math.abs(ratio - 1) <= RANK_TOLERANCE ? "arithmetic" : "estimated",
	};
}

/** Whether bytes per token seen on one machine are one rate; where not, a part of the cache does not depend on length. */
export function cacheRate(ratesSeen: readonly number[]): { constant: boolean; law: string } {
	const constant = Math.max(...ratesSeen) <= Math.min(...ratesSeen) * (1 + RANK_TOLERANCE);
	return {
		constant,
		law: constant ? "slope per token" : "two-parameter: fixed per request + slope per token",
	};
}

/** Whether the cache-usage gauge agrees with the tokens that are live. */
export function usageContradiction(
	liveTokens: number,
	poolTokens: number,
	gauge: number,
): { byTokens: number; ratio: number; contradiction: Contradiction } {
	const byTokens = liveTokens / poolTokens;
	const ratio = gauge / byTokens;
	return { byTokens, ratio, contradiction: ratio > 1.05 ? "token line optimistic" : null };
}

/** How a smaller cache type enlarged the pool, against halving its bytes. */
export function typeGain(
	bytesBefore: number,
	bytesAfter: number,
	gainsSeen: readonly number[],
): { naive: number; warning: string | null } {
	const naive = bytesBefore / bytesAfter - 1;
	const short = gainsSeen.some((gain) => gain < naive * (1 - 0.05));
	return { naive, warning: short ? "kv dtype gain depends on max length and batch settings" : null };
}
