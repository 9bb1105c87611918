import {
	curveOddities,
	fasterThanRoofline,
	fitDecode,
	fitPrefill,
	fitQuality,
	type GpuFacts,
	MBU_ONE_GPU,
	type ModelFacts,
	type PrefillFit,
	type PrefillPoint,
	predictPrefill,
	rooflineFits,
} from "@plimsoll/api/model";
import { compareConditions, configurationKey } from "../../../api/src/ingest/conditions.ts";
import { emptyConditions, mean } from "../../../api/src/ingest/fields.ts";
import { batchedItems } from "../../../api/src/ingest/llama/batched-bench.ts";
import { llamaBenchJson } from "../../../api/src/ingest/llama/bench-json.ts";
import { LlamaBenchRows } from "../../../api/src/ingest/llama/bench-row.ts";
import type { Item, Measurement } from "../../../api/src/ingest/record.ts";
import { median, outliers, trendOf, warmPart } from "../../../api/src/ingest/repetitions.ts";
import { h100, llama8b } from "../../../api/src/model/fixtures/models.ts";
import { nnls, normalEquations } from "../../../api/src/model/trust/nnls.ts";
import type { Input, Topic } from "./case.ts";

/** What rows of llama.cpp benchmarks say, what is doubted, and what fits make of them. */
export const benchIngest: Topic = (input, field) => {
	if (input.has("text")) return ofText(input, field);
	if (input.has("tokens_per_s")) return ofRepetitions(input, field);
	if (input.has("ttft_s")) return ofColdStart(input, field);
	if (input.has("claimed_tok_s")) return ofClaim(input, field);
	const [first] = input.rows("rows");
	if (first?.has("watt")) return ofPowerSweep(input, field);
	if (first?.has("isl")) return ofClientRows(input, field);
	if (first?.has("T_PP")) return ofBatchedRows(input, field);
	if (first?.has("build")) return ofTwoBuilds(input, field);
	return ofBenchRows(input, field);
};

function itemsOf(input: Input): Item[] {
	const rows = new LlamaBenchRows();
	return input.rows("rows").map((row, index) => rows.item(row.raw, `row ${index + 1}`));
}

const measurementsOf = (items: Item[]): Measurement[] =>
	items.flatMap((item) => (item.kind === "measurement" ? [item.measurement] : []));

const once = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };

/** Points of the fits: mixed rows are none. */
function prefillPoints(measurements: Measurement[]): PrefillPoint[] {
	return measurements.flatMap((m) =>
		m.phase === "prefill"
			? [
					{
						...once,
						phase: m.phase,
						tokens: m.tokens,
						cached: m.cached,
						batch: m.batch,
						seconds: m.secondsMean,
					},
				]
			: [],
	);
}

function fitted(points: PrefillPoint[]): PrefillFit {
	const fit = fitPrefill(points);
	if (fit === null) throw new Error("no prefill points");
	return fit;
}

function ofBenchRows(input: Input, field: string): unknown {
	const items = itemsOf(input);
	const measurements = measurementsOf(items);
	const prefill = prefillPoints(measurements);
	const ttft = /^ttft_(ms|s)_at_(\d+)$/.exec(field);
	if (ttft !== null) {
		return (
			predictPrefill(fitted(prefill), { tokens: Number(ttft[2]) }).seconds * (ttft[1] === "ms" ? 1000 : 1)
		);
	}
	const depth = /^decode_ms_at_depth(\d+)$/.exec(field)?.[1];
	if (depth !== undefined) return decodeAt(measurements, Number(depth)) * 1000;
	const answers: Record<string, () => unknown> = {
		fit_a_ms_per_token: () => fitted(prefill).coefficients.a * 1000,
		fit_b_ms_per_token2: () => fitted(prefill).coefficients.b * 1000,
		ttft_s: () => prefill.map(({ seconds }) => seconds),
		c_s: () => quadratic(prefill).c,
		a_s_per_token: () => quadratic(prefill).a,
		b_s_per_token2: () => quadratic(prefill).b,
		max_relative_residual: () => quadratic(prefill).worst,
		total_s_measured: () => measurements.find((m) => m.phase === "mixed")?.secondsMean,
		total_s_predicted: () => sumOfParts(measurements),
		predicted_mixed_ts: () => mixedTokens(measurements) / sumOfParts(measurements),
		used_in_fit: () => prefill.length + decodes(measurements).length === measurements.length,
		accepted_rows: () => measurements.length,
		accepted: () => measurements.length,
		rejected: () => items.filter(({ kind }) => kind === "rejected").length,
		zero_stddev_rows_flagged: () =>
			measurements.filter(({ notes }) => notes.some((n) => /spread 0/.test(n))).length,
		stddev_of_accepted: () => measurements[0]?.secondsStd,
		fit_finite: () => Object.values(decodeFit(measurements).coefficients).every(Number.isFinite),
	};
	return answers[field]?.();
}

