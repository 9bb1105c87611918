import { notFound, Problem } from "../problem.ts";
import type { Queryable } from "./sql.ts";

/** A long call as it is kept. */
export interface KeptOperation {
	id: string;
	operation: string;
	arguments: Record<string, unknown>;
	/** null while it is worked on. */
	status: number | null;
	answer: string | null;
	seconds: number;
}

/** Long calls that are worked on at the same time, of all processes together. */
const MOST_AT_ONCE = 16;
/** Answers kept: some have a quarter of a megabyte. */
const MOST_KEPT = 200;
/** A process that works on one says so more often than this. */
const SILENT_SECONDS = 15;

/**
 * Begins a long call; whoever knows its id and has the same key may ask for it.
 * @throws Problem 503 where too many are worked on
 */
export async function beginOperation(
	sql: Queryable,
	{
		operation,
		given,
		callerId,
	}: { operation: string; given: Record<string, unknown>; callerId: string | null },
): Promise<string> {
	await sql`
		delete from operations where created_at < now() - interval '1 hour' or id in (
			select id from operations where status is not null order by created_at desc offset ${MOST_KEPT})`;
	const [row] = await sql<{ id: string }[]>`
		insert into operations (operation, arguments, caller_id)
		select ${operation}, ${JSON.stringify(given)}, ${callerId}
		where (select count(*) from operations where status is null
			and beat_at > now() - make_interval(secs => ${SILENT_SECONDS})) < ${MOST_AT_ONCE}
		returning id`;
	if (!row) throw new Problem(503, "Busy", `${MOST_AT_ONCE} long operations are worked on; try again soon.`);
	return row.id;
}

/** Says that this process still works on it. */
export async function beatOperation(sql: Queryable, id: string): Promise<void> {
	await sql`update operations set beat_at = now() where id = ${id}`;
}

/** Keeps what came of it; the first answer stays. */
export async function endOperation(
	sql: Queryable,
	id: string,
	{ status, answer }: { status: number; answer: string },
): Promise<void> {
	await sql`update operations set status = ${status}, answer = ${answer} where id = ${id} and status is null`;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws Problem 404 for one that is not there or belongs to another key */
export async function readOperation(
	sql: Queryable,
	id: string,
	callerId: string | null,
): Promise<KeptOperation> {
	const rows = UUID.test(id)
		? await sql<(Omit<KeptOperation, "arguments"> & { arguments: string })[]>`
			select id, operation, arguments, status, answer, extract(epoch from now() - created_at)::float8 as seconds
			from operations where id = ${id} and caller_id is not distinct from ${callerId}`
		: [];
	if (!rows[0])
		throw notFound(
			"Operation",
			id,
			"They are kept for an hour, for the key that began them; begin it anew with plan_execute.",
		);
	return { ...rows[0], arguments: JSON.parse(rows[0].arguments) };
}

/** Takes over a call whose process fell silent; of several that ask, one gets it. */
export async function claimSilent(sql: Queryable, id: string): Promise<boolean> {
	const rows = await sql`
		update operations set beat_at = now()
		where id = ${id} and status is null and beat_at < now() - make_interval(secs => ${SILENT_SECONDS})
		returning id`;
	return rows.length > 0;
}
