import type { Family, LineReader } from "../family.ts";
import { emptyConditions, isRecord, positive, text } from "../fields.ts";
import type { Item } from "../record.ts";
import { jsonLineReader } from "../text/json-lines.ts";

type Row = Record<string, unknown>;

/** One batch of equal requests: `batch` sequences of `input` prompt and `output` generated tokens. */
interface Batch {
	batch: number;
	input: number;
	output: number;
}

/**
 * Rows of SGLang's bench_one_batch (offline: prefill and decode timed apart) and of bench_one_batch_server
 * (one batch through HTTP). Rows of data- or expert-parallel runs are per rank.
 */
export const sglangBatch: Family = {
	name: "sglang-one-batch jsonl",
	detect: ({ json }) => isBatchRow(json),
	lines: (): LineReader => {
		const conditions = emptyConditions("sglang");
		return jsonLineReader({
			row: (row, at) => (isBatchRow(row) ? rowItems(row, at, conditions) : [notBatch(at)]),
		});
	},
};

function isBatchRow(value: unknown): value is Row {
	if (!isRecord(value) || !("batch_size" in value && "input_len" in value && "output_len" in value))
		return false;
	return "prefill_latency" in value || "latency" in value || "total_latency" in value;
}

function notBatch(at: string): Item {
	return { kind: "rejected", at, reason: "not a row of one batch" };
}

function* rowItems(row: Row, at: string, conditions: ReturnType<typeof emptyConditions>): Generator<Item> {
	const [batch, input, output] = [
		positive(row.batch_size),
		positive(row.input_len),
		positive(row.output_len),
	];
	if (batch === null || input === null || output === null) {
		return yield { kind: "rejected", at, reason: "batch_size, input_len or output_len is no number above 0" };
	}
	const shape = { batch, input, output };
	const prefill = positive(row.prefill_latency) ?? serverTtft(row, shape);
	const decode = positive(row.median_decode_latency) ?? serverStep(row, shape, prefill);
	const shared = () => sharedOf(row, conditions);
	if (prefill !== null) {
		const measurement = { ...shared(), phase: "prefill" as const, tokens: input, cached: 0, batch };
		yield {
			kind: "measurement",
			at: `${at}, prefill`,
			measurement: { ...measurement, secondsMean: prefill },
		};
	}
	if (decode !== null) {
		const context = input + output / 2;
		const measurement = { ...shared(), phase: "decode" as const, batch, context, generated: output };
		yield { kind: "measurement", at: `${at}, decode`, measurement: { ...measurement, secondsMean: decode } };
	}
	if (prefill === null && decode === null) yield mixedItem(row, at, shape, shared());
}

/**
 * Seconds until the last sequence had its first token. Without the key it follows from an output throughput
 * that counts the time after it: batch · output / (latency − ttft); other versions divide by the latency.
 */
function serverTtft(row: Row, { batch, output }: Batch): number | null {
	const given = positive(row.ttft);
	const [latency, throughput] = [positive(row.latency), positive(row.output_throughput)];
	if (given !== null || latency === null || throughput === null) return given;
	const after = (batch * output) / throughput;
	return after < 0.999 * latency ? latency - after : null;
}

function serverStep(row: Row, { output }: Batch, ttft: number | null): number | null {
	const latency = positive(row.latency);
	if (latency === null || ttft === null || output <= 1 || latency <= ttft) return null;
	return (latency - ttft) / (output - 1);
}

function mixedItem(row: Row, at: string, shape: Batch, shared: ReturnType<typeof sharedOf>): Item {
	const secondsMean = positive(row.latency) ?? positive(row.total_latency);
	if (secondsMean === null) return { kind: "rejected", at, reason: "no latency above 0" };
	return {
		kind: "measurement",
		at,
		measurement: {
			...shared,
			phase: "mixed",
			tokens: shape.input,
			cached: 0,
			generated: shape.output,
			batch: shape.batch,
			secondsMean,
		},
	};
}

function sharedOf(row: Row, conditions: ReturnType<typeof emptyConditions>) {
	const name = text(row.run_name);
	return {
		conditions,
		startedAt: null,
		status: "ok" as const,
		notes: [] as string[],
		suspicions: [] as string[],
		seconds: [] as number[],
		secondsStd: null,
		repetitions: 1,
		details: name === null ? {} : { run_name: name },
	};
}
