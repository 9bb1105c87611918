import { deviation, mean } from "../fields.ts";
import type { Statistics } from "../record.ts";

/**
 * Statistics of a sample of seconds; quantiles between two readings are linear in rank (type 7, as numpy).
 * null for an empty sample.
 */
export function statisticsOf(values: readonly number[]): Statistics | null {
	if (values.length === 0) return null;
	const sorted = [...values].sort((a, b) => a - b);
	const quantile = (p: number) => {
		const rank = p * (sorted.length - 1);
		const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
		return low + (high - low) * (rank - Math.floor(rank));
	};
	return {
		mean: mean(values),
		p50: quantile(0.5),
		p90: quantile(0.9),
		p95: quantile(0.95),
		p99: quantile(0.99),
		std: deviation(values),
	};
}
