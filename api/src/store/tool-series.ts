import type { Queryable } from "./sql.ts";

/** Requests alike of a configuration: as many tools of one kind, with the prompt in a cache or not. */
export interface ToolSeriesPoint {
	tools: number;
	/** Kind of schemas in the client's words; null: not said. */
	schema: string | null;
	/** Whether a tool could be called, so that a grammar was built. */
	callable: boolean;
	/** Whether the prompt came from a cache, but for a twentieth at most; of failures false. */
	cached: boolean;
	failed: boolean;
	/** Requests behind it. */
	n: number;
	/** Until the first byte of the answer, or until it failed; the median, the shortest, the longest. null: not timed. */
	seconds: number | null;
	low: number | null;
	high: number | null;
	/** Until the headers came, before inference where the server streams; the median. */
	headersSeconds: number | null;
	/** Prompt tokens; the median. */
	tokens: number | null;
	/** What the server said, of failures. */
	reason: string | null;
}

/** A configuration that was measured with tools. */
export interface ToolSeriesItem {
	id: string;
	label: string;
	origin: "own" | "example" | "published";
	attribution: string | null;
	measurements: number;
	failures: number;
}

/** Configurations listed with a tool series. */
const MOST_SERIES = 100;
const MOST_POINTS = 2000;

/** Configurations that were measured with tools, own ones first, then those measured last. */
export function listToolSeries(sql: Queryable): Promise<ToolSeriesItem[]> {
	return sql<ToolSeriesItem[]>`
		select c.id, c.label, c.origin, c.attribution,
			count(*) filter (where m.status <> 'failed') as measurements,
			count(*) filter (where m.status = 'failed') as failures
		from measurements m
		join runs r on r.id = m.run_id and r.deleted_at is null
		join configurations c on c.id = m.configuration_id
		where m.phase = 'tools'
		group by c.id, c.label, c.origin, c.attribution
		order by c.origin = 'own' desc, max(r.created_at) desc, count(*) desc, c.id limit ${MOST_SERIES}`;
}

/** Time to the first byte against the number of tools, failures included, by number of tools. */
export function readToolSeries(sql: Queryable, configurationId: string): Promise<ToolSeriesPoint[]> {
	return sql<ToolSeriesPoint[]>`
		with rows as (
			select m.batch as tools, m.details->>'schema' as schema, m.tokens, m.reason, m.seconds_mean as seconds,
				m.batch > 0 and coalesce(m.details->>'toolChoice', '') <> 'none' as callable,
				m.status = 'failed' as failed,
				coalesce(m.depth, 0) > 0 and m.depth >= 0.95 * m.tokens as cached,
				(m.details->>'headersSeconds')::double precision as headers
			from measurements m join runs r on r.id = m.run_id and r.deleted_at is null
			where m.configuration_id = ${configurationId} and m.phase = 'tools'
		)
		select tools, schema, callable, cached, failed, count(*) as n,
			percentile_cont(0.5) within group (order by seconds) as seconds,
			min(seconds) as low, max(seconds) as high,
			percentile_cont(0.5) within group (order by headers) as "headersSeconds",
			percentile_cont(0.5) within group (order by tokens) as tokens,
			max(reason) as reason
		from rows
		group by tools, schema, callable, cached, failed
		order by schema nulls first, tools, failed, cached limit ${MOST_POINTS}`;
}
