import { type Page, type PageRequest, type Place, readPage } from "./page.ts";
import type { Fragment, Queryable } from "./sql.ts";

/** A stored measurement or failure. Numbers stand where the schema of the phase puts them; null: not said. */
export interface StoredMeasurement {
	id: string;
	configurationId: string;
	runId: string;
	/** Place in the file. */
	at: string;
	phase: "prefill" | "decode" | "mixed" | "serve" | "tools";
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

export interface MeasurementRow {
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

export function toMeasurement(row: MeasurementRow): StoredMeasurement {
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
