import type { Family } from "../family.ts";
import { count, emptyConditions, isRecord, truth } from "../fields.ts";
import type { Conditions } from "../record.ts";
import { jsonLineReader } from "../text/json-lines.ts";
import { type BatchedRow, batchedFlags, batchedItems } from "./batched-bench.ts";
import { deviceNames, noteDevice } from "./devices.ts";
import { failureOfLine } from "./failures.ts";

function isBatchedRow(value: unknown): value is BatchedRow & Record<string, unknown> {
	return isRecord(value) && "t_pp" in value && "pl" in value && "pp" in value;
}

/** llama-batched-bench --output-format jsonl. Neither model nor GPU nor build is in it: the sender must say. */
export const batchedBenchJsonl: Family = {
	name: "llama-batched-bench jsonl",
	detect: ({ json }) => isBatchedRow(json),
	lines: () => {
		const known = new Map<string, Conditions>();
		const startup: string[] = [];
		return jsonLineReader({
			row(row, at) {
				if (!isBatchedRow(row))
					return [{ kind: "rejected", at, reason: "no batched-bench row: t_pp, pp or pl is missing" }];
				const header = { shared: truth(row.is_pp_shared), separate: truth(row.is_tg_separate) === true };
				return batchedItems(row, header, conditionsOf(row, known, startup), at);
			},
			noise(line, at) {
				noteDevice(line, startup);
				const failure = failureOfLine(line, at, [...known.values()].at(-1));
				return failure === null ? [] : [failure];
			},
		});
	},
};

function conditionsOf(
	row: Record<string, unknown>,
	known: Map<string, Conditions>,
	startup: string[],
): Conditions {
	const flags = batchedFlags(row);
	const key = JSON.stringify(flags);
	let conditions = known.get(key);
	if (conditions === undefined) {
		const cpu = count(row.n_gpu_layers) === 0;
		conditions = {
			...emptyConditions("llama.cpp"),
			gpu: cpu ? null : deviceNames(startup),
			gpus: cpu ? 0 : startup.length || null,
			gpusBasis: cpu ? "stated" : startup.length > 0 ? "inferred" : null,
			flags,
		};
		known.set(key, conditions);
	}
	return conditions;
}
