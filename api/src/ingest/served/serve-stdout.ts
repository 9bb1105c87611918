import type { Family } from "../family.ts";
import { count, emptyConditions, finite, positive, text } from "../fields.ts";
import type { Conditions, Statistics } from "../record.ts";
import { pythonPairs } from "../text/python-literal.ts";
import { startupLogItems } from "../vllm/log.ts";
import { lengthRemark, markOddLoads } from "./doubts.ts";
import { flatStatistics, isUnlimited, perRequest } from "./run-fields.ts";
import { serveItems } from "./serve-items.ts";
import { emptyRun, type ServeRun } from "./serve-run.ts";
import { servedModel } from "./served-model.ts";

const BEGIN = /=+ Serving Benchmark Result =+/;
/** Blocks are kept as comments of scripts too. */
const END = /^[#\s]*=+\s*$/;
const ROW = /^[#\s]*(\S[^:]*?):\s+(\S.*?)\s*$/;

/** The figures of one block by their label, with what stood before it. */
interface Block {
	line: number;
	rows: Map<string, string>;
	whole: boolean;
	/** Arguments of the client, from the Namespace(…) line above. */
	arguments: Record<string, unknown>;
}

/**
 * What `vllm bench serve` and SGLang's bench_serving print, for runs without a result file. Figures have two
 * decimals.
 */
export const serveStdout: Family = {
	name: "serve stdout",
	detect: ({ text }) => BEGIN.test(text),
	document: function* (body) {
		const server = [...startupLogItems(body)];
		const pinned = server.flatMap((item) => (item.kind === "memory" ? [item.conditions] : []));
		const runs = [...blocksOf(body)].map((block) =>
			runOf(block, pinned.length === 1 ? pinned[0] : undefined),
		);
		markOddLoads(runs);
		for (const run of runs) yield* serveItems(run);
		yield* server;
	},
};

function* blocksOf(body: string): Generator<Block> {
	let args: Record<string, unknown> = {};
	let block: Block | null = null;
	const lines = body.split("\n");
	for (const [index, line] of lines.entries()) {
		if (BEGIN.test(line)) {
			if (block !== null) yield block;
			block = { line: index + 1, rows: new Map(), whole: false, arguments: args };
		} else if (block === null) args = argumentsOf(lines, index) ?? args;
		else if (END.test(line)) {
			yield { ...block, whole: true };
			block = null;
		} else readRow(line, block.rows);
	}
	if (block !== null) yield block;
}

/** Lines that a terminal may have broken the arguments into, at most. */
const BROKEN_LINES = 60;

/** "Namespace(…)" of vLLM, "benchmark_args=Namespace(…)" of SGLang. */
function argumentsOf(lines: readonly string[], index: number): Record<string, unknown> | null {
	const line = lines[index] ?? "";
	const at = line.indexOf("Namespace(");
	if (at === -1) return null;
	const whole = /\)\s*$/.test(line) ? line : lines.slice(index, index + BROKEN_LINES).join("");
	return pythonPairs(whole, at + "Namespace(".length);
}

function readRow(line: string, rows: Map<string, string>): void {
	const found = ROW.exec(line);
	if (found !== null) rows.set((found[1] ?? "").trim(), found[2] ?? "");
}

/** @param server conditions of the one server whose start stands in the same text */
function runOf({ line, rows, whole, arguments: args }: Block, server: Conditions | undefined): ServeRun {
	const at = `line ${line}`;
	const completed = count(rows.get("Successful requests"));
	const failed = count(rows.get("Failed requests"));
	const first = (...labels: string[]) =>
		labels.map((label) => rows.get(label)).find((value) => value !== undefined);
	const offered = first("Request rate configured (RPS)", "Traffic request rate") ?? args.request_rate;
	const rate = finite(offered);
	const limit =
		positive(first("Maximum request concurrency", "Max request concurrency")) ??
		positive(args.max_concurrency);
	const input = perRequest(positive(rows.get("Total input tokens")), completed);
	return {
		...emptyRun(at, conditionsOf(args, rows, server)),
		input,
		output: perRequest(positive(rows.get("Total generated tokens")), completed),
		requested: completed !== null && failed !== null ? completed + failed : count(args.num_prompts),
		completed,
		cut: !whole,
		durationSeconds: positive(rows.get("Benchmark duration (s)")),
		requestsPerSecond: positive(rows.get("Request throughput (req/s)")),
		rate,
		limit,
		closedLoop: limit !== null && rate === null,
		atOnce: limit === null && isUnlimited(offered),
		measuredInFlight: positive(rows.get("Concurrency")),
		ttft: timesOf(rows, "TTFT"),
		tpot: timesOf(rows, "TPOT"),
		itl: timesOf(rows, "ITL"),
		e2e: timesOf(rows, "E2EL") ?? timesOf(rows, "E2E Latency"),
		outputTokensPerSecond: positive(rows.get("Output token throughput (tok/s)")),
		details: detailsOf(rows, args),
		notes: lengthRemarks(args, input),
	};
}

function timesOf(rows: ReadonlyMap<string, string>, quantity: string): Statistics | null {
	const capital = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;
	return flatStatistics(Object.fromEntries(rows), (name) => `${capital(name)} ${quantity} (ms)`, 0.001);
}

/** The client names the model; of the server it knows nothing but what stands in the same text. */
function conditionsOf(
	args: Record<string, unknown>,
	rows: ReadonlyMap<string, string>,
	server: Conditions = emptyConditions(null),
): Conditions {
	const client = servedModel(text(args.model) ?? text(args.served_model_name));
	const speculative = rows.has("Acceptance length") || rows.has("Accept length");
	return {
		...server,
		model: server.model ?? client.model,
		weights: server.weights ?? client.weights,
		flags: speculative ? { ...server.flags, speculative_decoding: true } : server.flags,
	};
}

/** Client settings that say what the requests were; paths, headers and addresses stay out. */
const KEPT = [
	"backend",
	"dataset_name",
	"burstiness",
	"ignore_eos",
	"seed",
	"temperature",
	"random_range_ratio",
];

function detailsOf(
	rows: ReadonlyMap<string, string>,
	args: Record<string, unknown>,
): Record<string, unknown> {
	const details: Record<string, unknown> = {};
	for (const key of KEPT) if (args[key] !== undefined && args[key] !== null) details[key] = args[key];
	for (const [label, value] of rows) {
		const number = finite(value);
		if (number !== null && !/^(?:Mean|Median|P\d+|Std)\b/.test(label)) details[label] = number;
	}
	return details;
}

function lengthRemarks(args: Record<string, unknown>, input: number | null): string[] {
	const asked = args.dataset_name === "random" ? positive(args.random_input_len) : null;
	const remark = lengthRemark(asked, input);
	return remark === null ? [] : [remark];
}
