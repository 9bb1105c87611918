import type { Family } from "../family.ts";
import { baseName, count, emptyConditions, finite, isRecord, positive, text } from "../fields.ts";
import type { Conditions, Item, Statistics } from "../record.ts";
import { markOddLoads } from "../served/doubts.ts";
import { flatStatistics, isUnlimited, perRequest } from "../served/run-fields.ts";
import { serveItems } from "../served/serve-items.ts";
import { emptyRun, type ServeRun } from "../served/serve-run.ts";
import { servedModel } from "../served/served-model.ts";
import { jsonValues } from "../text/json.ts";
import { cutRow } from "../text/json-lines.ts";
import { lengthsOf, listRemarks, requestFacts } from "./serve-detail.ts";

type Row = Record<string, unknown>;

/**
 * Results of `vllm bench serve --save-result` and of its ancestors and forks (benchmark_serving.py, the
 * InferenceX clients): one object, several appended ones, or the list of a sweep's summary.
 * The file names no GPU, no engine and no engine version: `backend` is the protocol that the client speaks.
 */
export const vllmServe: Family = {
	name: "vllm-serve json",
	detect: ({ json }) => rowsOf(json).some(isServeRow),
	document: (body) => readServe(body),
};

function rowsOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [value];
}

/** Whether an object is such a result; publishers sort and trim the keys, so no single one is required. */
export function isServeRow(value: unknown): value is Row {
	if (!isRecord(value)) return false;
	const asked = "num_prompts" in value || "completed" in value;
	const told = ["request_rate", "mean_ttft_ms", "median_ttft_ms", "median_ttft", "mean_e2el_ms"];
	return asked && told.some((key) => key in value);
}

function* readServe(body: string): Generator<Item> {
	const runs: ServeRun[] = [];
	const others: Item[] = [];
	let number = 0;
	for (const reading of jsonValues(body)) {
		for (const row of rowsOf(reading.value)) {
			const at = `result ${++number}`;
			const fault = reading.open.has(row) ? reading.fault : null;
			const run = isServeRow(row) ? serveRowRun(row, at, fault) : unread(at, fault);
			if ("kind" in run) others.push(run);
			else runs.push(run);
		}
	}
	markOddLoads(runs);
	for (const run of runs) yield* serveItems(run);
	yield* others;
}

function unread(at: string, fault: string | null): Item {
	return fault === null
		? { kind: "rejected", at, reason: "not a result of a serving benchmark" }
		: cutRow(at, fault);
}

/**
 * Reads one result; an item instead where it is no point at one load, or cut before its statistics.
 * @param fault where the file was cut inside it; null: it is whole
 */
export function serveRowRun(row: Row, at: string, fault: string | null = null): ServeRun | Item {
	const unfit = unfitReason(row);
	if (unfit !== null) return { kind: "aside", at, reason: unfit };
	const run = readRun(row, at);
	if (fault !== null && run.tpot === null && run.e2e === null) {
		return { kind: "rejected", at, reason: `the file is cut before the statistics of this result: ${fault}` };
	}
	return { ...run, cut: fault !== null, fault };
}

/** Why a result, though whole, is no point at one load. */
function unfitReason(row: Row): string | null {
	if (text(row.ramp_up_strategy) !== null) {
		const [from, to] = [row.ramp_up_start_rps, row.ramp_up_end_rps];
		return `the load was ramped up (${text(row.ramp_up_strategy)}, ${from} to ${to} requests/s): no single point`;
	}
	if (row.mode === "multi_turn" || "per_turn_metrics" in row) {
		return "a multi-turn conversation: each turn finds the ones before it in the prefix cache";
	}
	const completed = count(row.completed) ?? 0;
	if (completed > 0 && row.total_output_tokens === 0) return "a pooling task: nothing was generated";
	return null;
}

function readRun(row: Row, at: string): ServeRun {
	const completed = count(row.completed);
	const rate = finite(row.request_rate);
	const limit = positive(row.max_concurrency);
	const facts = requestFacts(row);
	const requested = count(row.num_prompts) ?? totalOf(completed, count(row.failed));
	const noDuration = isNoDuration(row);
	return {
		...emptyRun(at, conditionsOf(row)),
		startedAt: localTime(row.date),
		input: perRequest(positive(row.total_input_tokens), completed),
		output: perRequest(positive(row.total_output_tokens), completed),
		requested,
		completed,
		durationSeconds: positive(row.duration),
		requestsPerSecond: noDuration ? null : positive(row.request_throughput ?? row.request_inthroughput),
		rate,
		limit,
		closedLoop: limit !== null && rate === null,
		atOnce: limit === null && isUnlimited(row.request_rate),
		ttft: timesOf(row, "ttft") ?? facts?.ttft ?? null,
		tpot: timesOf(row, "tpot") ?? facts?.tpot ?? null,
		itl: timesOf(row, "itl"),
		e2e: timesOf(row, "e2el") ?? facts?.e2e ?? null,
		outputTokensPerSecond: noDuration ? null : positive(row.output_throughput),
		requests: facts?.requests ?? [],
		details: { ...detailsOf(row), ...(facts === null ? {} : { requests: lengthsOf(facts) }) },
		leftOut: [...timeRemarks(row), ...listRemarks(row, requested, completed)],
	};
}

/** Whether a duration is written that no run can have; the rates of the file were worked out from it. */
function isNoDuration({ duration }: Row): boolean {
	const seconds = finite(duration);
	return seconds !== null && seconds <= 0;
}

