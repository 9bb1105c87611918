import { notFound, Problem } from "../problem.ts";
import { type FittedPhase, lockConfigurations, refit } from "./fits.ts";
import { type Page, type PageRequest, type Place, readPage } from "./page.ts";
import { type Fragment, jsonText, plainText, type Queryable } from "./sql.ts";
import { renewSummary } from "./summaries.ts";

/** A stored measurement or failure. Numbers stand where the schema of the phase puts them; null: not said. */
export interface StoredMeasurement {
	id: string;
	configurationId: string;
	runId: string;
	/** Place in the file. */
	at: string;
	phase: "prefill" | "decode" | "mixed" | "serve";
	status: "ok" | "partial" | "failed";
	tokens: number | null;
	depth: number | null;
	generated: number | null;
	batch: number | null;
	rate: number | null;
	seconds: number[];
	secondsMean: number | null;
	secondsStd: number | null;
	repetitions: number | null;
	/** Why it failed. */
	reason: string | null;
	details: Record<string, unknown> | null;
	suspicions: string[];
	/** Whether fits read it. */
	included: boolean;
	startedAt: string | null;
}

interface MeasurementRow {
	id: number | bigint;
	configuration_id: string;
	run_id: string;
	at: string;
	phase: StoredMeasurement["phase"];
	status: StoredMeasurement["status"];
	point: string | null;
	tokens: number | null;
	depth: number | null;
	generated: number | null;
	batch: number | null;
	rate: number | null;
	seconds: number[] | null;
	seconds_mean: number | null;
	seconds_std: number | null;
	repetitions: number | null;
	reason: string | null;
	details: Record<string, unknown> | null;
	suspicions: string[] | null;
	included: boolean;
	started_at: string | null;
}

function toMeasurement(row: MeasurementRow): StoredMeasurement {
	const { at, phase, status, tokens, depth, generated, batch, rate, repetitions, reason } = row;
	return {
		id: String(row.id),
		configurationId: row.configuration_id,
		runId: row.run_id,
		...{ at, phase, status, tokens, depth, generated, batch, rate },
		seconds: row.seconds ?? [],
		secondsMean: row.seconds_mean,
		secondsStd: row.seconds_std,
		...{ repetitions, reason, details: row.details },
		suspicions: row.suspicions ?? [],
		included: row.included,
		startedAt: row.started_at,
	};
}

/** Measurements of a run in the order of the file. */
export function listRunMeasurements(sql: Queryable, runId: string, request: PageRequest) {
	return listMeasurements(sql, request, {
		list: `run ${runId}`,
		total: sql`select coalesce(sum(measurements + failures), 0) as n from run_configurations where run_id = ${runId}`,
		where: sql`m.run_id = ${runId}`,
		after: (place) => sql`m.id > ${place[1]}::text::bigint`,
		order: sql`m.id`,
	});
}

/** Measurements of a configuration, newest first, of runs that are not deleted. */
export function listConfigurationMeasurements(sql: Queryable, id: string, request: PageRequest) {
	return listMeasurements(sql, request, {
		list: `configuration ${id}`,
		total: sql`
			select coalesce(sum(l.measurements + l.failures), 0) as n
			from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
			where l.configuration_id = ${id}`,
		where: sql`m.configuration_id = ${id}`,
		after: (place) => sql`m.id < ${place[1]}::text::bigint`,
		order: sql`m.id desc`,
	});
}

interface MeasurementList {
	list: string;
	total: Fragment;
	where: Fragment;
	after(place: Place): Fragment;
	order: Fragment;
}

function listMeasurements(
	sql: Queryable,
	request: PageRequest,
	{ list, total, where, after, order }: MeasurementList,
): Promise<Page<StoredMeasurement>> {
	return readPage(
		request,
		{
			list,
			count: async () => (await sql`${total}`)[0]?.n,
			rows: (place, limit) => sql<MeasurementRow[]>`
				select m.* from measurements m join runs r on r.id = m.run_id and r.deleted_at is null
				where ${where} and ${place ? after(place) : sql`true`} order by ${order} limit ${limit}`,
			place: (row) => ["id", String(row.id)],
		},
		(rows) => rows.map(toMeasurement),
	);
}

/** A user's word on whether fits may read a measurement. */
export interface Decision {
	included: boolean;
	reason: string | null;
	/** Name of the key that decided; null without one. */
	by: string | null;
}

/**
 * Takes a measurement into the fits or out of them; its point is summed and its configuration fitted again.
 * Each decision is kept with the measurement.
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
				: "Prompt and generation share one clock reading here; no fit reads it.",
		);
	if (row.included !== decision.included) await applyDecision(sql, row, row.point, decision);
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
	const entry = { included, reason: reason && plainText(reason), by, at: new Date().toISOString() };
	await sql`
		update measurements set included = ${included}, details = jsonb_set(coalesce(details, '{}'), '{decisions}',
			coalesce(details -> 'decisions', '[]') || ${jsonText(entry)}::jsonb)
		where configuration_id = ${row.configuration_id} and id = ${String(row.id)}::text::bigint`;
	await sql`
		update run_configurations set excluded = excluded + ${included ? -1 : 1}::int
		where configuration_id = ${row.configuration_id} and run_id = ${row.run_id}`;
	await renewSummary(sql, row.configuration_id, point);
	await refit(sql, new Map([[row.configuration_id, new Set([row.phase as FittedPhase])]]));
}
