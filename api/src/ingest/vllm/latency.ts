import type { Family } from "../family.ts";
import { emptyConditions, isRecord, numbers, positive } from "../fields.ts";
import type { Conditions, Item, MixedMeasurement } from "../record.ts";
import { settle } from "../repetitions.ts";
import { findJson } from "../text/json.ts";

type Row = Record<string, unknown>;

/** Shape of the batches that `vllm bench latency` timed. */
export interface LatencyShape {
	input: number;
	output: number;
	batch: number;
}

/** The tool's defaults, which stand where the file does not name its shape. */
const DEFAULTS: LatencyShape = { input: 32, output: 128, batch: 8 };

/**
 * Results of `vllm bench latency --output-json`: seconds of whole batches, prompt and generation in one clock
 * reading. The file holds neither lengths nor batch nor model.
 */
export const vllmLatency: Family = {
	name: "vllm-latency json",
	detect: ({ json }) => isLatency(json),
	document: function* (body) {
		const reading = findJson(body);
		if (reading === null || !isLatency(reading.value)) return;
		yield latencyItem("result 1", reading.value, emptyConditions("vllm"), null);
	},
};

function isLatency(value: unknown): value is Row {
	return isRecord(value) && "avg_latency" in value && ("latencies" in value || "percentiles" in value);
}

/**
 * A mixed measurement of one latency result.
 * @param shape null: not known, the tool's defaults are assumed and the measurement is marked
 */
export function latencyItem(at: string, row: Row, conditions: Conditions, shape: LatencyShape | null): Item {
	const seconds = (numbers(row.latencies) ?? []).filter((value) => value > 0);
	const settled = settle(seconds);
	const secondsMean = settled?.seconds ?? positive(row.avg_latency);
	if (secondsMean === null) return { kind: "rejected", at, reason: "no latency above 0" };
	const { input, output, batch } = shape ?? DEFAULTS;
	const measurement: MixedMeasurement = {
		phase: "mixed",
		conditions,
		startedAt: null,
		status: "ok",
		notes: settled?.note == null ? [] : [settled.note],
		suspicions: shape === null ? [assumed()] : [],
		seconds,
		secondsMean,
		secondsStd: settled?.std ?? positive(row.std_latency),
		repetitions: seconds.length > 0 ? seconds.length : null,
		details: isRecord(row.percentiles) ? { percentiles: row.percentiles } : {},
		tokens: input,
		cached: 0,
		generated: output,
		batch,
	};
	return { kind: "measurement", at, measurement };
}

function assumed(): string {
	const { input, output, batch } = DEFAULTS;
	return `lengths and batch are not in the file: the tool's defaults (${input} in, ${output} out, ${batch} sequences) are assumed`;
}
