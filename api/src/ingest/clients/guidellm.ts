import type { Family } from "../family.ts";
import { count, finite, isRecord, positive, statistics, text } from "../fields.ts";
import type { Item, Statistics } from "../record.ts";
import { instantOf } from "../served/run-fields.ts";
import { serveItems } from "../served/serve-items.ts";
import { findJson } from "../text/json.ts";
import { guidellmRun } from "./guidellm-run.ts";

type Row = Record<string, unknown>;

/**
 * Reports of guidellm, of 0.2 to 0.4 and of metadata version 2: one run for each benchmark. The texts of the
 * requests are left behind.
 */
export const guidellm: Family = {
	name: "guidellm json",
	detect: ({ json, text: body }) =>
		isRecord(json) &&
		(benchmarksIn(json).length > 0 || ("guidellm_version" in json && body.includes('"benchmarks"'))),
	document: (body) => reportItems(body),
};

function benchmarksIn(report: unknown): Row[] {
	if (!isRecord(report) || !Array.isArray(report.benchmarks)) return [];
	return report.benchmarks.filter((benchmark) => isRecord(benchmark) && isRecord(benchmark.metrics)) as Row[];
}

function* reportItems(body: string): Generator<Item> {
	const reading = findJson(body);
	const report = isRecord(reading?.value) ? reading.value : {};
	const all = Array.isArray(report.benchmarks) ? report.benchmarks : [];
	for (const [index, benchmark] of all.entries()) {
		const at = `benchmark ${index + 1}`;
		const cut = reading?.open.has(benchmark) ?? false;
		if (isRecord(benchmark) && isRecord(benchmark.metrics)) {
			yield* serveItems({ ...guidellmRun(figuresOf(benchmark, benchmark.metrics, report, at)), cut });
		} else yield { kind: "rejected", at, reason: "the file is cut before the metrics of this benchmark" };
	}
}

function figuresOf(benchmark: Row, metrics: Row, report: Row, at: string) {
	const totals = isRecord(metrics.request_totals) ? metrics.request_totals : {};
	return {
		at,
		model: modelIn(benchmark) ?? modelIn(report),
		strategy: strategyOf(benchmark),
		startedAt: instantOf(benchmark.start_time),
		durationSeconds: positive(benchmark.duration) ?? spanOf(benchmark),
		successful: count(totals.successful) ?? count(successful(metrics.request_latency)?.count),
		errored: count(totals.errored),
		incomplete: count(totals.incomplete),
		inFlight: positive(successful(metrics.request_concurrency)?.mean),
		input: positive(successful(metrics.prompt_token_count)?.mean),
		output: positive(successful(metrics.output_token_count)?.mean),
		ttft: timesOf(metrics.time_to_first_token_ms, 0.001),
		interToken: timesOf(metrics.inter_token_latency_ms, 0.001),
		e2e: timesOf(metrics.request_latency, 1),
	};
}

function successful(metric: unknown): Row | null {
	if (!isRecord(metric)) return null;
	return isRecord(metric.successful) ? metric.successful : null;
}

function timesOf(metric: unknown, scale: number): Statistics | null {
	const summary = successful(metric);
	if (summary === null) return null;
	const percentiles = isRecord(summary.percentiles) ? summary.percentiles : {};
	const { p90, p95, p99 } = percentiles;
	return statistics({ mean: summary.mean, p50: summary.median, p90, p95, p99, std: summary.std_dev }, scale);
}

function strategyOf(benchmark: Row) {
	const places = [benchmark.config, benchmark.args, benchmark.scheduler];
	const found = places.map((place) => (isRecord(place) ? place.strategy : null)).find(isRecord) ?? {};
	return {
		type: text(found.type_) ?? text(found.type) ?? "unknown",
		streams: positive(found.streams) ?? positive(found.max_concurrency),
		rate: finite(found.rate),
	};
}

/** config.backend.model (version 2), worker.backend_model (0.2–0.4), spec.backend.model of the report. */
function modelIn(holder: Row): string | null {
	const config = isRecord(holder.config) ? holder.config : {};
	const spec = isRecord(config.spec) ? config.spec : {};
	const worker = isRecord(holder.worker) ? holder.worker : {};
	for (const backend of [config.backend, spec.backend, worker.backend, worker]) {
		if (!isRecord(backend)) continue;
		const name = text(backend.model) ?? text(backend.backend_model);
		if (name !== null) return name;
	}
	return null;
}

function spanOf({ start_time, end_time }: Row): number | null {
	const [from, to] = [finite(start_time), finite(end_time)];
	return from === null || to === null ? null : positive(to - from);
}
