import type { Attribution } from "../attribution.ts";
import { instant, type Queryable } from "./sql.ts";

/** One answer, as it is kept. */
export interface Told extends Attribution {
	operation: string;
	/** Name of the key; null without one. */
	caller: string | null;
	status: number;
	bytes: number;
	/** Estimated; null where the answer is no text. */
	tokens: number | null;
}

/** Answers of one batch: what comes faster is counted and not kept. */
const MOST_WAITING = 1000;
const BATCH_MS = 2000;
/** Rows kept, the newest ones, of all processes that share the database. */
export const MOST_KEPT = 100_000;

/** Sizes of answers on their way to the database, in batches: a request waits for none of it. */
export interface ResultLog {
	add(told: Told): void;
	/** Writes what waits now. */
	flush(): Promise<void>;
	/** Answers that came too fast to be kept, since this process began. */
	readonly left: number;
}

export function createResultLog(sql: Queryable): ResultLog {
	let waiting: Told[] = [];
	let left = 0;
	let timer: NodeJS.Timeout | null = null;
	const flush = async () => {
		if (timer) clearTimeout(timer);
		timer = null;
		const batch = waiting;
		waiting = [];
		if (batch.length > 0) await keep(sql, batch);
	};
	return {
		add(told) {
			if (waiting.length >= MOST_WAITING) {
				left++;
				return;
			}
			waiting.push(told);
			// Telemetry: where the database does not take it, nothing else may fail.
			timer ??= setTimeout(() => void flush().catch(() => {}), BATCH_MS).unref();
		},
		flush,
		get left() {
			return left;
		},
	};
}

async function keep(sql: Queryable, batch: readonly Told[]): Promise<void> {
	await sql`
		insert into results (operation, transport, caller, client, version, status, bytes, tokens)
		select * from json_to_recordset(${JSON.stringify(batch)}::text::json)
			as r (operation text, transport text, caller text, client text, version text, status int, bytes bigint, tokens int)`;
	await sql`delete from results where id <= (select max(id) from results) - ${MOST_KEPT}`;
}

/** Middle and tail of a size; tokens null where no answer was text. */
export interface Sizes {
	p50: number;
	p95: number;
	p99: number;
	max: number;
}

/** One operation of the last results. */
export interface OperationUsage {
	operation: string;
	results: number;
	failed: number;
	bytes: Sizes;
	tokens: Sizes | null;
	/** Who got the largest answers, those from the 99th percentile on. */
	outliers: Outlier[];
}

export interface Outlier extends Attribution {
	caller: string | null;
	results: number;
	largestBytes: number;
	lastAt: string;
}

export interface Usage {
	/** When the oldest and newest of the results were given; null without any. */
	from: string | null;
	to: string | null;
	results: number;
	transports: Record<string, number>;
	operations: OperationUsage[];
}

const CALLERS_TOLD = 5;

/**
 * Sizes by operation, of all processes.
 * @param hours how far back
 */
export async function readUsage(sql: Queryable, hours: number): Promise<Usage> {
	const recent = sql`select * from results where at > now() - make_interval(hours => ${hours})`;
	const sizes = (column: "bytes" | "tokens") => sql`
		json_build_object('p50', percentile_disc(.5) within group (order by ${sql(column)}),
			'p95', percentile_disc(.95) within group (order by ${sql(column)}),
			'p99', percentile_disc(.99) within group (order by ${sql(column)}), 'max', max(${sql(column)}))`;
	const [span] = await sql<
		{ from: string | null; to: string | null; results: number; transports: Record<string, number> | null }[]
	>`
		with r as (${recent}), t as (select transport, count(*) as n from r group by transport)
		select to_json(min(at))#>>'{}' as from, to_json(max(at))#>>'{}' as to, count(*)::int as results,
			(select json_object_agg(transport, n) from t) as transports from r`;
	const operations = await sql<OperationUsage[]>`
		with r as (${recent}), o as (
			select operation, count(*)::int as results, (count(*) filter (where status >= 400))::int as failed,
				${sizes("bytes")} as bytes, case when count(tokens) > 0 then ${sizes("tokens")} end as tokens,
				percentile_disc(.99) within group (order by bytes) as edge
			from r group by operation
		), largest as (
			select r.operation, caller, client, version, transport, count(*)::int as results, max(r.bytes) as "largestBytes",
				max(at) as last, row_number() over (partition by r.operation order by max(r.bytes) desc, count(*) desc) as place
			from r join o on o.operation = r.operation and r.bytes >= o.edge
			group by r.operation, caller, client, version, transport
		)
		select o.operation, results, failed, bytes, tokens, (
			select coalesce(json_agg(json_build_object('caller', caller, 'client', client, 'version', version,
				'transport', transport, 'results', l.results, 'largestBytes', "largestBytes", 'lastAt', last) order by place), '[]')
			from largest l where l.operation = o.operation and place <= ${CALLERS_TOLD}) as outliers
		from o order by (bytes->>'p95')::bigint desc, operation`;
	return {
		from: span?.from ? instant(span.from) : null,
		to: span?.to ? instant(span.to) : null,
		results: span?.results ?? 0,
		transports: span?.transports ?? {},
		operations: operations.map((one) => ({
			...one,
			outliers: one.outliers.map((outlier) => ({ ...outlier, lastAt: instant(outlier.lastAt) })),
		})),
	};
}
