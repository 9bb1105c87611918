import type { PointSum, StatisticKey } from "./point-sums.ts";
import { type Fragment, jsonText, type Queryable } from "./sql.ts";

/**
 * Per-point summaries: the sums that fits read instead of rows. They are added to when a run arrives, and
 * computed again from the rows of their points when one is taken out, put back or changed.
 */

/** Statistics of serve points that are summed beside the seconds, and where a measurement's details keep them. */
const STATISTICS: Record<StatisticKey, string> = {
	ttft: "{ttft,mean}",
	ttftP50: "{ttft,p50}",
	ttftP99: "{ttft,p99}",
	tpot: "{tpot,mean}",
	tpotP50: "{tpot,p50}",
	tpotP99: "{tpot,p99}",
	outputTokensPerSecond: "{outputTokensPerSecond}",
};

const STATISTIC_VALUES = Object.entries(STATISTICS)
	.map(([key, path]) => `('${key}', (m.details #>> '${path}')::float8)`)
	.join(", ");

const COLUMNS =
	"configuration_id, point, phase, tokens, depth, generated, batch, rate, n, sum_log, sum_log2, within_sum_squares, within_freedom, statistics";

/** Sums of the included measurements that a condition on `m` and its run `r` chooses, per point. */
function summary(sql: Queryable, chosen: Fragment): Fragment {
	return sql`
		with chosen as materialized (
			select m.* from measurements m join runs r on r.id = m.run_id
			where ${chosen} and m.included and m.point is not null and m.seconds_mean > 0
		),
		sums as (
			select m.configuration_id, m.point, min(m.phase) as phase,
				min(m.tokens) as tokens, min(m.depth) as depth, min(m.generated) as generated,
				min(m.batch) as batch, min(m.rate) as rate,
				count(*) as n, sum(ln(m.seconds_mean)) as sum_log, sum(ln(m.seconds_mean) ^ 2) as sum_log2,
				coalesce(sum((m.repetitions - 1) * (m.seconds_std / m.seconds_mean) ^ 2)
					filter (where m.repetitions > 1), 0) as within_sum_squares,
				coalesce(sum(m.repetitions - 1)
					filter (where m.repetitions > 1 and m.seconds_std is not null), 0) as within_freedom
			from chosen m group by m.configuration_id, m.point
		),
		statistic as (
			select m.configuration_id, m.point, s.key, count(*) as n, sum(ln(s.value)) as sum_log
			from chosen m cross join lateral (values ${sql.unsafe(STATISTIC_VALUES)}) as s (key, value)
			where m.phase = 'serve' and s.value > 0
			group by m.configuration_id, m.point, s.key
		),
		statistics as (
			select configuration_id, point,
				jsonb_object_agg(key, jsonb_build_object('n', n, 'sumLog', sum_log)) as statistics
			from statistic group by configuration_id, point
		)
		select ${sql.unsafe(COLUMNS)} from sums left join statistics using (configuration_id, point)`;
}

/** Key by key, the sums of two statistics. */
const mergedStatistics = (sql: Queryable) => sql`(
	select jsonb_object_agg(key, jsonb_build_object('n', n, 'sumLog', sum_log)) from (
		select key, sum((value ->> 'n')::bigint) as n, sum((value ->> 'sumLog')::float8) as sum_log
		from (
			select * from jsonb_each(coalesce(p.statistics, '{}'))
			union all
			select * from jsonb_each(coalesce(excluded.statistics, '{}'))
		) both_sides group by key
	) merged
)`;

/** Adds the measurements of one run to the summaries of their points. */
export async function addSummaries(sql: Queryable, runId: string): Promise<void> {
	await addTo(sql, summary(sql, sql`r.id = ${runId}`));
}

/** Adds what was summed while a file was read: the same as `addSummaries`, without reading its rows again. */
export async function addSums(sql: Queryable, sums: readonly PointSum[]): Promise<void> {
	if (sums.length === 0) return;
	const column = <T>(cell: (sum: PointSum) => T) => sums.map(cell);
	await addTo(
		sql,
		sql`
		select ${sql.unsafe(COLUMNS.replace("statistics", "statistics::jsonb"))} from unnest(
			${column((s) => s.configurationId)}::text[], ${column((s) => s.point)}::text[],
			${column((s) => s.phase)}::text[], ${column((s) => s.tokens)}::float8[], ${column((s) => s.depth)}::float8[],
			${column((s) => s.generated)}::float8[], ${column((s) => s.batch)}::float8[],
			${column((s) => s.rate)}::float8[], ${column((s) => s.n)}::int8[], ${column((s) => s.sumLog)}::float8[],
			${column((s) => s.sumLog2)}::float8[], ${column((s) => s.withinSumSquares)}::float8[],
			${column((s) => s.withinFreedom)}::float8[], ${column((s) => s.statistics && jsonText(s.statistics))}::text[]
		) as v (configuration_id, point, phase, tokens, depth, generated, batch, rate, n, sum_log,
			sum_log2, within_sum_squares, within_freedom, statistics)`,
	);
}

async function addTo(sql: Queryable, sums: Fragment): Promise<void> {
	await sql`
		insert into points as p (${sql.unsafe(COLUMNS)})
		${sums}
		on conflict (configuration_id, point) do update set
			n = p.n + excluded.n,
			sum_log = p.sum_log + excluded.sum_log,
			sum_log2 = p.sum_log2 + excluded.sum_log2,
			within_sum_squares = p.within_sum_squares + excluded.within_sum_squares,
			within_freedom = p.within_freedom + excluded.within_freedom,
			statistics = ${mergedStatistics(sql)}`;
}

/** Computes again every point that a run has measurements of, from the runs that are not deleted. */
export async function renewSummariesOfRun(sql: Queryable, runId: string): Promise<void> {
	await renew(
		sql,
		sql`select distinct configuration_id, point from measurements where run_id = ${runId} and point is not null`,
	);
}

/** Computes one point again. */
export async function renewSummary(sql: Queryable, configurationId: string, point: string): Promise<void> {
	await renew(sql, sql`values (${configurationId}::text, ${point}::text)`);
}

async function renew(sql: Queryable, touched: Fragment): Promise<void> {
	await sql`
		with touched (configuration_id, point) as (${touched})
		delete from points p using touched t where t.configuration_id = p.configuration_id and t.point = p.point`;
	await sql`
		insert into points (${sql.unsafe(COLUMNS)})
		${summary(sql, sql`r.deleted_at is null and (m.configuration_id, m.point) in (${touched})`)}`;
}
