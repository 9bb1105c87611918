import { positive, statistics } from "../fields.ts";
import type { Statistics } from "../record.ts";

/**
 * Statistics that stand beside one another under composed keys, "mean_ttft_ms", "p99_ttft_ms".
 * @param key composes the key of "mean", "median", "p50", "p90", "p95", "p99" and "std"
 * @param scale factor to seconds
 */
export function flatStatistics(
	row: Record<string, unknown>,
	key: (name: string) => string,
	scale = 1,
): Statistics | null {
	return statistics(
		{
			mean: row[key("mean")],
			p50: row[key("median")] ?? row[key("p50")],
			p90: row[key("p90")],
			p95: row[key("p95")],
			p99: row[key("p99")],
			std: row[key("std")],
		},
		scale,
	);
}

/** Mean tokens of a request from the total of a run; null where either is not known. */
export function perRequest(total: number | null, completed: number | null): number | null {
	return total === null || completed === null || completed === 0 ? null : total / completed;
}

/** Whether a request rate is written as unlimited: the text "inf", or a bare Infinity. */
export function isUnlimited(rate: unknown): boolean {
	return (
		rate === Number.POSITIVE_INFINITY || (typeof rate === "string" && /^\+?inf(?:inity)?$/i.test(rate.trim()))
	);
}

/** ISO instant of seconds since 1970; null where it is none (milliseconds, a monotonic clock). */
export function instantOf(epochSeconds: unknown): string | null {
	const seconds = positive(epochSeconds);
	return seconds === null || seconds < 1e9 || seconds > 1e11 ? null : new Date(seconds * 1000).toISOString();
}
