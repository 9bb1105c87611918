import type { Family } from "../family.ts";
import { count, emptyConditions, finite, isRecord, positive, text } from "../fields.ts";
import type { Conditions } from "../record.ts";
import { lengthRemark } from "../served/doubts.ts";
import { flatStatistics } from "../served/run-fields.ts";
import { serveItems } from "../served/serve-items.ts";
import { emptyRun, type ServeRun } from "../served/serve-run.ts";
import { servedModel } from "../served/served-model.ts";
import { jsonValues } from "../text/json.ts";
import { cutRow } from "../text/json-lines.ts";

type Row = Record<string, unknown>;

/**
 * Rows of InferenceX (InferenceMAX): aggregated (throughput per GPU, seconds), agentic (users in place of
 * clients, cache hit rates) and those of its runner ("metrics" in milliseconds beside the set-up).
 */
export const inferencex: Family = {
	name: "inferencex json",
	detect: ({ json }) => rowsIn(json).length > 0,
	document: function* (body) {
		let number = 0;
		for (const { value, open, fault } of jsonValues(body)) {
			const rows = rowsIn(value);
			for (const row of rows) yield* serveItems(runOf(row, `row ${++number}`, open.has(row)));
			if (rows.length === 0 && open.size > 0) yield cutRow(`row ${++number}`, fault);
		}
	},
};

function rowsIn(value: unknown): Row[] {
	return (Array.isArray(value) ? value : [value]).filter(isInferencexRow);
}

function isInferencexRow(value: unknown): value is Row {
	if (!isRecord(value) || !("hw" in value)) return false;
	return "tput_per_gpu" in value || (isRecord(value.metrics) && "conc" in value);
}

function runOf(row: Row, at: string, cut: boolean): ServeRun {
	const run = { ...emptyRun(at, conditionsOf(row)), cut, details: detailsOf(row) };
	if (isRecord(row.metrics)) return runnerRun(run, row, row.metrics);
	return "users" in row ? agenticRun(run, row) : aggregatedRun(run, row);
}

/** Lengths are nominal: the client draws them between 0.8 and 1.0 of isl and osl. */
function aggregatedRun(run: ServeRun, row: Row): ServeRun {
	const gpus = run.conditions.gpus;
	const perGpu = positive(row.output_tput_per_gpu);
	return {
		...run,
		input: positive(row.isl),
		output: positive(row.osl),
		limit: positive(row.conc),
		closedLoop: true,
		ttft: flatStatistics(row, (name) => `${name}_ttft`),
		tpot: flatStatistics(row, (name) => `${name}_tpot`),
		itl: flatStatistics(row, (name) => `${name}_itl`),
		e2e: flatStatistics(row, (name) => `${name}_e2el`),
		outputTokensPerSecond: perGpu === null || gpus === null ? null : perGpu * gpus,
		notes: ["Lengths are nominal: this client draws them between 0.8 and 1.0 of isl and osl."],
	};
}

/** Users think between their turns, and most of each prompt is in the cache: only what was served is known. */
function agenticRun(run: ServeRun, row: Row): ServeRun {
	return {
		...run,
		input: positive(row.mean_input_tokens),
		output: positive(row.mean_output_tokens_actual),
		requested: count(row.num_requests_total),
		completed: count(row.num_requests_successful),
		durationSeconds: positive(row.duration_seconds),
		limit: positive(row.users),
		ttft: flatStatistics(row, (name) => `${name}_ttft`),
		itl: flatStatistics(row, (name) => `${name}_itl`),
		e2e: flatStatistics(row, (name) => `${name}_ttlt`),
		outputTokensPerSecond: positive(row.output_tput_tps),
		cachedShare: finite(row.server_gpu_cache_hit_rate),
	};
}

/** Request and token throughput together give the lengths that really were; isl and osl are what was asked. */
function runnerRun(run: ServeRun, row: Row, metrics: Row): ServeRun {
	const perSecond = positive(metrics.request_throughput);
	const output = positive(metrics.output_token_throughput);
	const total = positive(metrics.total_token_throughput);
	const known = perSecond !== null && output !== null && total !== null && total > output;
	const input = known ? (total - output) / perSecond : positive(row.isl);
	const remark = lengthRemark(positive(row.isl), input);
	return {
		...run,
		startedAt: text(row.ts),
		input,
		output: known ? output / perSecond : positive(row.osl),
		completed: count(metrics.successful_requests),
		requestsPerSecond: perSecond,
		limit: positive(row.conc),
		closedLoop: true,
		ttft: flatStatistics(metrics, (name) => `${name}_ttft_ms`, 0.001),
		tpot: flatStatistics(metrics, (name) => `${name}_tpot_ms`, 0.001),
		itl: flatStatistics(metrics, (name) => `${name}_itl_ms`, 0.001),
		e2e: flatStatistics(metrics, (name) => `${name}_e2el_ms`, 0.001),
		outputTokensPerSecond: output,
		notes: remark === null ? [] : [remark],
	};
}

function conditionsOf(row: Row): Conditions {
	return {
		...emptyConditions(text(row.framework)),
		gpu: text(row.hw),
		...gpusOf(row),
		engineVersion: versionIn(text(row.image)),
		model: servedModel(text(row.model)).model,
		weights: text(row.precision),
		tp: positive(row.tp) ?? positive(row.decode_tp),
		ep: positive(row.ep) ?? positive(row.decode_ep),
		flags: flagsOf(row),
	};
}

/** One node: the tensor-parallel size. Several, or prefill and decode apart: the sum of both sides. */
function gpusOf(row: Row): Pick<Conditions, "gpus" | "gpusBasis"> {
	const [prefill, decode] = [positive(row.num_prefill_gpu), positive(row.num_decode_gpu)];
	if (prefill !== null || decode !== null) {
		return { gpus: (prefill ?? 0) + (decode ?? 0), gpusBasis: "stated" };
	}
	const tp = positive(row.tp);
	return { gpus: tp, gpusBasis: tp === null ? null : "inferred" };
}

/** "0.19.1" of "vllm/vllm-openai:v0.19.1". */
function versionIn(image: string | null): string | null {
	const tag = image === null ? null : (/:([\w.+-]+)$/.exec(image)?.[1] ?? null);
	return tag?.replace(/^v(?=\d)/, "") ?? null;
}

function flagsOf(row: Row): Conditions["flags"] {
	const flags: Conditions["flags"] = {};
	const speculative = text(row.spec_decoding);
	if (speculative !== null && speculative !== "none") flags.speculative_decoding = speculative;
	if (row.dp_attention === true || row.dp_attention === "true") flags.dp_attention = true;
	if (row.disagg === true) flags.disagg = true;
	const offload = text(row.offload_mode);
	if (offload !== null && offload !== "off") flags.offload_mode = offload;
	const tuning = finite(row.tuning);
	if (tuning !== null) flags.tuning = tuning;
	return flags;
}

const NOT_KEPT =
	/^(?:host|cluster|hw|model|framework|precision|tp|ep|(?:mean|median|std|p[\d.]+)_(?!qps|input|output).*)$/;

/** Everything else of the row: set-up, hit rates, throughputs, the power that was drawn. */
function detailsOf(row: Row): Row {
	const details: Row = {};
	for (const [key, value] of Object.entries(row)) {
		if (NOT_KEPT.test(key) || key === "metrics") continue;
		if (key === "gpu" && isRecord(value)) details.power = value;
		else if (finite(value) !== null || text(value) !== null) details[key] = value;
	}
	return details;
}
