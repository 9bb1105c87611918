import type { TransactionSql } from "postgres";
import { SAID_OF_RUN, type SaidOfRun } from "../model/index.ts";
import { Problem } from "../problem.ts";
import { WITHOUT_KEY } from "./keys.ts";
import type { SenderRecord } from "./sender-record.ts";
import { instant, jsonText, type Queryable } from "./sql.ts";

/** By field; undefined: it stays; null: not known. */
export type RunConditions = { [K in SaidOfRun]?: unknown };

/** One field that was corrected, as it is kept. */
export interface KeptCorrection {
	id: string;
	field: SaidOfRun;
	/** null: not known. */
	from: unknown;
	to: unknown;
	/** Name of the key, "this machine" without one. */
	by: string;
	reason: string | null;
	at: string;
}

/**
 * Corrects what was recorded of a run, field by field; each field that becomes another is kept in the history.
 * @param tx a transaction: the field and its history change together
 * @param id of a run that is there
 * @throws Problem 422 for what came with the examples
 */
export async function correctConditions(
	tx: TransactionSql,
	id: string,
	given: RunConditions,
	{ by, reason }: { by: string | null; reason: string | null },
): Promise<void> {
	// Two who correct at once do so one after the other.
	const [row] = await tx<{ conditions: SenderRecord | null; origin: string }[]>`
		select conditions, origin from runs where id = ${id} for update`;
	if (row?.origin !== "own")
		throw new Problem(
			422,
			"Not yours",
			"What comes with the examples stays as it was recorded; post the file yourself to say more about it.",
		);
	const standing = row.conditions ?? {};
	const changed = SAID_OF_RUN.flatMap((field) => {
		const [from, to] = [standing[field] ?? null, given[field]];
		return to === undefined || sorted(from) === sorted(to) ? [] : [{ field, from, to }];
	});
	if (changed.length === 0) return;
	const next = { ...standing, ...Object.fromEntries(changed.map(({ field, to }) => [field, to])) };
	const known = Object.entries(next).filter(([, value]) => value !== null);
	await tx`
		update runs set conditions = ${known.length === 0 ? null : jsonText(Object.fromEntries(known))}::text::jsonb
		where id = ${id}`;
	for (const { field, from, to } of changed)
		await tx`
			insert into run_corrections (run_id, field, before, after, corrected_by, reason, created_at)
			values (${id}, ${field}, ${jsonText(from)}::text::jsonb, ${jsonText(to)}::text::jsonb, ${by ?? WITHOUT_KEY}, ${reason}, clock_timestamp())`;
}

/** A value as text in which the order of names makes no difference. */
const sorted = (value: unknown): string =>
	JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === "object" && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);

interface CorrectionRow {
	id: number;
	field: SaidOfRun;
	before: unknown;
	after: unknown;
	corrected_by: string;
	reason: string | null;
	created_at: string;
}

/** Corrections that one answer lists. */
const LISTED = 100;

/** What was corrected of a run, newest first; the newest of very many. */
export async function readCorrections(sql: Queryable, runId: string): Promise<KeptCorrection[]> {
	const rows = await sql<CorrectionRow[]>`
		select id, field, before, after, corrected_by, reason, created_at from run_corrections
		where run_id = ${runId} order by id desc limit ${LISTED}`;
	return rows.map(({ id, field, before, after, corrected_by, reason, created_at }) => ({
		...{ id: String(id), field, from: before, to: after, by: corrected_by, reason, at: instant(created_at) },
	}));
}