/** c + a·s + b·s² with the product's solver, unweighted: the form the cases ask for, without the knee of the prefill law. */
function quadratic(points: PrefillPoint[]): { c: number; a: number; b: number; worst: number } {
	const equations = points.map(({ tokens, seconds }) => ({
		row: [1, tokens, tokens * tokens],
		value: seconds,
		weight: 1,
	}));
	const [c = Number.NaN, a = Number.NaN, b = Number.NaN] = nnls(normalEquations(equations));
	const misses = points.map(({ tokens, seconds }) =>
		Math.abs((c + a * tokens + b * tokens ** 2) / seconds - 1),
	);
	return { c, a, b, worst: Math.max(...misses) };
}

const decodes = (measurements: Measurement[]) =>
	measurements.flatMap((m) => (m.phase === "decode" ? [m] : []));

function decodeAt(measurements: Measurement[], depth: number): number {
	const found = decodes(measurements).find((m) => m.context - ((m.generated ?? 1) - 1) / 2 === depth);
	return found?.secondsMean ?? Number.NaN;
}

function decodeFit(measurements: Measurement[]) {
	const points = decodes(measurements).map(({ batch, context, secondsMean: seconds }) => ({
		...once,
		phase: "decode" as const,
		batch,
		context,
		seconds,
	}));
	const fit = fitDecode(points);
	if (fit === null) throw new Error("no decode points");
	return fit;
}

/** A mixed row as its parts would have it: the prompt's time and that of its steps. */
function sumOfParts(measurements: Measurement[]): number {
	const prompt = measurements.find((m) => m.phase === "prefill");
	const [steps] = decodes(measurements);
	return (
		(prompt?.secondsMean ?? Number.NaN) +
		(steps?.secondsMean ?? Number.NaN) * (steps?.generated ?? Number.NaN)
	);
}

function mixedTokens(measurements: Measurement[]): number {
	const mixed = measurements.find((m) => m.phase === "mixed");
	return mixed?.phase === "mixed" ? mixed.tokens + mixed.generated : Number.NaN;
}

function ofText(input: Input, field: string): unknown {
	const items = [...(llamaBenchJson.document?.(input.text("text"), {}) ?? [])];
	const note = items.find((item) => item.kind === "note");
	return {
		rows: measurementsOf(items).length,
		skipped_lines: note?.kind === "note" ? Number.parseInt(note.text, 10) : 0,
	}[field];
}

function ofRepetitions(input: Input, field: string): unknown {
	const trend = trendOf(input.numbers("tokens_per_s"));
	if (trend === null) throw new Error("too few repetitions");
	const { cold, steady, change, direction } = trend;
	return { cold, steady, loss_percent: 100 * change, trend_flag: direction }[field];
}

function ofColdStart(input: Input, field: string): unknown {
	const seconds = input.numbers("ttft_s");
	const { warm, mean: usable, warning } = warmPart(seconds);
	return { mean_with_cold: mean(seconds), usable, samples_used: warm.length, warn: warning }[field];
}

