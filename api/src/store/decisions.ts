import { notFound, Problem } from "../problem.ts";
import { type FittedPhase, lockConfigurations, refit } from "./fits.ts";
import { WITHOUT_KEY } from "./keys.ts";
import { type MeasurementRow, type StoredMeasurement, toMeasurement } from "./measurements.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { instant, plainText, type Queryable } from "./sql.ts";
import { renewSummary } from "./summaries.ts";

/** A word on whether fits may read a measurement. */
export interface Decision {
	included: boolean;
	reason: string | null;
	/** Name of the key that decided; null without one. */
	by: string | null;
}

/** One change of what the fits read, as it is kept. */
export interface KeptDecision {
	id: string;
	/** "in": the fits read it; "out": they do not. */
	from: "in" | "out";
	to: "in" | "out";
	/** Name of the key, "this machine" without one, or the check that found it doubtful. */
	by: string;
	reason: string | null;
	at: string;
	/** As it is now. */
	measurement: StoredMeasurement;
}

/**
 * Takes a measurement into the fits or out of them; its point is summed and its configuration fitted again.
 * Each change is kept in the history.
 * @param sql a transaction
 * @throws Problem 404; 409 for rows that no fit can read
 */
export async function decideMeasurement(
	sql: Queryable,
	configurationId: string,
	id: string,
	decision: Decision,
): Promise<StoredMeasurement> {
	await lockConfigurations(sql, [configurationId]);
	const row = await findMeasurement(sql, configurationId, id);
	if (row.point === null)
		throw new Problem(
			409,
			"Never fitted",
			row.status === "failed"
				? "A failure marks where the configuration stopped; no fit reads it."
				: row.phase === "tools"
					? "It times a request with its tools, grammar and all; no fit reads it."
					: "Prompt and generation share one clock reading here; no fit reads it.",
		);
	if (row.included !== decision.included) await applyDecision(sql, row, row.point, decision);
	return toMeasurement(await findMeasurement(sql, configurationId, id));
}

/** One measurement of a configuration. @throws Problem 404 */
export async function readMeasurement(
	sql: Queryable,
	configurationId: string,
	id: string,
): Promise<StoredMeasurement> {
	return toMeasurement(await findMeasurement(sql, configurationId, id));
}

async function findMeasurement(sql: Queryable, configurationId: string, id: string): Promise<MeasurementRow> {
	const [row] = /^\d{1,18}$/.test(id)
		? await sql<MeasurementRow[]>`
			select m.* from measurements m join runs r on r.id = m.run_id and r.deleted_at is null
			where m.configuration_id = ${configurationId} and m.id = ${id}::text::bigint`
		: [];
	if (!row) throw notFound("Measurement", id, "GET /configurations/{id}/measurements lists them.");
	return row;
}

async function applyDecision(
	sql: Queryable,
	row: MeasurementRow,
	point: string,
	{ included, reason, by }: Decision,
): Promise<void> {
	const { configuration_id: configurationId, run_id: runId } = row;
	await sql`
		update measurements set included = ${included}
		where configuration_id = ${configurationId} and id = ${String(row.id)}::text::bigint`;
	await sql`
		insert into decisions (configuration_id, measurement_id, run_id, included, decided_by, reason)
		values (${configurationId}, ${String(row.id)}::text::bigint, ${runId}, ${included}, ${by ?? WITHOUT_KEY},
			${reason && plainText(reason)})`;
	await sql`
		update run_configurations set excluded = excluded + ${included ? -1 : 1}::int
		where configuration_id = ${configurationId} and run_id = ${runId}`;
	await renewSummary(sql, configurationId, point);
	await refit(sql, new Map([[configurationId, new Set([row.phase as FittedPhase])]]));
}

type DecisionRow = MeasurementRow & {
	decision_id: number;
	to_included: boolean;
	decided_by: string;
	decision_reason: string | null;
	decided_at: string;
};

/** What was taken in or out of the fits of a configuration, newest first, for runs that are not deleted. */
export function listDecisions(
	sql: Queryable,
	configurationId: string,
	request: PageRequest,
): Promise<Page<KeptDecision>> {
	const decisions = sql`
		decisions d join runs r on r.id = d.run_id and r.deleted_at is null
		join measurements m on m.configuration_id = d.configuration_id and m.id = d.measurement_id
		where d.configuration_id = ${configurationId}`;
	return readPage(
		request,
		{
			list: `decisions ${configurationId}`,
			count: async () => (await sql`select count(*) as n from ${decisions}`)[0]?.n,
			rows: (after, limit) => sql<DecisionRow[]>`
				select m.*, d.id as decision_id, d.included as to_included, d.decided_by,
					d.reason as decision_reason, d.created_at as decided_at
				from ${decisions} and ${after ? sql`d.id < ${after[1]}::text::bigint` : sql`true`}
				order by d.id desc limit ${limit}`,
			place: (row) => ["id", String(row.decision_id)],
		},
		(rows) => rows.map(toDecision),
	);
}

function toDecision(row: DecisionRow): KeptDecision {
	return {
		id: String(row.decision_id),
		from: row.to_included ? "out" : "in",
		to: row.to_included ? "in" : "out",
		by: row.decided_by,
		reason: row.decision_reason,
		at: instant(row.decided_at),
		measurement: toMeasurement(row),
	};
}
