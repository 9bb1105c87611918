import type { Family } from "../family.ts";
import { finite, isRecord } from "../fields.ts";
import type { Item } from "../record.ts";
import { jsonValues } from "../text/json.ts";
import { cutRow } from "../text/json-lines.ts";

type Row = Record<string, unknown>;

/**
 * Results of `vllm bench throughput --output-json`. Prompt and output tokens are added up in one figure and
 * no latency is given, so that no point follows from it.
 */
export const vllmThroughput: Family = {
	name: "vllm-throughput json",
	detect: ({ json }) => isThroughput(json),
	document: function* (body) {
		let number = 0;
		for (const { value, open, fault } of jsonValues(body)) {
			const at = `result ${++number}`;
			if (isThroughput(value)) yield throughputItem(at, value);
			else if (open.size > 0) yield cutRow(at, fault);
		}
	},
};

function isThroughput(value: unknown): value is Row {
	return isRecord(value) && "elapsed_time" in value && "total_num_tokens" in value;
}

/** The figures of an offline run, set aside with the reason. */
export function throughputItem(at: string, row: Row): Item {
	const [requests, tokens, seconds] = [row.num_requests, row.total_num_tokens, row.elapsed_time].map(finite);
	return {
		kind: "aside",
		at,
		reason:
			`offline throughput of ${requests ?? "?"} requests, ${tokens ?? "?"} tokens in ${seconds ?? "?"} s: ` +
			"prompt and output tokens are one sum and no latency is given, so no point follows",
	};
}
