import type { Conditions } from "../ingest/index.ts";
import type {
	ConfigurationFacts,
	ConfigurationFits,
	FailurePoint,
	PinnedMemory,
	Point,
} from "../model/index.ts";
import { notFound } from "../problem.ts";
import { readFailures } from "./failures.ts";
import { allOf, configurationText, equals, filteredList, wordPatterns } from "./filter.ts";
import { readFits } from "./fits.ts";
import { type ForecastRecord, readForecastRecords } from "./forecasts.ts";
import { readPinned } from "./memory-facts.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { readPoints } from "./points.ts";
import { type Fragment, instant, type Queryable } from "./sql.ts";

interface Counts {
	measurements: number;
	failures: number;
	excluded: number;
	runs: number;
}

/** A fit as lists show it; the whole one stands in the configuration's detail. */
interface FitSummary {
	form: string;
	n: number;
	loo: number | null;
	range: unknown;
}

interface ConfigurationBase extends ConfigurationFacts {
	counts: Counts;
	createdAt: string;
	updatedAt: string;
}

export interface ConfigurationItem extends ConfigurationBase {
	fits: Record<keyof ConfigurationFits, FitSummary | null>;
}

export interface ConfigurationDetail extends ConfigurationBase {
	fits: ConfigurationFits;
	points: Point[];
	failures: FailurePoint[];
	pinned: PinnedMemory | null;
	forecasts: ForecastRecord;
}

interface ConfigurationRow extends Counts {
	id: string;
	label: string;
	conditions: Conditions;
	gpu_id: string | null;
	model_id: string | null;
	origin: ConfigurationFacts["origin"];
	attribution: string | null;
	created_at: string;
	updated_at: string;
}

/** Configurations with what their runs that are not deleted add up to; those without such a run are left out. */
const described = (sql: Queryable) => sql`
	select c.*, l.measurements, l.failures, l.excluded, l.runs,
		greatest(l.updated_at, (select max(f.created_at) from fits f where f.configuration_id = c.id and f.current))
			as updated_at
	from configurations c cross join lateral (
		select sum(l.measurements) as measurements, sum(l.failures) as failures, sum(l.excluded) as excluded,
			count(*) as runs, max(r.created_at) as updated_at
		from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
		where l.configuration_id = c.id having count(*) > 0
	) l`;

function toBase(row: ConfigurationRow): ConfigurationBase {
	const { gpu, gpus, engine, engineVersion, model, weights, modelBytes, kvK, kvV, tp, pp, flags } =
		row.conditions;
	const { measurements, failures, excluded, runs } = row;
	return {
		id: row.id,
		label: row.label,
		gpuName: gpu,
		gpuId: row.gpu_id,
		gpus,
		engine,
		engineVersion,
		modelName: model,
		modelId: row.model_id,
		weights,
		weightsBytesTotal: modelBytes,
		kvK,
		kvV,
		tp,
		pp,
		flags,
		origin: row.origin,
		attribution: row.attribution,
		counts: { measurements, failures, excluded, runs },
		createdAt: instant(row.created_at),
		updatedAt: instant(row.updated_at),
	};
}

async function toItems(sql: Queryable, rows: ConfigurationRow[]): Promise<ConfigurationItem[]> {
	const fits = await readFits(
		sql,
		rows.map((row) => row.id),
	);
	return rows.map((row) => ({ ...toBase(row), fits: summarise(fits.get(row.id)) }));
}

function summarise(fits: ConfigurationFits | undefined): ConfigurationItem["fits"] {
	const short = (fit: ConfigurationFits[keyof ConfigurationFits] | undefined): FitSummary | null =>
		fit ? { form: fit.form, n: fit.n, loo: fit.loo, range: fit.range } : null;
	return { prefill: short(fits?.prefill), decode: short(fits?.decode), serve: short(fits?.serve) };
}

/** What the list of configurations is narrowed to. */
export interface ConfigurationFilter {
	/** Words, each of which has to stand in what the configuration is called and made of. */
	q?: string | undefined;
	origin?: ConfigurationFacts["origin"] | undefined;
	/** Catalog ids. */
	gpu?: string | undefined;
	model?: string | undefined;
	/** Phase that has a fit. */
	fitted?: keyof ConfigurationFits | undefined;
}

function narrowed(sql: Queryable, { q, origin, gpu, model, fitted }: ConfigurationFilter): Fragment {
	return allOf(sql, [
		equals(sql, "c.origin", origin),
		equals(sql, "c.gpu_id", gpu),
		equals(sql, "c.model_id", model),
		sql`${configurationText(sql)} like all(${wordPatterns(q)}::text[])`,
		fitted === undefined
			? sql`true`
			: sql`exists (select from fits f where f.configuration_id = c.id and f.current and f.phase = ${fitted})`,
	]);
}

