import type { Queryable } from "./sql.ts";

/**
 * Marks rows that came before: the same configuration, shape, start and times in another file, as when a job appends to
 * its result and posts all of it each time. They are kept and count once. Rows without a start time are never taken for
 * the same: two runs may well take equally long.
 * @returns how many were marked
 */
export async function markDuplicates(sql: Queryable, runId: string): Promise<number> {
	const others = await overlappingRuns(sql, runId);
	if (others.length === 0) return 0;
	// A planner without statistics of these rows would hold each against each.
	await sql`select set_config('enable_nestloop', 'off', true)`;
	const counted = await sql<{ n: number }[]>`
		with fresh as materialized (
			select configuration_id, id, point, started_at, seconds_mean, seconds from measurements
			where run_id = ${runId} and included and started_at is not null
		),
		old as materialized (
			select o.*, coalesce(r.label, r.file_name, 'an earlier file') as name
			from measurements o join runs r on r.id = o.run_id
			where o.run_id = any(${others}::uuid[]) and o.point is not null and o.started_at is not null
				and (o.included or not coalesce(o.details ? 'duplicateOf', false))
		),
		originals as materialized (
			select distinct on (m.id) m.configuration_id, m.id, o.id as original, o.run_id,
				'the same measurement as in ' || o.name || ', ' || o.at || ': it counts once' as reason
			from fresh m join old o
				on o.configuration_id = m.configuration_id and o.point = m.point and o.started_at = m.started_at
				and o.seconds_mean = m.seconds_mean and o.seconds is not distinct from m.seconds
			order by m.id, o.id
		),
		marked as (
			update measurements m set included = false, suspicions = array_append(coalesce(m.suspicions, '{}'), d.reason),
				details = coalesce(m.details, '{}') || jsonb_build_object('duplicateOf',
					jsonb_build_object('runId', d.run_id, 'measurementId', d.original::text, 'reason', d.reason))
			from originals d where m.configuration_id = d.configuration_id and m.id = d.id
			returning m.configuration_id
		)
		update run_configurations l set excluded = excluded + v.n
		from (select configuration_id, count(*)::int as n from marked group by configuration_id) v
		where l.configuration_id = v.configuration_id and l.run_id = ${runId}
		returning v.n`;
	await sql`select set_config('enable_nestloop', 'on', true)`;
	return counted.reduce((sum, { n }) => sum + n, 0);
}

/** Runs of the same configurations whose measurements started in the same stretch of time; mostly there are none. */
async function overlappingRuns(sql: Queryable, runId: string): Promise<string[]> {
	const rows = await sql<{ run_id: string }[]>`
		select distinct o.run_id
		from run_configurations l join run_configurations o on o.configuration_id = l.configuration_id
		join runs r on r.id = o.run_id and r.deleted_at is null
		where l.run_id = ${runId} and o.run_id <> l.run_id
			and l.started_from collate "C" <= o.started_to and l.started_to collate "C" >= o.started_from`;
	return rows.map(({ run_id }) => run_id);
}

/**
 * Lets rows count again whose original was deleted; what a person decided about them stands.
 * @returns runs that hold such rows, newest first: of several copies all but the oldest are to be marked anew
 */
export async function releaseDuplicates(sql: Queryable, deletedRunId: string): Promise<string[]> {
	const runs = await sql<{ run_id: string }[]>`
		with released as (
			update measurements m set included = true,
				suspicions = nullif(array_remove(m.suspicions, m.details #>> '{duplicateOf,reason}'), '{}'),
				details = nullif(m.details - 'duplicateOf', '{}')
			where m.configuration_id in (select configuration_id from run_configurations where run_id = ${deletedRunId})
				and m.details #>> '{duplicateOf,runId}' = ${deletedRunId} and not m.included
				and not exists (
					select 1 from decisions d where d.configuration_id = m.configuration_id and d.measurement_id = m.id
				)
			returning m.configuration_id, m.run_id
		),
		counted as (
			update run_configurations l set excluded = excluded - v.n
			from (select configuration_id, run_id, count(*)::int as n from released group by configuration_id, run_id) v
			where l.configuration_id = v.configuration_id and l.run_id = v.run_id
			returning l.run_id
		)
		select r.id as run_id from runs r where r.id in (select run_id from counted)
		order by r.created_at desc, r.id`;
	return runs.map(({ run_id }) => run_id);
}
