import { finite, isRecord, positive, statistics, text } from "../fields.ts";
import type { Statistics } from "../record.ts";

/** Metrics by name, each with its unit and statistics, as AIPerf and genai-perf write them. */
export type Metrics = Record<string, Record<string, unknown>>;

const SECONDS: Record<string, number> = { s: 1, sec: 1, seconds: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

/** The metrics among the members of an object: those with an average. */
export function metricsIn(value: Record<string, unknown>): Metrics {
	const metrics: Metrics = {};
	for (const [name, member] of Object.entries(value)) {
		if (isRecord(member) && finite(member.avg) !== null) metrics[name] = member;
	}
	return metrics;
}

/** Statistics of a time, in seconds; null where the metric is missing or its unit is no time. */
export function timesOf(metrics: Metrics, name: string): Statistics | null {
	const metric = metrics[name];
	const scale = SECONDS[text(metric?.unit)?.toLowerCase() ?? ""];
	if (metric === undefined || scale === undefined) return null;
	const { avg, p50, p90, p95, p99, std } = metric;
	return statistics({ mean: avg, p50, p90, p95, p99, std }, scale);
}

/** Mean of a metric that is above 0, else null. */
export function averageOf(metrics: Metrics, name: string): number | null {
	return positive(metrics[name]?.avg);
}
