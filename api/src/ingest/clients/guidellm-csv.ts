import type { Family } from "../family.ts";
import { count, finite, isRecord, positive, statistics, text } from "../fields.ts";
import type { Item, Statistics } from "../record.ts";
import { serveItems } from "../served/serve-items.ts";
import { csvRows } from "../text/csv.ts";
import { findJson } from "../text/json.ts";
import { guidellmRun } from "./guidellm-run.ts";

/** Cells of a row by group, field and statistic, the three header rows above them. */
type Cells = Map<string, string>;

/** Order of the figures in a "Percentiles" cell; the median has a column of its own. */
const PERCENTILES = ["min", "p001", "p01", "p05", "p10", "p25", "p75", "p90", "p95", "p99", "max"];

/**
 * CSV exports of guidellm: three header rows (group, field, unit or statistic), one row per benchmark, cells
 * with JSON in them. Columns of a status that no request had are left out, so that rows may not fit.
 * No real file was found: the names are those that the tool's own writer of CSV puts into its header (2025 and 2026).
 */
export const guidellmCsv: Family = {
	name: "guidellm csv",
	detect: ({ text: body }) => /^"?Run Info"?,/.test(body) && /\bBenchmark\b/.test(body.slice(0, 8192)),
	document: (body) => csvItems(body),
};

function* csvItems(body: string): Generator<Item> {
	const [groups = [], fields = [], units = [], ...benchmarks] = [...csvRows(body)];
	const names = groups.map((group, at) => [group, fields[at], units[at]].join("\n"));
	if (benchmarks.length === 0) yield { kind: "rejected", at: "header", reason: "a header without rows" };
	for (const [index, row] of benchmarks.entries()) {
		const at = `benchmark ${index + 1}`;
		if (row.length === names.length)
			yield* benchmarkItems(new Map(names.map((name, i) => [name, row[i] ?? ""])), at);
		else
			yield { kind: "rejected", at, reason: `${row.length} cells under a header of ${names.length} columns` };
	}
}

function benchmarkItems(cells: Cells, at: string): Iterable<Item> {
	const cell = (group: string, field: string, unit = "") => cells.get([group, field, unit].join("\n"));
	const profile = jsonCell(cell("Run Info", "Profile"));
	const backend = jsonCell(cell("Run Info", "Backend"));
	return serveItems(
		guidellmRun({
			at,
			model: text(backend.model),
			strategy: {
				type: text(cell("Benchmark", "Strategy")) ?? "unknown",
				streams: singleOf(profile.streams),
				rate: singleOf(profile.rate),
			},
			startedAt: text(cell("Timings", "Start Time")),
			durationSeconds: positive(cell("Timings", "Duration", "Sec")),
			successful: count(cell("Request Counts", "Successful")),
			errored: count(cell("Request Counts", "Errored")),
			incomplete: count(cell("Request Counts", "Incomplete")),
			inFlight: positive(cell("Server Throughput", "Successful Concurrency", "Mean")),
			input: positive(cell("Token Metrics", "Successful Input Tokens", "Mean")),
			output: positive(cell("Token Metrics", "Successful Output Tokens", "Mean")),
			ttft: timesOf(cells, "Time to First Token", "ms"),
			interToken: timesOf(cells, "Inter Token Latency", "ms"),
			e2e: timesOf(cells, "Request Latency", "Sec"),
		}),
	);
}

function timesOf(cells: Cells, group: string, unit: "ms" | "Sec"): Statistics | null {
	const cell = (statistic: string) => cells.get([group, `Successful ${unit}`, statistic].join("\n"));
	const listed = (cell("Percentiles") ?? "").replace(/[[\]\s]/g, "").split(",");
	const percentile = (name: string) =>
		listed.length === PERCENTILES.length ? listed[PERCENTILES.indexOf(name)] : null;
	return statistics(
		{
			mean: cell("Mean"),
			p50: cell("Median"),
			p90: percentile("p90"),
			p95: percentile("p95"),
			p99: percentile("p99"),
			std: cell("Std Dev"),
		},
		unit === "ms" ? 0.001 : 1,
	);
}

function jsonCell(cell: string | undefined): Record<string, unknown> {
	const value = findJson(cell ?? "")?.value;
	return isRecord(value) ? value : {};
}

/** The one rate or number of streams of a profile; a sweep lists several, of which the row does not say which. */
function singleOf(value: unknown): number | null {
	if (!Array.isArray(value)) return finite(value);
	return value.length === 1 ? finite(value[0]) : null;
}
