import { truth } from "../fields.ts";
import type { Item } from "../record.ts";
import { isRule, tableCells, wholeRows } from "../text/markdown-table.ts";
import { type BatchedRow, batchedItems, sweepItems } from "./batched-bench.ts";
import { LlamaBenchRows } from "./bench-row.ts";
import { benchTableRow, isBenchHeader } from "./bench-table.ts";
import { llamaCommand } from "./command.ts";
import { failedModel, failureReason } from "./failures.ts";
import { LlamaRun } from "./run.ts";
import { LlamaTimings } from "./timings.ts";

interface Table {
	kind: "bench" | "batched" | "sweep";
	header: string[];
	at: string;
	rows: number;
}

const BENCH_BUILD = /^build: ([0-9a-f]{6,12}|unknown) \((\d+)\)/;
const HEADER_LINE = /\bn_kv_max = \d+, .*\bn_batch = \d+|\bn_kv_max = \d+, is_pp_shared/;
const OUT_OF_MEMORY = /memory|allocat|context/i;
const BUILD_HEADING = /^#+\s+(CPU|Vulkan|CUDA|ROCm|HIP|Metal|SYCL)(?:\s+build)?\s*$/i;
const HUB = /(?:^#+\s+|huggingface\.co\/)([\w.-]+\/[\w.-]+)\s*$/;
const DEVICE_COUNT = /(ggml_\w+): [Ff]ound \d+ \w+ devices/;

/**
 * Reads any text that llama.cpp tools print: tables of three benchmarks, start-up lines with memory figures,
 * timings of requests, failures; pasted in a forum, out of a notebook, or straight from stderr.
 */
export class LlamaText {
	private readonly rows = new LlamaBenchRows();
	private run = new LlamaRun();
	private readonly timings = new LlamaTimings();
	private table: Table | null = null;
	private waiting: { row: Record<string, unknown>; at: string }[] = [];
	private failure: { reason: string; at: string } | null = null;
	private shared: boolean | null = null;
	private separate = false;
	private heading: string | null = null;
	private brokenHeader = "";
	private found = 0;
	private readonly oneMachine: boolean;

	/** @param oneMachine all runs of the text used the same devices, as the cells of a notebook do */
	constructor(oneMachine = false) {
		this.oneMachine = oneMachine;
	}

	*read(text: string): Generator<Item> {
		for (const { line, number } of wholeRows(text, (cells) => tableKind(cells) !== null))
			yield* this.counted(this.line(line, `line ${number}`));
		yield* this.counted(this.finishRun());
		if (this.found > 0) return;
		const reason = "start-up lines only: the run ended before its first result and printed no memory figures";
		yield { kind: "rejected", at: "the whole file", reason };
	}

	private *counted(items: Iterable<Item>): Generator<Item> {
		for (const item of items) {
			if (item.kind !== "note") this.found++;
			yield item;
		}
	}

	private *line(line: string, at: string): Generator<Item> {
		const cells = tableCells(line);
		if (cells !== null) {
			yield* this.cells(cells, at);
			return;
		}
		if (line.trim().startsWith("|") && this.table !== null) yield this.cutRow(at);
		const build = BENCH_BUILD.exec(line.trim());
		if (build !== null) {
			yield* this.flushRows({ build_commit: build[1], build_number: build[2] });
			return;
		}
		if (line.trim() !== "") yield* this.closeTable();
		yield* this.context(line, at);
	}

	/** Everything but tables: where a new run begins, and what is said about it. */
	private *context(line: string, at: string): Generator<Item> {
		const command = llamaCommand(line);
		if (command !== null) {
			if (this.run.begun) yield* this.newRun();
			this.run.command(command);
			this.run.heading = this.heading;
			return;
		}
		const timed = this.timings.take(line, at, () => this.run.conditions());
		if (timed !== null) {
			this.run.busy = true;
			yield* timed;
			return;
		}
		if (/^#+ /.test(line)) this.heading = BUILD_HEADING.exec(line)?.[1] ?? null;
		if (this.beginsRun(line)) yield* this.newRun();
		const hub = HUB.exec(line)?.[1];
		if (hub !== undefined) this.run.model ??= hub;
		this.headerLine(line);
		this.run.take(line);
		const reason = failureReason(line);
		if (reason === null) return;
		this.failure ??= { reason, at };
		this.run.model ??= failedModel(line);
	}

	/** A heading, devices found once more, or another model loaded: what follows is another run. */
	private beginsRun(line: string): boolean {
		if (!this.run.begun) return false;
		if (/^#+ /.test(line)) return this.run.busy;
		if (DEVICE_COUNT.test(line)) return this.run.busy || this.run.devices.length > 0;
		return this.run.busy && /llama_model_loader: loaded meta data/.test(line);
	}

	/** The line of settings above a table; where a terminal broke it, its end stands on the next line. */
	private headerLine(line: string): void {
		const whole = this.brokenHeader + line;
		this.brokenHeader = "";
		if (!HEADER_LINE.test(whole)) return;
		this.benchmarkHeader(whole);
		if (!/n_threads_batch = -?\d/.test(whole)) this.brokenHeader = whole;
	}

	private benchmarkHeader(line: string): void {
		const fields = Object.fromEntries(
			[...line.matchAll(/(\w+) = (-?\w+)/g)].map(([, name, value]) => [name, value]),
		);
		this.shared = truth(fields.is_pp_shared);
		this.separate = truth(fields.is_tg_separate) === true;
		this.run.header(fields);
	}

	private *cells(cells: string[], at: string): Generator<Item> {
		const kind = tableKind(cells);
		if (kind !== null) {
			yield* this.closeTable();
			if (kind === "bench") yield* this.flushRows({});
			this.table = { kind, header: cells, at, rows: 0 };
			return;
		}
		if (this.table === null || isRule(cells)) return;
		this.table.rows++;
		this.run.busy = true;
		if (this.table.kind === "bench") yield* this.benchRow(this.table, cells, at);
		else yield* this.lengthRow(this.table, cells, at);
	}

	private *benchRow(table: Table, cells: string[], at: string): Generator<Item> {
		const row = benchTableRow(table.header, cells);
		if (row === null) yield this.cutRow(at);
		else this.waiting.push({ row, at });
	}

	private *lengthRow(table: Table, cells: string[], at: string): Generator<Item> {
		if (cells.length !== table.header.length) {
			yield this.cutRow(at);
			return;
		}
		const cell = (name: string) => cells[table.header.indexOf(name)];
		const row: BatchedRow = {
			pp: cell("PP"),
			tg: cell("TG"),
			pl: cell("B"),
			n_kv: cell("N_KV"),
			t_pp: cell("T_PP s"),
			t_tg: cell("T_TG s"),
			speed_pp: cell("S_PP t/s"),
			speed_tg: cell("S_TG t/s"),
		};
		const conditions = this.run.conditions();
		if (table.kind === "sweep") yield* sweepItems(row, conditions, at);
		else yield* batchedItems(row, { shared: this.shared, separate: this.separate }, conditions, at);
	}

	private cutRow(at: string): Item {
		return { kind: "rejected", at, reason: "the row was cut: it has not the cells of its header" };
	}

	/** Rows of llama-bench wait for the build line below their table. */
	private *flushRows(build: Record<string, unknown>): Generator<Item> {
		for (const { row, at } of this.waiting)
			yield this.rows.item({ ...this.runFields(), ...row, ...build }, at);
		this.waiting = [];
		if (this.table?.kind === "bench") this.table = null;
	}

	private runFields(): Record<string, unknown> {
		const fields: Record<string, unknown> = { gpu_info: this.run.machine.join(", "), ...this.run.driver };
		const { model } = this.run;
		// "ggml-model-Q4_K_M.gguf" names no model; the table's own "llama 70B" does.
		if (model?.endsWith(".gguf") && !/^(?:ggml-)?model[-_.]/i.test(model)) fields.model_filename = model;
		return fields;
	}

	private *closeTable(): Generator<Item> {
		const { table } = this;
		if (table === null || (table.kind === "bench" && this.waiting.length > 0)) return;
		this.table = null;
		if (table.rows > 0) return;
		yield {
			kind: "rejected",
			at: table.at,
			reason: "a table without rows: the run ended before its first result",
		};
	}

	private *newRun(): Generator<Item> {
		yield* this.finishRun();
		this.run = new LlamaRun(this.oneMachine ? this.run.machine : []);
		this.run.heading = this.heading;
		this.shared = null;
		this.separate = false;
	}

	private *finishRun(): Generator<Item> {
		yield* this.flushRows({});
		yield* this.closeTable();
		const memory = this.run.facts();
		if (memory !== null) {
			const unequal = this.run.memory.unequal();
			if (unequal !== null)
				yield { kind: "note", text: `KV buffers differ between devices (${unequal}); the mean is kept.` };
			yield { kind: "memory", at: "start-up lines", conditions: this.run.conditions(), memory };
		}
		if (this.failure !== null) {
			const { reason, at } = this.failure;
			const failure = {
				conditions: this.run.conditions(),
				phase: "prefill" as const,
				tokens: OUT_OF_MEMORY.test(reason) ? this.run.memory.length : null,
				batch: null,
				reason,
				startedAt: null,
			};
			yield { kind: "failure", at, failure };
		}
		this.failure = null;
	}
}

function tableKind(cells: readonly string[]): Table["kind"] | null {
	if (isBenchHeader(cells)) return "bench";
	if (cells[0] !== "PP" || cells[1] !== "TG") return null;
	if (cells[2] === "B" && cells.at(-1) === "S t/s") return "batched";
	return cells[2] === "N_KV" && cells.at(-1) === "S_TG t/s" ? "sweep" : null;
}
