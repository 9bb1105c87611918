import type { FailurePoint } from "../model/index.ts";
import type { Queryable } from "./sql.ts";

/** Distinct failures listed for a configuration. */
const MOST_FAILURES = 200;

interface FailureRow {
	phase: "prefill" | "decode" | "mixed" | "serve";
	tokens: number | null;
	batch: number | null;
	reason: string | null;
	id: number | bigint;
}

/** Where a configuration stopped, each distinct failure once, longest first. A grammar that failed is no length that did. */
export async function readFailures(sql: Queryable, configurationId: string): Promise<FailurePoint[]> {
	const rows = await sql<FailureRow[]>`
		select m.phase, m.tokens, m.batch, m.reason, max(m.id) as id
		from measurements m join runs r on r.id = m.run_id and r.deleted_at is null
		where m.configuration_id = ${configurationId} and m.status = 'failed' and m.phase <> 'tools'
		group by m.phase, m.tokens, m.batch, m.reason
		order by m.tokens desc nulls last, m.batch desc nulls last, id limit ${MOST_FAILURES}`;
	return rows.map(({ phase, tokens, batch, reason, id }) => ({
		// A mixed row holds its prompt first: it failed at that length, if at all known.
		phase: phase === "mixed" ? "prefill" : phase,
		tokens,
		batch,
		reason: reason ?? "not said",
		measurementId: String(id),
	}));
}