function ofPowerSweep(input: Input, field: string): unknown {
	const speeds = input.rows("rows").map((row) => row.number("tg"));
	const apart = outliers(speeds);
	return {
		outlier_tg: apart.map(({ value }) => value),
		median_tg: median(speeds),
		robust_z: apart[0]?.robustZ,
	}[field];
}

function ofTwoBuilds(input: Input, field: string): unknown {
	const measurements = measurementsOf(itemsOf(input));
	const speeds = (phase: Measurement["phase"]) =>
		measurements.filter((m) => m.phase === phase).map((m) => 1 / m.secondsMean);
	const ratio = ([before = Number.NaN, after = Number.NaN]: number[]) => after / before;
	const [first, last] = [measurements[0]?.conditions, measurements.at(-1)?.conditions];
	if (first === undefined || last === undefined) throw new Error("no measurements");
	const named: Record<string, string> = { engineVersion: "build" };
	const answers: Record<string, () => unknown> = {
		tg_ratio: () => ratio(speeds("decode")),
		pp_ratio: () => ratio(speeds("prefill")),
		differing_fields: () =>
			compareConditions(first, last).differing.map((name) => named[name] ?? name.replace("flags.", "")),
		merged: () => configurationKey(first) === configurationKey(last),
	};
	return answers[field]?.();
}

function ofBatchedRows(input: Input, field: string): unknown {
	const measurements = input.rows("rows").flatMap(({ raw }, index) => {
		const row = { pp: raw.PP, tg: raw.TG, pl: raw.B, n_kv: raw.N_KV, t_pp: raw.T_PP, t_tg: raw.T_TG };
		const speeds = { speed_pp: raw.S_PP, speed_tg: raw.S_TG };
		const header = { shared: null, separate: false };
		return measurementsOf(
			batchedItems({ ...row, ...speeds }, header, emptyConditions("llama.cpp"), `row ${index}`),
		);
	});
	const steps = decodes(measurements).map(({ secondsMean }) => secondsMean);
	return {
		per_user_decode_ts: steps.map((seconds) => 1 / seconds),
		step_ms: steps.map((seconds) => seconds * 1000),
		ttft_s: prefillPoints(measurements).map(({ seconds }) => seconds),
	}[field];
}

function ofClientRows(input: Input, field: string): unknown {
	const points = input.rows("rows").map((row) => ({
		...once,
		phase: "prefill" as const,
		tokens: row.number("isl"),
		cached: 0,
		batch: 1,
		seconds: row.number("ttft_ms") / 1000,
	}));
	const { nonMonotone, sameLengthSpread } = curveOddities(points);
	const fit = fitted(points);
	return {
		non_monotone_flag: nonMonotone,
		same_isl_spread_percent: 100 * (sameLengthSpread ?? Number.NaN),
		fit_quality_flag: fitQuality(fit),
		coefficients_nonnegative: Object.values(fit.coefficients).every((value) => value >= 0),
	}[field];
}

/** A claim of one request's speed against what the card's bandwidth allows. */
function ofClaim(input: Input, field: string): unknown {
	const params = (input.number("weights_gb") * 1e9) / 2;
	const model: ModelFacts = { ...llama8b, paramsTotal: params, paramsActive: params };
	const gpu: GpuFacts = {
		...h100,
		name: input.text("gpu"),
		bandwidthBytesPerSecond: input.number("bandwidth_gb_s") * 1e9,
	};
	const least = (rooflineFits(model, gpu).decode?.coefficients.c0 ?? Number.NaN) * MBU_ONE_GPU;
	const claim = {
		phase: "decode" as const,
		batch: input.number("batch"),
		context: 0,
		seconds: 1 / input.number("claimed_tok_s"),
	};
	const doubt = fasterThanRoofline(claim, model, gpu, { weights: "bf16", gpus: 1 });
	return {
		max_tok_s: 1 / least,
		flag: doubt !== null && /bandwidth/.test(doubt) ? "above bandwidth bound" : null,
	}[field];
}
