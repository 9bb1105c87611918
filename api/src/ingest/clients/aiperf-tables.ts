import type { Family } from "../family.ts";
import type { Item } from "../record.ts";
import type { Metrics } from "../served/measured-metrics.ts";
import { serveItems } from "../served/serve-items.ts";
import { csvRows } from "../text/csv.ts";
import { cacheConfigItems } from "../vllm/metrics.ts";
import { aiperfRun } from "./aiperf-run.ts";

const CSV_HEADER = /^"?Metric"?,"?(?:avg|Value)/m;
const SERVER_MARK = "# AIPerf Server Metrics Export";
const CONSOLE_MARK = /LLM Metrics/;

/**
 * CSV exports of AIPerf and genai-perf: a table of statistics, a table of single values, then perhaps tables of each
 * GPU. Real files of AIPerf 0.8 were read; of genai-perf only what manuals and issues print of its files, from the first
 * ones in nanoseconds with "Num Output Token" to those of version 0.0.16.
 */
export const aiperfCsv: Family = {
	name: "aiperf csv",
	detect: ({ text: body }) => CSV_HEADER.test(body.slice(0, 4096)) && !body.startsWith(SERVER_MARK),
	document: (body) => tableItems(csvMetrics(body)),
};

/** The tables that AIPerf and genai-perf print; the names are broken over lines. */
export const aiperfConsole: Family = {
	name: "aiperf console",
	detect: ({ text: body }) => CONSOLE_MARK.test(body) && /[┃│]\s*(?:Metric|Statistic)\b/.test(body),
	document: (body) => tableItems(consoleMetrics(body)),
};

/** AIPerf's copy of the server's /metrics page: sums over the run, and the KV pool. */
export const aiperfServerCsv: Family = {
	name: "aiperf server-metrics csv",
	detect: ({ text: body }) => body.startsWith(SERVER_MARK),
	document: (body) => serverItems(body),
};

function tableItems(metrics: Metrics): Iterable<Item> {
	const known = Object.keys(metrics).length;
	if (known === 0) return [{ kind: "rejected", at: "table", reason: "a table without rows" }];
	return serveItems(
		aiperfRun(metrics, {
			at: "table",
			model: null,
			limit: null,
			rate: null,
			startedAt: null,
			cancelled: false,
		}),
	);
}

function csvMetrics(body: string): Metrics {
	const metrics: Metrics = {};
	let header: string[] = [];
	for (const cells of csvRows(body)) {
		if (cells[0] === "Metric") header = cells;
		else if (header.length > 0 && cells.length <= header.length) addMetric(metrics, header, cells);
	}
	return metrics;
}

/** "Time to First Token (ms)": the unit stands in the name; "1,234.56" has separators of thousands. */
function addMetric(metrics: Metrics, header: readonly string[], cells: readonly string[]): void {
	const found = /^(.*?)\s*(?:\(([^()]*)\))?\s*$/.exec(cells[0] ?? "");
	const name = (found?.[1] ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "_");
	if (name === "" || metrics[name] !== undefined) return;
	const metric: Record<string, unknown> = { unit: found?.[2] ?? null };
	for (const [at, column] of header.entries()) {
		if (at > 0) metric[column === "Value" ? "avg" : column] = (cells[at] ?? "").replaceAll(",", "");
	}
	metrics[name] = metric;
}

function consoleMetrics(body: string): Metrics {
	const metrics: Metrics = {};
	let header: string[] = [];
	let name = "";
	let values: string[] = [];
	const finish = () => {
		if (values.length > 0) addMetric(metrics, header, [name, ...values]);
		values = [];
	};
	for (const line of body.split("\n")) {
		const cells = cellsOf(line);
		if (cells === null) continue;
		const [first = "", ...rest] = cells;
		if (/^(?:Metric|Statistic)$/.test(first)) {
			finish();
			header = cells;
		} else if (rest.every((cell) => cell === "")) name += ` ${first}`;
		else {
			finish();
			name = first;
			values = rest;
		}
	}
	finish();
	return metrics;
}

function cellsOf(line: string): string[] | null {
	if (!/^\s*[┃│|]/.test(line)) return null;
	return line
		.trim()
		.slice(1, -1)
		.split(/[┃│|]/)
		.map((cell) => cell.trim());
}

function* serverItems(body: string): Generator<Item> {
	const config: Record<string, string> = {};
	let model: string | null = null;
	let header: string[] = [];
	for (const cells of csvRows(body)) {
		if (cells[0] === "Endpoint") header = cells;
		else model ??= cells[header.indexOf("model_name")] || null;
		const [, metric, key, value] = cells;
		if (metric === "vllm:cache_config_info" && key !== undefined && value !== undefined) config[key] = value;
	}
	yield* cacheConfigItems("cache_config_info", model, config);
	yield {
		kind: "aside",
		at: "file",
		reason: "the server's own counters over a whole run: the client's export beside it holds the measurement",
	};
}
