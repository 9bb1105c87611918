import { markCacheHits } from "./doubts.ts";
import type { Family } from "./family.ts";
import { count, emptyConditions, finite, positive, statistics, text } from "./fields.ts";
import { pythonPairs } from "./python-literal.ts";
import type { Conditions, Statistics } from "./record.ts";
import { emptyRun, type ServeRun, serveItems } from "./serve-run.ts";
import { servedModel, weightsInName } from "./served-model.ts";

const BEGIN = /=+ Serving Benchmark Result =+/;
const END = /^=+\s*$/;
const ROW = /^\s*(\S[^:]*?):\s+(\S.*?)\s*$/;

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
		const runs = [...blocksOf(body)].map(runOf);
		markCacheHits(runs);
		for (const run of runs) yield* serveItems(run);
	},
};

function* blocksOf(body: string): Generator<Block> {
	let args: Record<string, unknown> = {};
	let block: Block | null = null;
	let number = 0;
	for (const line of body.split("\n")) {
		number++;
		if (BEGIN.test(line)) {
			if (block !== null) yield block;
			block = { line: number, rows: new Map(), whole: false, arguments: args };
		} else if (block === null) args = argumentsOf(line) ?? args;
		else if (END.test(line)) {
			yield { ...block, whole: true };
			block = null;
		} else readRow(line, block.rows);
	}
	if (block !== null) yield block;
}

/** "Namespace(…)" of vLLM, "benchmark_args=Namespace(…)" of SGLang. */
function argumentsOf(line: string): Record<string, unknown> | null {
	const at = line.indexOf("Namespace(");
	return at === -1 ? null : pythonPairs(line, at + "Namespace(".length);
}

function readRow(line: string, rows: Map<string, string>): void {
	const found = ROW.exec(line);
	if (found !== null) rows.set((found[1] ?? "").trim(), found[2] ?? "");
}

function runOf({ line, rows, whole, arguments: args }: Block): ServeRun {
	const at = `line ${line}`;
	const completed = count(rows.get("Successful requests"));
	const failed = count(rows.get("Failed requests"));
	const first = (...labels: string[]) =>
		labels.map((label) => rows.get(label)).find((value) => value !== undefined);
	const rate =
		finite(first("Request rate configured (RPS)", "Traffic request rate")) ?? finite(args.request_rate);
	const limit =
		positive(first("Maximum request concurrency", "Max request concurrency")) ??
		positive(args.max_concurrency);
	const input = perRequest(rows.get("Total input tokens"), completed);
	return {
		...emptyRun(at, conditionsOf(args, rows)),
		input,
		output: perRequest(rows.get("Total generated tokens"), completed),
		requested: completed !== null && failed !== null ? completed + failed : count(args.num_prompts),
		completed,
		cut: !whole,
		durationSeconds: positive(rows.get("Benchmark duration (s)")),
		requestsPerSecond: positive(rows.get("Request throughput (req/s)")),
		rate,
		limit,
		closedLoop: limit !== null && rate === null,
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

function perRequest(total: unknown, completed: number | null): number | null {
	const tokens = positive(total);
	return tokens === null || completed === null || completed === 0 ? null : tokens / completed;
}

function timesOf(rows: ReadonlyMap<string, string>, quantity: string): Statistics | null {
	const row = (name: string) => rows.get(`${name} ${quantity} (ms)`);
	return statistics(
		{
			mean: row("Mean"),
			p50: row("Median"),
			p90: row("P90"),
			p95: row("P95"),
			p99: row("P99"),
			std: row("Std"),
		},
		0.001,
	);
}

/** The client names the model; its other arguments are of the load, and of the server it knows nothing. */
function conditionsOf(args: Record<string, unknown>, rows: ReadonlyMap<string, string>): Conditions {
	const model = text(args.model) ?? text(args.served_model_name);
	const speculative = rows.has("Acceptance length") || rows.has("Accept length");
	return {
		...emptyConditions(null),
		model: model === null ? null : servedModel(model),
		weights: model === null ? null : weightsInName(model),
		flags: speculative ? { speculative_decoding: true } : {},
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

/**
 * A remark where the prompts were not as long as the client was told to make them: the option does nothing
 * with another data set, and what counts is what was sent.
 */
export function lengthRemark(asked: number | null, measured: number | null): string | null {
	if (asked === null || measured === null || Math.abs(measured - asked) <= 0.1 * asked) return null;
	return `flag and data disagree: ${asked} input tokens were asked for, ${Number(measured.toFixed(1))} were sent on average`;
}
