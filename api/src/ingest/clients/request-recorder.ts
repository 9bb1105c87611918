import type { Family, LineReader } from "../family.ts";
import { emptyConditions, finite, isRecord, positive, text } from "../fields.ts";
import { pinnedMemory } from "../pinned.ts";
import type { Conditions, Item } from "../record.ts";
import { isPossible, type LoggedRequest, requestLogItems } from "../served/request-log.ts";
import { jsonValues } from "../text/json.ts";
import { jsonLineReader } from "../text/json-lines.ts";
import { conditionsOfArguments } from "../vllm/arguments.ts";

type Row = Record<string, unknown>;

/**
 * Requests that a recorder inside vLLM wrote down, one a line: lengths, and when each was queued, scheduled,
 * had its first and its last token (one monotonic clock; `arrival_time` is of another). All are one run.
 */
export const requestRecorder: Family = {
	name: "vllm request-recorder jsonl",
	detect: ({ json }) => isRequest(json),
	lines: () => recordReader(),
};

/** The description beside such a recording: hardware, arguments and the KV pool. */
export const recorderMeta: Family = {
	name: "vllm request-recorder meta json",
	detect: ({ json }) => isMeta(json),
	document: function* (body) {
		for (const { value } of jsonValues(body)) if (isMeta(value)) yield* metaItems(value);
	},
};

function isRequest(value: unknown): value is Row {
	return isRecord(value) && "input_toks" in value && "output_toks" in value && "first_token_ts" in value;
}

function recordReader(): LineReader {
	const requests: LoggedRequest[] = [];
	let waitedSeconds = 0;
	return jsonLineReader({
		*row(row, at) {
			const request = isRequest(row) ? requestOf(row) : null;
			if (request === null)
				return yield { kind: "rejected", at, reason: "not the times of one request" } as Item;
			requests.push(request);
			waitedSeconds += Math.max(0, (finite(row.scheduled_ts) ?? request.start) - request.start);
		},
		*end() {
			if (requests.length === 0) return;
			const details = { meanQueueSeconds: waitedSeconds / requests.length };
			yield* requestLogItems("all requests", requests, emptyConditions("vllm"), details);
		},
	});
}

function requestOf(row: Row): LoggedRequest | null {
	const [input, output] = [finite(row.input_toks), finite(row.output_toks)];
	const [start, firstToken, end] = [
		finite(row.queued_ts),
		finite(row.first_token_ts),
		finite(row.last_token_ts),
	];
	if (input === null || output === null || start === null || firstToken === null || end === null) return null;
	const request = { input, output, start, firstToken, end };
	return isPossible(request) ? request : null;
}

function isMeta(value: unknown): value is Row {
	return isRecord(value) && isRecord(value.engine_kwargs) && isRecord(value.kv_cache);
}

function* metaItems(meta: Row): Generator<Item> {
	const pool = meta.kv_cache as Row;
	const [blocks, size] = [positive(pool.num_gpu_blocks), positive(pool.block_size)];
	const tokens = positive(pool.num_kv_tokens) ?? (blocks !== null && size !== null ? blocks * size : null);
	const args = meta.engine_kwargs as Row;
	if (tokens !== null) {
		yield {
			kind: "memory",
			at: "kv_cache",
			conditions: metaConditions(meta, args),
			memory: pinnedMemory({
				kvTokens: tokens,
				kvPoolBytes: positive(pool.kv_cache_memory_bytes),
				maxModelLen: positive(args.max_model_len),
			}),
		};
	}
	yield {
		kind: "aside",
		at: "file",
		reason: "a description of a recording; its requests are in the file beside it",
	};
}

function metaConditions(meta: Row, args: Row): Conditions {
	const hardware = isRecord(meta.hardware) ? meta.hardware : {};
	const gpus = positive(hardware.device_count);
	const given = conditionsOfArguments(args);
	return {
		...emptyConditions("vllm"),
		...given,
		engineVersion: text(meta.vllm_version),
		gpu: text(hardware.device_name),
		gpus: given.gpus ?? gpus,
		gpusBasis: given.gpus != null || gpus !== null ? "stated" : null,
	};
}
