import type { Family } from "../family.ts";
import { count, emptyConditions, finite, isRecord, modelName, positive, text } from "../fields.ts";
import type { Conditions, Item } from "../record.ts";
import { singleReading } from "../single-reading.ts";
import { jsonLineReader } from "../text/json-lines.ts";

type Row = Record<string, unknown>;

/**
 * Requests that carry more and more tools, one a line: `n_tools`, `status` and `t_first_byte_s` of each; optional
 * `t_headers_s`, `t_total_s`, `schema`, `tool_choice`, `request_bytes`, `error`, `server_model`, and the server's own `usage`
 * and `timings`. What the server refused is a failure with its seconds.
 */
export const toolSeries: Family = {
	name: "tool series jsonl",
	detect: ({ json, jsonLines }) =>
		jsonLines &&
		isRecord(json) &&
		count(json.n_tools) !== null &&
		("t_first_byte_s" in json || "t_total_s" in json),
	lines: () => {
		const known = new Map<string | null, Conditions>();
		return jsonLineReader({ row: (row, at) => [itemOf(row, at, known)] });
	},
};

function itemOf(row: unknown, at: string, known: Map<string | null, Conditions>): Item {
	const fields = isRecord(row) ? row : {};
	const tools = count(fields.n_tools);
	if (tools === null) return { kind: "rejected", at, reason: "n_tools must be a whole number of 0 or more" };
	const conditions = conditionsOf(fields, known);
	const reason = refusal(fields);
	if (reason !== null) {
		const seconds = positive(fields.t_total_s) ?? positive(fields.t_first_byte_s);
		const failure = { conditions, tokens: null, batch: tools, reason, startedAt: text(fields.started_at) };
		return {
			kind: "failure",
			at,
			failure: { ...failure, phase: "tools", seconds, details: detailsOf(fields) },
		};
	}
	const seconds = positive(fields.t_first_byte_s);
	if (seconds === null) return { kind: "rejected", at, reason: "t_first_byte_s must be a number above 0" };
	const reading = { ...singleReading(conditions, seconds), startedAt: text(fields.started_at) };
	const measurement = { ...reading, details: detailsOf(fields), tools, ...promptOf(fields) };
	return { kind: "measurement", at, measurement: { ...measurement, phase: "tools" } };
}

/** Why the server refused; null: it answered. */
function refusal({ status, error }: Row): string | null {
	const code = finite(status);
	const words = text(error) ?? (isRecord(error) ? text(error.message) : null);
	if (words === null && (code === null || (code >= 200 && code < 300))) return null;
	return [code, words ?? "refused without words"].filter((part) => part !== null).join(" ");
}

/** Prompt tokens and those of them that came from the cache, as the server counted. */
function promptOf({ usage, timings }: Row): { tokens: number | null; cached: number | null } {
	const [used, timed] = [isRecord(usage) ? usage : {}, isRecord(timings) ? timings : {}];
	const details = isRecord(used.prompt_tokens_details) ? used.prompt_tokens_details : {};
	const cached = count(timed.cache_n) ?? count(details.cached_tokens);
	const fresh = count(timed.prompt_n);
	const tokens = count(used.prompt_tokens) ?? (fresh === null ? null : fresh + (cached ?? 0));
	return { tokens, cached };
}

function detailsOf(row: Row): Record<string, unknown> {
	const timed = isRecord(row.timings) ? positive(row.timings.prompt_ms) : null;
	const details = {
		schema: text(row.schema),
		toolChoice: text(row.tool_choice),
		requestBytes: count(row.request_bytes),
		headersSeconds: positive(row.t_headers_s),
		promptSeconds: timed === null ? null : timed / 1000,
	};
	return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null));
}

/** Rows of one model share their conditions; engine and card are what the sender says beside the file. */
function conditionsOf(row: Row, known: Map<string | null, Conditions>): Conditions {
	const model = text(row.server_model);
	const conditions = known.get(model) ?? {
		...emptyConditions(null),
		model: model === null ? null : modelName(model),
	};
	known.set(model, conditions);
	return conditions;
}
