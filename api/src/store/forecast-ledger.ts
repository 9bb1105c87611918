import type { ConfigurationFacts, Evidence } from "../model/index.ts";
import type { ForecastRecord } from "./forecasts.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { type Fragment, instant, type Queryable } from "./sql.ts";

/** One forecast that was made before its measurement. */
export interface ForecastItem {
	id: string;
	configurationId: string;
	/** Label of the configuration. */
	label: string;
	runId: string;
	phase: string;
	/** What was measured: "prefill 512+0×1" is 512 new tokens on 0 cached, one sequence. */
	point: string;
	predictedSeconds: number;
	lowSeconds: number;
	highSeconds: number;
	measuredSeconds: number;
	evidence: Evidence;
	/** |ln(measured / predicted)| as a relative error. */
	error: number;
	/** Whether the 95 % interval held the measured value. */
	held: boolean;
	createdAt: string;
}

/** The record of some forecasts, with the error that nine of ten stay below. */
export interface LedgerRecord extends ForecastRecord {
	/** Null without any. */
	p90Error: number | null;
}

/** What the forecasts of a list add up to. */
export interface LedgerSummary {
	/** Share of the intervals that should hold the measured value. */
	claimed: number;
	all: LedgerRecord;
	/** The newest of them, at most `count` = 40. */
	last: LedgerRecord;
	/** By how the forecast was known: inside the measured range, beyond it, … */
	byEvidence: (LedgerRecord & { evidence: Evidence })[];
}

/** The record of one configuration. */
export interface ConfigurationRecord extends LedgerRecord {
	configurationId: string;
	label: string;
	origin: ConfigurationFacts["origin"];
	attribution: string | null;
	/** When its last forecast was put to the test. */
	lastAt: string;
}

/** Whose forecasts: of one configuration, or of those of one origin. */
export interface LedgerFilter {
	configuration?: string | undefined;
	origin?: ConfigurationFacts["origin"] | undefined;
}

const CLAIMED = 0.95;
/** Forecasts that the recent record looks back over. */
const RECENT = 40;

/** Forecasts of runs that are not deleted. */
const ledger = (sql: Queryable, { configuration, origin }: LedgerFilter): Fragment => sql`
	select f.*, c.label, c.origin, c.attribution, abs(ln(f.measured_seconds / f.predicted_seconds)) as miss,
		f.measured_seconds between f.low_seconds and f.high_seconds as held
	from forecasts f join runs r on r.id = f.run_id and r.deleted_at is null
	join configurations c on c.id = f.configuration_id
	where f.predicted_seconds > 0 and f.measured_seconds > 0
		and ${configuration === undefined ? sql`true` : sql`f.configuration_id = ${configuration}`}
		and ${origin === undefined ? sql`true` : sql`c.origin = ${origin}`}`;

const record = (sql: Queryable): Fragment => sql`
	count(*) as count, count(*) filter (where held) as "intervalHeld",
	exp(percentile_cont(0.5) within group (order by miss)) - 1 as "medianError",
	exp(percentile_cont(0.9) within group (order by miss)) - 1 as "p90Error"`;

interface LedgerRow {
	id: string;
	configuration_id: string;
	label: string;
	run_id: string;
	phase: string;
	point: string;
	predicted_seconds: number;
	low_seconds: number;
	high_seconds: number;
	measured_seconds: number;
	evidence: Evidence;
	miss: number;
	held: boolean;
	created_at: string;
}

const toItem = (row: LedgerRow): ForecastItem => ({
	id: row.id,
	configurationId: row.configuration_id,
	label: row.label,
	runId: row.run_id,
	phase: row.phase,
	point: row.point,
	predictedSeconds: row.predicted_seconds,
	lowSeconds: row.low_seconds,
	highSeconds: row.high_seconds,
	measuredSeconds: row.measured_seconds,
	evidence: row.evidence,
	error: Math.exp(row.miss) - 1,
	held: row.held,
	createdAt: instant(row.created_at),
});

/** Forecasts, newest first, with what all of them add up to. */
export async function listForecasts(
	sql: Queryable,
	{ configuration, origin, ...request }: PageRequest & LedgerFilter,
): Promise<Page<ForecastItem> & { summary: LedgerSummary }> {
	const chosen = ledger(sql, { configuration, origin });
	const summary = await summarise(sql, chosen);
	const page = await readPage(
		request,
		{
			list: `forecasts ${configuration ?? ""} ${origin ?? ""}`,
			count: async () => summary.all.count,
			rows: (after, limit) => sql<LedgerRow[]>`
				select * from (${chosen}) f
				where ${after ? sql`(created_at, id) < (${after[0]}::text::timestamptz, ${after[1]}::text::uuid)` : sql`true`}
				order by created_at desc, id desc limit ${limit}`,
			place: (row) => [row.created_at, row.id],
		},
		(rows) => rows.map(toItem),
	);
	return { ...page, summary };
}

async function summarise(sql: Queryable, chosen: Fragment): Promise<LedgerSummary> {
	const [[all], [last], byEvidence] = await Promise.all([
		sql<LedgerRecord[]>`select ${record(sql)} from (${chosen}) f`,
		sql<LedgerRecord[]>`
			select ${record(sql)} from (
				select * from (${chosen}) f order by created_at desc, id desc limit ${RECENT}
			) f`,
		sql<(LedgerRecord & { evidence: Evidence })[]>`
			select evidence, ${record(sql)} from (${chosen}) f group by evidence order by count(*) desc, evidence`,
	]);
	const none: LedgerRecord = { count: 0, medianError: null, p90Error: null, intervalHeld: 0 };
	return { claimed: CLAIMED, all: all ?? none, last: last ?? none, byEvidence: [...byEvidence] };
}

/** The record of every configuration that has one, the most recently tested first. */
export function listForecastRecords(
	sql: Queryable,
	{ origin, ...request }: PageRequest & Pick<LedgerFilter, "origin">,
): Promise<Page<ConfigurationRecord>> {
	const records = sql`
		select configuration_id as id, min(label) as label, min(origin) as origin, min(attribution) as attribution,
			max(created_at) as last_at, ${record(sql)}
		from (${ledger(sql, { origin })}) f group by configuration_id`;
	return readPage(
		request,
		{
			list: `forecast records ${origin ?? ""}`,
			count: async () => (await sql`select count(*) as n from (${records}) f`)[0]?.n,
			rows: (after, limit) => sql<RecordRow[]>`
				select * from (${records}) f
				where ${after ? sql`(last_at, id) < (${after[0]}::text::timestamptz, ${after[1]})` : sql`true`}
				order by last_at desc, id desc limit ${limit}`,
			place: (row) => [row.last_at, row.id],
		},
		(rows) =>
			rows.map(({ id, last_at, ...rest }) => ({ configurationId: id, lastAt: instant(last_at), ...rest })),
	);
}

interface RecordRow extends Omit<ConfigurationRecord, "configurationId" | "lastAt"> {
	id: string;
	last_at: string;
}