/** What is said of times that cannot be: they are left out, and so is what the tool worked out from them. */
function timeRemarks(row: Row): string[] {
	const negative = Object.keys(row).filter((key) => TIME.test(key) && (finite(row[key]) ?? 0) < 0);
	return [
		isNoDuration(row)
			? `a duration of ${row.duration} s is none: left out, and with it the rates that the file works out from it`
			: "",
		negative.length > 0
			? `no time is below 0: ${negative.map((key) => `${key} of ${row[key]}`).join(", ")} left out`
			: "",
	].filter(Boolean);
}

function totalOf(completed: number | null, failed: number | null): number | null {
	return completed === null || failed === null ? null : completed + failed;
}

/** Statistics of one quantity: keys in "_ms" are milliseconds, bare ones (an InferenceX client) seconds. */
function timesOf(row: Row, quantity: string): Statistics | null {
	return (
		flatStatistics(row, (name) => `${name}_${quantity}_ms`, 0.001) ??
		flatStatistics(row, (name) => `${name}_${quantity}`)
	);
}

/** "20251017-003757" is local time of the client; another form stays as it is. */
function localTime(date: unknown): string | null {
	const given = text(date);
	const parts = given === null ? null : /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})$/.exec(given);
	if (parts === null) return given;
	const [, year, month, day, hour, minute, second] = parts;
	return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** What --metadata KEY=VALUE may add, by the names people use; everything else of it becomes a flag. */
function conditionsOf(row: Row): Conditions {
	const { model, weights } = servedModel(text(row.model_id));
	const conditions: Conditions = {
		...emptyConditions(text(row.engine)),
		engineVersion: text(row.engine_version) ?? text(row.vllm_version),
		gpu: text(row.gpu_name) ?? text(row.gpu) ?? text(row.gpu_type),
		model,
		weights: text(row.quantization) ?? weights,
		kvK: text(row.kv_cache_dtype),
		kvV: text(row.kv_cache_dtype),
		tp: size(row, "tensor_parallel_size", "tp"),
		pp: size(row, "pipeline_parallel_size", "pp"),
		dp: size(row, "data_parallel_size", "dp"),
		ep: size(row, "expert_parallel_size", "ep"),
		flags: flagsOf(row),
	};
	return { ...conditions, ...gpusOf(row, conditions) };
}

function size(row: Row, ...names: string[]): number | null {
	for (const name of names) {
		const value = count(row[name]);
		if (value !== null && value > 0) return value;
	}
	return null;
}

function gpusOf(row: Row, { tp, pp, dp }: Conditions): Pick<Conditions, "gpus" | "gpusBasis"> {
	const stated = size(row, "num_gpus", "gpu_count", "gpus");
	if (stated !== null) return { gpus: stated, gpusBasis: "stated" };
	return tp === null
		? { gpus: null, gpusBasis: null }
		: { gpus: tp * (pp ?? 1) * (dp ?? 1), gpusBasis: "inferred" };
}

const CONDITION_KEYS = new Set(
	(
		"model_id engine engine_version vllm_version gpu gpu_name gpu_type quantization kv_cache_dtype " +
		"tensor_parallel_size tp pipeline_parallel_size pp data_parallel_size dp expert_parallel_size ep " +
		"num_gpus gpu_count gpus"
	).split(" "),
);
/** Keys of the result itself; what else is text or was swept is a setting of the server or the client. */
const RESULT_KEYS = new Set(
	(
		"date backend endpoint_type version label tokenizer_id best_of use_beam_search num_prompts request_rate " +
		"burstiness max_concurrency ramp_up_strategy mode duration completed failed good_completed run_number " +
		"total_input_tokens total_output_tokens request_throughput request_inthroughput request_goodput " +
		"request_goodput: input_throughput output_throughput total_token_throughput max_output_tokens_per_s " +
		"max_concurrent_requests rtfx"
	).split(" "),
);
const STATISTIC = /^(?:mean|median|std|p[\d.]+)_/;
const TIME = /^(?:mean|median|std|p[\d.]+)_(?:ttft|tpot|itl|e2el)(?:_ms)?$/;
const PATH = /^(?:[A-Za-z]:|~)?[/\\]/;
const SECRET = /key|token(?!izer)|secret|password|header/i;

/** Settings that the publisher added: text as from --metadata, and the swept numbers of a sweep. */
function flagsOf(row: Row): Conditions["flags"] {
	const swept = "run_number" in row;
	const flags: Conditions["flags"] = {};
	for (const [key, value] of Object.entries(row)) {
		if (CONDITION_KEYS.has(key) || RESULT_KEYS.has(key) || STATISTIC.test(key)) continue;
		if (key.startsWith("spec_decode_") || SECRET.test(key)) continue;
		if (typeof value === "string") flags[key] = PATH.test(value) ? baseName(value) : value;
		else if (typeof value === "boolean" || (swept && finite(value) !== null))
			flags[key] = value as boolean | number;
	}
	if (Object.keys(row).some((key) => key.startsWith("spec_decode_"))) flags.speculative_decoding = true;
	return flags;
}

/** Everything of the result that has no field of its own: figures and short texts, never lists. */
function detailsOf(row: Row): Row {
	const details: Row = {};
	for (const [key, value] of Object.entries(row)) {
		if (CONDITION_KEYS.has(key) || key === "tokenizer_id" || SECRET.test(key)) continue;
		if (finite(value) !== null || (RESULT_KEYS.has(key) && text(value) !== null)) details[key] = value;
	}
	return details;
}
