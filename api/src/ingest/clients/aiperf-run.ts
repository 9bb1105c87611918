import { emptyConditions } from "../fields.ts";
import { averageOf, type Metrics, timesOf } from "../served/measured-metrics.ts";
import { emptyRun, type ServeRun } from "../served/serve-run.ts";
import { servedModel } from "../served/served-model.ts";

/** What stands around the metrics of a run and not among them. */
export interface AiperfSetting {
	at: string;
	model: string | null;
	limit: number | null;
	rate: number | null;
	startedAt: string | null;
	cancelled: boolean;
}

/**
 * One run of AIPerf or genai-perf from its metrics. Their "inter token latency" is per request
 * (e2e − TTFT)/(output − 1), which is TPOT here; the gap between chunks is "inter chunk latency".
 */
export function aiperfRun(metrics: Metrics, setting: AiperfSetting): ServeRun {
	const { at, model, limit, rate } = setting;
	const conditions = {
		...emptyConditions(null),
		...servedModel(model),
	};
	const completed = averageOf(metrics, "request_count");
	const repeated = averageOf(metrics, "theoretical_prefix_cache_hit");
	return {
		...emptyRun(at, conditions),
		startedAt: setting.startedAt,
		// The first versions of genai-perf counted tokens under other names.
		input: averageOf(metrics, "input_sequence_length") ?? averageOf(metrics, "num_input_token"),
		output: averageOf(metrics, "output_sequence_length") ?? averageOf(metrics, "num_output_token"),
		requested: completed === null ? null : completed + (averageOf(metrics, "error_request_count") ?? 0),
		completed,
		cut: setting.cancelled,
		durationSeconds: timesOf(metrics, "benchmark_duration")?.mean ?? null,
		requestsPerSecond: averageOf(metrics, "request_throughput"),
		rate,
		limit,
		measuredInFlight: averageOf(metrics, "effective_concurrency"),
		ttft: timesOf(metrics, "time_to_first_token"),
		tpot: timesOf(metrics, "inter_token_latency"),
		itl: timesOf(metrics, "inter_chunk_latency"),
		e2e: timesOf(metrics, "request_latency"),
		outputTokensPerSecond: averageOf(metrics, "output_token_throughput"),
		cachedShare: repeated === null ? null : repeated / 100,
		details: detailsOf(metrics),
	};
}

const KEPT = [
	"time_to_second_token",
	"output_token_throughput_per_user",
	"input_token_throughput",
	"total_token_throughput",
	"effective_prefill_concurrency",
	"effective_decode_concurrency",
	"tokens_in_flight",
];

function detailsOf(metrics: Metrics): Record<string, unknown> {
	const kept = KEPT.filter((name) => metrics[name] !== undefined);
	return Object.fromEntries(
		kept.map((name) => [name, { unit: metrics[name]?.unit, avg: metrics[name]?.avg }]),
	);
}
