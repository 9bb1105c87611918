import { finite } from "../fields.ts";
import { rounded } from "./run.ts";

/** Column names of the table and the fields they are in the other layouts. Others keep their name. */
const FIELDS: Record<string, string> = {
	model: "model_type",
	backend: "backends",
	ngl: "n_gpu_layers",
	threads: "n_threads",
	sm: "split_mode",
	nkvo: "no_kv_offload",
	fa: "flash_attn",
	dev: "devices",
	ts: "tensor_split",
	ot: "tensor_buft_overrides",
	mmap: "use_mmap",
	dio: "use_direct_io",
	lm: "load_mode",
	embd: "embeddings",
	nopo: "no_op_offload",
	noh: "no_host",
	fitt: "fit_target",
	fitc: "fit_min_ctx",
	ncmoe: "n_cpu_moe",
};

/** A speed cell: "4030.40 ± 9.37", also with a damaged sign ("Â±", "+/-", "�") or none. */
const SPEED = /^([\d.]+(?:e[+-]?\d+)?)(?:\s*[^\d\s.][^\d]{0,4}?\s*([\d.]+(?:e[+-]?\d+)?))?$/i;

/** Whether the cells are the header of a llama-bench table. */
export function isBenchHeader(cells: readonly string[]): boolean {
	return cells[0] === "model" && cells.includes("test") && cells.at(-1) === "t/s";
}

/**
 * A table row as a row of the other layouts. A column that is missing is a default of that build, which
 * changed over time: it stays unknown. null: the cells do not fit the header.
 */
export function benchTableRow(
	header: readonly string[],
	cells: readonly string[],
): Record<string, unknown> | null {
	if (cells.length !== header.length) return null;
	const row: Record<string, unknown> = {};
	for (const [column, name] of header.entries()) {
		const cell = cells[column] ?? "";
		if (name === "size") row.model_size = rounded(cell) ?? undefined;
		else if (name === "params") row.model_n_params = rounded(cell) ?? undefined;
		else if (name === "t/s") Object.assign(row, speed(cell));
		else row[FIELDS[name] ?? name] = cell;
	}
	return row;
}

function speed(cell: string): { avg_ts: unknown; stddev_ts: unknown } {
	const [, value, spread] = SPEED.exec(cell) ?? [];
	return { avg_ts: finite(value) ?? cell, stddev_ts: finite(spread) };
}
