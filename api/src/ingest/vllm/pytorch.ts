import type { Family } from "../family.ts";
import { count, emptyConditions, isRecord, numbers, positive, text } from "../fields.ts";
import type { Conditions, Item } from "../record.ts";
import { markOddLoads } from "../served/doubts.ts";
import { serveItems } from "../served/serve-items.ts";
import type { ServeRun } from "../served/serve-run.ts";
import { findJson } from "../text/json.ts";
import { conditionsOfArguments } from "./arguments.ts";
import { latencyItem } from "./latency.ts";
import { isServeRow, serveRowRun } from "./serve.ts";
import { throughputItem } from "./throughput.ts";

type Row = Record<string, unknown>;

/** One run, put together from its records: each of them carries one metric and all of the rest. */
interface Group {
	at: string;
	arguments: Row;
	rest: Row;
	metrics: Row;
}

/**
 * Benchmark records of the PyTorch format, as vLLM writes them beside its own results: one record per metric,
 * with all command-line arguments in each. No real file was found: the names are those of the code that writes them.
 */
export const vllmPytorch: Family = {
	name: "vllm pytorch-benchmark json",
	detect: ({ json }) => Array.isArray(json) && json.some(isRecordOfMetric),
	document: (body) => readRecords(findJson(body)?.value),
};

function isRecordOfMetric(value: unknown): value is Row {
	return isRecord(value) && isRecord(value.benchmark) && isRecord(value.metric);
}

function* readRecords(list: unknown): Generator<Item> {
	if (!Array.isArray(list)) return;
	const groups = new Map<string, Group>();
	for (const [index, record] of list.entries()) {
		if (isRecordOfMetric(record)) addRecord(groups, record, `record ${index + 1}`);
		else yield { kind: "rejected", at: `record ${index + 1}`, reason: "not a record of one metric" };
	}
	const runs: ServeRun[] = [];
	for (const group of groups.values()) {
		const read = itemOrRun(group);
		if ("kind" in read) yield read;
		else runs.push(read);
	}
	markOddLoads(runs);
	for (const run of runs) yield* serveItems(run);
}

function addRecord(groups: Map<string, Group>, record: Row, at: string): void {
	const [benchmark, metric] = [record.benchmark as Row, record.metric as Row];
	const extra = isRecord(benchmark.extra_info) ? benchmark.extra_info : {};
	const args = isRecord(extra.args) ? extra.args : {};
	const rest = isRecord(metric.extra_info) ? metric.extra_info : {};
	const key = JSON.stringify([args, rest]);
	const group = groups.get(key) ?? { at, arguments: args, rest, metrics: {} };
	groups.set(key, group);
	const name = text(metric.name);
	if (name !== null && name !== "__proto__") group.metrics[name] = metric.benchmark_values;
}

function itemOrRun(group: Group): ServeRun | Item {
	const { at, arguments: args, rest, metrics } = group;
	const latencies = numbers(metrics.latency);
	if (latencies !== null) {
		const row = { ...rest, latencies };
		return latencyItem(at, row, engineConditions(args), shapeOf(args));
	}
	const row = { ...rest, ...singleValues(metrics) };
	if (isServeRow(row)) return serveRowRun(row, at);
	if ("elapsed_time" in row) return throughputItem(at, row);
	return { kind: "rejected", at, reason: `no known metric: ${Object.keys(metrics).join(", ")}` };
}

function singleValues(metrics: Row): Row {
	return Object.fromEntries(
		Object.entries(metrics).map(([name, values]) => [name, Array.isArray(values) ? values[0] : values]),
	);
}

function shapeOf(args: Row) {
	const [input, output, batch] = [count(args.input_len), count(args.output_len), positive(args.batch_size)];
	return input === null || output === null || batch === null ? null : { input, output, batch };
}

/** `vllm bench latency` and `throughput` run the engine inside: the arguments are the engine's own. */
function engineConditions(args: Row): Conditions {
	return { ...emptyConditions("vllm"), ...conditionsOfArguments(args) };
}