/** Configurations, newest first. */
export function listConfigurations(
	sql: Queryable,
	{ limit, cursor, ...filter }: PageRequest & ConfigurationFilter,
): Promise<Page<ConfigurationItem>> {
	const wanted = narrowed(sql, filter);
	const measured = sql`exists (
		select from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
		where l.configuration_id = c.id)`;
	return readPage(
		{ limit, cursor },
		{
			list: filteredList("configurations", { ...filter }),
			count: async () =>
				(await sql`select count(*) as n from configurations c where ${wanted} and ${measured}`)[0]?.n,
			rows: (after, limit) => sql<ConfigurationRow[]>`
				select * from (${described(sql)}) c
				where ${wanted} and ${after ? sql`(created_at, id) < (${after[0]}::text::timestamptz, ${after[1]})` : sql`true`}
				order by created_at desc, id desc limit ${limit}`,
			place: (row) => [row.created_at, row.id],
		},
		(rows) => toItems(sql, rows),
	);
}

/** List items of given configurations, in the order of their labels. */
export async function readConfigurationItems(sql: Queryable, ids: string[]): Promise<ConfigurationItem[]> {
	const rows = await sql<ConfigurationRow[]>`
		select * from (${described(sql)}) c where id = any(${ids}::text[]) order by label, id`;
	return toItems(sql, rows);
}

async function readRow(sql: Queryable, id: string): Promise<ConfigurationRow> {
	const [row] = await sql<ConfigurationRow[]>`select * from (${described(sql)}) c where id = ${id}`;
	if (!row) throw unknownConfiguration(id);
	return row;
}

/**
 * One configuration with its fits, points, failures, pinned memory and forecast record.
 * @throws Problem 404
 */
export async function readConfiguration(sql: Queryable, id: string): Promise<ConfigurationDetail> {
	const row = await readRow(sql, id);
	const [fits, points, failures, pinned, forecasts] = await Promise.all([
		readFits(sql, [id]),
		readPoints(sql, [id]),
		readFailures(sql, id),
		readPinned(sql, id),
		readForecastRecords(sql, [id]),
	]);
	return {
		...toBase(row),
		fits: fits.get(id) ?? { prefill: null, decode: null, serve: null },
		points: points.get(id) ?? [],
		failures,
		pinned,
		forecasts: forecasts.get(id) ?? { count: 0, medianError: null, intervalHeld: 0 },
	};
}

/**
 * The key of one configuration as a person reads it.
 * @throws Problem 404
 */
export async function readConfigurationFacts(sql: Queryable, id: string): Promise<ConfigurationFacts> {
	const { counts, createdAt, updatedAt, ...facts } = toBase(await readRow(sql, id));
	return facts;
}

/**
 * The current fits of one configuration.
 * @throws Problem 404
 */
export async function readConfigurationFits(sql: Queryable, id: string): Promise<ConfigurationFits> {
	await requireConfiguration(sql, id);
	return (await readFits(sql, [id])).get(id) ?? { prefill: null, decode: null, serve: null };
}

/** @throws Problem 404 where nobody has the id */
export async function requireConfiguration(sql: Queryable, id: string): Promise<void> {
	const [row] = await sql`select 1 from configurations where id = ${id}`;
	if (!row) throw unknownConfiguration(id);
}

function unknownConfiguration(id: string) {
	return notFound("Configuration", id, "GET /configurations lists those that have measurements.");
}

/**
 * The configuration that answers when none is asked for: the newest of one's own whose GPU and model the catalog knows
 * and whose times are fitted, else the example that knows most, also of several users at a time. One of one's own that
 * lacks either never is.
 * @param leastWindowTokens among examples, those whose model was made for so many tokens come first, then those with room for them
 */
export async function defaultConfiguration(sql: Queryable, leastWindowTokens = 0): Promise<string | null> {
	const [row] = await sql<{ id: string }[]>`
		with candidates as (
			select c.id, c.origin, c.updated_at, c.gpu_id is not null and c.model_id is not null as known,
				array(select f.phase from fits f where f.configuration_id = c.id and f.current) as phases,
				exists(select 1 from points p where p.configuration_id = c.id and p.phase <> 'prefill' and p.batch > 1)
					as shared,
				coalesce((g.facts ->> 'totalBytes')::float8 * (c.conditions ->> 'gpus')::float8, 0) as memory_bytes,
				coalesce((m.facts ->> 'maxContextTokens')::float8 >= ${leastWindowTokens}, true) as long_enough
			from (${described(sql)}) c left join models m on m.id = c.model_id left join gpus g on g.id = c.gpu_id
		)
		select id from candidates c
		where (phases @> '{prefill, decode}' or 'serve' = any(phases)) and (known or origin <> 'own')
		order by origin = 'own' desc, case when origin = 'own' then updated_at end desc nulls last,
			long_enough desc, known desc,
			case when ${leastWindowTokens}::float8 > 0 then memory_bytes end desc nulls last,
			phases @> '{prefill, decode}' desc, shared desc,
			(select count(*) from points p where p.configuration_id = c.id) desc, id
		limit 1`;
	return row?.id ?? null;
}
