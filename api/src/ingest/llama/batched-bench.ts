import { count, finite, positive } from "../fields.ts";
import type { Conditions, Item, Measurement } from "../record.ts";
import { singleReading } from "../single-reading.ts";
import { flashAttention } from "./bench-settings.ts";

/** A row of llama-batched-bench, from JSONL or a table. */
export interface BatchedRow {
	/** Prompt and generated tokens of each sequence, number of sequences. */
	pp: unknown;
	tg: unknown;
	pl: unknown;
	/** Tokens in the cache at the end of the row. */
	n_kv: unknown;
	/** Seconds of the prompt pass and of the generation. */
	t_pp: unknown;
	t_tg: unknown;
	/** The same as tokens per second; a table rounds seconds to 0.001 and speeds much less. */
	speed_pp: unknown;
	speed_tg: unknown;
}

export interface BatchedHeader {
	/** One prompt is shared by all sequences; null: not said, then N_KV shows it. */
	shared: boolean | null;
	/** The sequences generate one after the other. */
	separate: boolean;
}

/**
 * The two readings of a row: the prompts of all sequences at once, and the steps of all sequences together.
 * prefill seconds = t_pp of `pl` prompts (one when shared); decode seconds per step = t_tg/tg.
 */
export function batchedItems(
	row: BatchedRow,
	header: BatchedHeader,
	conditions: Conditions,
	at: string,
): Item[] {
	const [prompt, generated, sequences] = [count(row.pp), count(row.tg), count(row.pl)];
	if (
		prompt === null ||
		generated === null ||
		sequences === null ||
		sequences === 0 ||
		prompt + generated === 0
	) {
		return [{ kind: "rejected", at, reason: "PP, TG and B must be whole numbers" }];
	}
	const shared = header.shared ?? sharedByCache(prompt, generated, sequences, count(row.n_kv));
	const prompts = shared ? 1 : sequences;
	const batch = header.separate ? 1 : sequences;
	const whole = exactSeconds(row.t_tg, row.speed_tg, sequences * generated);
	const step = whole === null ? null : whole / generated / (header.separate ? sequences : 1);
	const context = prompt + (generated - 1) / 2;
	return readings(row, conditions, at, {
		prefill: { tokens: prompt, cached: 0, batch: prompts },
		decode: { generated, context, batch, step },
	});
}

/** N_KV = PP + B·TG, where separate prompts need B·(PP + TG). */
function sharedByCache(prompt: number, generated: number, sequences: number, cells: number | null): boolean {
	return sequences > 1 && cells === prompt + sequences * generated;
}

/** A row of llama-sweep-bench: N_KV is the fill of the cache *before* the row; always one sequence. */
export function sweepItems(row: BatchedRow, conditions: Conditions, at: string): Item[] {
	const [prompt, generated, depth] = [count(row.pp), count(row.tg), count(row.n_kv)];
	if (prompt === null || generated === null || depth === null || prompt + generated === 0) {
		return [{ kind: "rejected", at, reason: "PP, TG and N_KV must be whole numbers" }];
	}
	const whole = exactSeconds(row.t_tg, row.speed_tg, generated);
	const step = whole === null ? null : whole / generated;
	return readings(row, conditions, at, {
		prefill: { tokens: prompt, cached: depth, batch: 1 },
		decode: { generated, context: depth + (generated - 1) / 2, batch: 1, step },
	});
}

interface Shapes {
	prefill: { tokens: number; cached: number; batch: number };
	decode: { generated: number; context: number; batch: number; step: number | null };
}

/** The two readings of a row; a part that was not run (no prompt, no generation) is none. */
function readings(row: BatchedRow, conditions: Conditions, at: string, { prefill, decode }: Shapes): Item[] {
	const prompt = exactSeconds(row.t_pp, row.speed_pp, prefill.batch * prefill.tokens);
	const details = { n_kv: count(row.n_kv), t_pp: positive(row.t_pp), t_tg: positive(row.t_tg) };
	const { step, ...steps } = decode;
	const items: Item[] = [];
	if (prefill.tokens > 0) {
		items.push(
			timed(`${at} T_PP`, prompt, (seconds) => ({
				...singleReading(conditions, seconds),
				details,
				phase: "prefill",
				...prefill,
			})),
		);
	}
	if (decode.generated > 0) {
		items.push(
			timed(`${at} T_TG`, step, (seconds) => ({
				...singleReading(conditions, seconds),
				details,
				phase: "decode",
				...steps,
			})),
		);
	}
	return items;
}

function timed(at: string, seconds: number | null, measured: (seconds: number) => Measurement): Item {
	if (seconds === null) return { kind: "rejected", at, reason: "the time is not a number above 0" };
	return { kind: "measurement", at, measurement: measured(seconds) };
}

/** Seconds as printed, sharpened by tokens/speed where both agree to the last digit printed. */
function exactSeconds(printed: unknown, speed: unknown, tokens: number): number | null {
	const seconds = positive(printed);
	const rate = positive(speed);
	if (seconds === null || rate === null) return seconds;
	const sharper = tokens / rate;
	return typeof printed === "string" && Math.abs(sharper - seconds) <= 0.0006 ? sharper : seconds;
}

/** The settings of a row or header line that decide speed; n_kv_max only sets how many points fit. */
export function batchedFlags(row: Record<string, unknown>): Conditions["flags"] {
	const flags: Conditions["flags"] = {};
	for (const name of ["n_batch", "n_ubatch", "n_gpu_layers", "n_threads", "n_threads_batch"]) {
		const value = finite(row[name]);
		if (value !== null) flags[name] = value;
	}
	const attention = flashAttention(row.flash_attn);
	if (attention !== null) flags.flash_attn = attention;
	return flags;
}
