import type { Family } from "../family.ts";
import { finite, isRecord, positive, text } from "../fields.ts";
import type { Item } from "../record.ts";
import { metricsIn } from "../served/measured-metrics.ts";
import { serveItems } from "../served/serve-items.ts";
import { jsonValues } from "../text/json.ts";
import { cutRow } from "../text/json-lines.ts";
import { aiperfRun } from "./aiperf-run.ts";

type Row = Record<string, unknown>;

/**
 * Profile exports of AIPerf (one key per metric, each with its unit) and of its forerunner genai-perf.
 * `warmup_metrics` repeats the names and stays outside.
 */
export const aiperf: Family = {
	name: "aiperf json",
	detect: ({ json }) => exportsIn(json).length > 0,
	document: (body) => readExports(body),
};

function exportsIn(value: unknown): Row[] {
	if (Array.isArray(value)) return value.flatMap(exportsIn);
	if (!isRecord(value)) return [];
	if (isExport(value)) return [value];
	return isRecord(value.records) && isExport(value.records)
		? [{ ...value.records, input_config: value.input_config }]
		: [];
}

function isExport(value: Row): boolean {
	const metric = value.request_latency ?? value.time_to_first_token ?? value.request_throughput;
	return "aiperf_version" in value || (isRecord(metric) && "unit" in metric);
}

function* readExports(body: string): Generator<Item> {
	let number = 0;
	for (const { value, open, fault } of jsonValues(body)) {
		const rows = exportsIn(value);
		if (rows.length === 0 && open.size > 0) yield cutRow(`result ${++number}`, fault);
		for (const row of rows) {
			const at = `result ${++number}`;
			yield* exportItems(row, at, open.size > 0);
			if (isRecord(row.warmup_metrics) && Object.keys(row.warmup_metrics).length > 0) {
				yield { kind: "aside", at: `${at}, warmup_metrics`, reason: "requests of the warm-up" };
			}
		}
	}
}

function exportItems(row: Row, at: string, cut: boolean): Iterable<Item> {
	const config = isRecord(row.input_config) ? row.input_config : {};
	const command = text(config.cli_command) ?? commandIn(row);
	return serveItems(
		aiperfRun(metricsIn(row), {
			at,
			model: modelIn(config) ?? optionIn(command, "model") ?? optionIn(command, "m"),
			limit: limitIn(config) ?? positive(optionIn(command, "concurrency")),
			rate: rateIn(config) ?? finite(optionIn(command, "request-rate")),
			startedAt: text(row.start_time),
			cancelled: cut || row.was_cancelled === true,
		}),
	);
}

function commandIn(row: Row): string | null {
	return isRecord(row.run_info) ? text(row.run_info.cli_command) : null;
}

/** endpoint.model_names (0.8), models[].name or models.items[].name (0.11), model (genai-perf). */
function modelIn(config: Row): string | null {
	const endpoint = isRecord(config.endpoint) ? config.endpoint : {};
	const models = isRecord(config.models) ? config.models.items : config.models;
	for (const candidate of [endpoint.model_names, config.model_names, config.model, models]) {
		const first = Array.isArray(candidate) ? candidate[0] : candidate;
		const name = text(isRecord(first) ? first.name : first);
		if (name !== null) return name;
	}
	return null;
}

function limitIn(config: Row): number | null {
	const places = [config.loadgen, config, ...phasesOf(config), stimulusOf(config)];
	for (const place of places) {
		const limit = isRecord(place) ? positive(place.concurrency) : null;
		if (limit !== null) return limit;
	}
	return null;
}

function rateIn(config: Row): number | null {
	for (const place of [config.loadgen, config, ...phasesOf(config), stimulusOf(config)]) {
		const rate = isRecord(place) ? positive(place.request_rate) : null;
		if (rate !== null) return rate;
	}
	return null;
}

/** Phases that are measured; a warm-up phase has a load of its own. */
function phasesOf(config: Row): unknown[] {
	const phases = Array.isArray(config.phases)
		? config.phases
		: isRecord(config.phases)
			? Object.values(config.phases)
			: [];
	return phases.filter((phase) => isRecord(phase) && !/warm/i.test(String(phase.name ?? phase.type ?? "")));
}

function stimulusOf(config: Row): unknown {
	return isRecord(config.perf_analyzer) ? config.perf_analyzer.stimulus : null;
}

/** The value of an option on a command line, without its quotes. */
function optionIn(command: string | null, name: string): string | null {
	const dashes = name.length === 1 ? "-" : "--";
	const found = new RegExp(`(?:^|\\s)${dashes}${name}[= ]\\s*(?:'([^']*)'|"([^"]*)"|(\\S+))`).exec(
		command ?? "",
	);
	return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}
