import type { Point } from "../model/index.ts";
import type { StatisticKey } from "./point-sums.ts";
import type { Queryable } from "./sql.ts";

/** Measurement ids listed with the points of one configuration, all points together. */
const LISTED_IDS = 2000;
const LISTED_IDS_PER_POINT = 200;

interface PointRow {
	configuration_id: string;
	phase: "prefill" | "decode" | "serve";
	tokens: number | null;
	depth: number | null;
	generated: number | null;
	batch: number | null;
	rate: number | null;
	n: number;
	sum_log: number;
	sum_log2: number;
	within_sum_squares: number;
	within_freedom: number;
	statistics: Partial<Record<StatisticKey, { n: number; sumLog: number }>> | null;
	measurement_ids: (number | bigint)[];
}

/** The points of configurations, by their ids. */
export type Points = ReadonlyMap<string, Point[]>;

/** The points of configurations, as the fits read them. Cost: distinct points, however many rows they have. */
export async function readPoints(sql: Queryable, configurationIds: readonly string[]): Promise<Points> {
	const points = new Map<string, Point[]>(configurationIds.map((id) => [id, []]));
	if (points.size === 0) return points;
	const rows = await sql<PointRow[]>`
		with chosen as (select * from points where configuration_id = any(${[...points.keys()]}::text[])),
		most as (select max(n) as n from (select count(*) as n from chosen group by configuration_id) counted)
		select p.*, array(
			select m.id from measurements m join runs r on r.id = m.run_id and r.deleted_at is null
			where m.configuration_id = p.configuration_id and m.point = p.point and m.included
			limit (select greatest(1, least(${LISTED_IDS_PER_POINT}, ${LISTED_IDS} / n)) from most)
		) as measurement_ids
		from chosen p
		order by p.configuration_id, p.phase, p.batch, p.depth, p.tokens, p.point`;
	for (const row of rows) {
		const point = toPoint(row);
		if (point) points.get(row.configuration_id)?.push(point);
	}
	return points;
}

function toPoint(row: PointRow): Point | null {
	const common = {
		n: row.n,
		betweenRuns: betweenRuns(row),
		withinRun: row.within_freedom > 0 ? Math.sqrt(row.within_sum_squares / row.within_freedom) : null,
		measurementIds: row.measurement_ids.map(String),
	};
	const seconds = Math.exp(row.sum_log / row.n);
	const { phase, tokens, depth, generated, batch, rate } = row;
	if (phase === "prefill" && tokens !== null && batch !== null)
		return { phase, tokens, cached: depth ?? 0, batch, seconds, ...common };
	if (phase === "decode" && depth !== null && batch !== null)
		return { phase, batch, context: depth, seconds, ...common };
	if (phase === "serve" && tokens !== null && generated !== null)
		return {
			...{ phase, input: tokens, output: generated, concurrency: batch, rate, ...common },
			...serveStatistics(row),
		};
	return null;
}

/** Standard deviation of ln(seconds) between measurements: √((Σx² − (Σx)²/n)/(n − 1)). */
function betweenRuns({ n, sum_log, sum_log2 }: PointRow): number | null {
	if (n < 2) return null;
	return Math.sqrt(Math.max(0, sum_log2 - sum_log ** 2 / n) / (n - 1));
}

function serveStatistics({ statistics }: PointRow) {
	const mean = (key: StatisticKey): number | null => {
		const sums = statistics?.[key];
		return sums && sums.n > 0 ? Math.exp(sums.sumLog / sums.n) : null;
	};
	return {
		ttftSeconds: mean("ttft"),
		ttftP50Seconds: mean("ttftP50"),
		ttftP99Seconds: mean("ttftP99"),
		tpotSeconds: mean("tpot"),
		tpotP50Seconds: mean("tpotP50"),
		tpotP99Seconds: mean("tpotP99"),
		outputTokensPerSecond: mean("outputTokensPerSecond"),
	};
}
