import type { Family } from "../family.ts";
import { count, emptyConditions, finite, isRecord, positive, text } from "../fields.ts";
import { pinnedMemory } from "../pinned.ts";
import type { Conditions, Item, Statistics } from "../record.ts";
import { markOddLoads } from "../served/doubts.ts";
import { flatStatistics, isUnlimited, perRequest } from "../served/run-fields.ts";
import { serveItems } from "../served/serve-items.ts";
import { emptyRun, type ServeRun } from "../served/serve-run.ts";
import { jsonValues } from "../text/json.ts";
import { cutRow } from "../text/json-lines.ts";
import { requestFacts } from "../vllm/serve-detail.ts";
import { conditionsOfServer } from "./arguments.ts";

type Row = Record<string, unknown>;

/**
 * Results of SGLang's bench_serving (`--output-file`, one object a line, appended). Unlike vLLM's they give
 * the measured concurrency and the arguments of the server.
 */
export const sglangServe: Family = {
	name: "sglang-serve jsonl",
	detect: ({ json }) => isSglangRow(json),
	document: function* (body) {
		const runs: ServeRun[] = [];
		let number = 0;
		for (const { value, open, fault } of jsonValues(body)) {
			const at = `result ${++number}`;
			if (isSglangRow(value)) runs.push(runOf(value, at, open.has(value)));
			else if (open.size > 0) yield cutRow(at, fault);
		}
		markOddLoads(runs);
		for (const [index, run] of runs.entries()) {
			if (index === 0) yield* poolItems(body, run.conditions);
			yield* serveItems(run);
		}
	},
};

function isSglangRow(value: unknown): value is Row {
	if (!isRecord(value)) return false;
	return "mean_e2e_latency_ms" in value || ("total_throughput" in value && "completed" in value);
}

function runOf(row: Row, at: string, cut: boolean): ServeRun {
	const completed = count(row.completed);
	const facts = requestFacts(row);
	const limit = positive(row.max_concurrency);
	const rate = finite(row.request_rate);
	return {
		...emptyRun(at, conditionsOf(row)),
		input: perRequest(positive(row.total_input_tokens), completed),
		output: perRequest(positive(row.total_output_tokens), completed),
		requested: count(row.num_prompts) ?? (facts === null ? completed : facts.requests.length + facts.failed),
		completed,
		cut,
		durationSeconds: positive(row.duration),
		requestsPerSecond: positive(row.request_throughput),
		rate,
		limit,
		closedLoop: limit !== null && rate === null,
		atOnce: limit === null && isUnlimited(row.request_rate),
		measuredInFlight: positive(row.concurrency),
		ttft: timesOf(row, "ttft") ?? facts?.ttft ?? null,
		tpot: timesOf(row, "tpot") ?? facts?.tpot ?? null,
		itl: timesOf(row, "itl"),
		e2e: timesOf(row, "e2e_latency") ?? facts?.e2e ?? null,
		outputTokensPerSecond: positive(row.output_throughput),
		requests: facts?.requests ?? [],
		details: detailsOf(row),
	};
}

function timesOf(row: Row, quantity: string): Statistics | null {
	return flatStatistics(row, (name) => `${name}_${quantity}_ms`, 0.001);
}

/** Only SGLang's server answers with `server_info`; the back ends that begin with its name speak to it too. */
function conditionsOf(row: Row): Conditions {
	const server = isRecord(row.server_info) ? row.server_info : null;
	const native = text(row.backend)?.startsWith("sglang") === true;
	const conditions = emptyConditions(server !== null || native ? "sglang" : null);
	const speculative = (positive(row.accept_length) ?? 1) > 1;
	if (speculative) conditions.flags.speculative_decoding = true;
	return server === null ? conditions : { ...conditions, ...conditionsOfServer(server, conditions.flags) };
}

const KEPT = [
	"backend",
	"dataset_name",
	"random_input_len",
	"random_output_len",
	"random_range_ratio",
	"request_rate",
	"total_input_tokens",
	"total_output_tokens",
	"total_output_tokens_retokenized",
	"input_throughput",
	"total_throughput",
	"accept_length",
	"max_output_tokens_per_s",
	"max_concurrent_requests",
	"p95_itl_ms",
	"max_itl_ms",
	"tag",
];

function detailsOf(row: Row): Row {
	const kept = KEPT.filter((key) => finite(row[key]) !== null || text(row[key]) !== null);
	return Object.fromEntries(kept.map((key) => [key, row[key]]));
}

/** The KV pool, where the server told it with its arguments. */
function* poolItems(body: string, conditions: Conditions): Generator<Item> {
	const tokens = positive(/"max_total_num_tokens"\s*:\s*(\d+)/.exec(body)?.[1]);
	if (tokens === null) return;
	yield {
		kind: "memory",
		at: "result 1, server_info",
		conditions,
		memory: pinnedMemory({ kvTokens: tokens }),
	};
}
