import { setImmediate as turn } from "node:timers/promises";
import { type ConfigurationFits, type FittedRun, fitConfiguration, type ReportFit } from "../model/index.ts";
import { type Points, readPoints } from "./points.ts";
import { instant, jsonText, type Queryable } from "./sql.ts";

const FITTED_PHASES = ["prefill", "decode", "serve"] as const;
export type FittedPhase = (typeof FITTED_PHASES)[number];

/** Phases whose points changed, per configuration. */
export type Touched = Map<string, Set<FittedPhase>>;

const NO_FITS: ConfigurationFits = { prefill: null, decode: null, serve: null };

interface FitRow {
	configuration_id: string;
	phase: FittedPhase;
	fit: never;
}

/** The current fits of configurations. */
export async function readFits(
	sql: Queryable,
	configurationIds: readonly string[],
): Promise<Map<string, ConfigurationFits>> {
	const fits = new Map(configurationIds.map((id) => [id, { ...NO_FITS }]));
	if (fits.size === 0) return fits;
	const rows = await sql<FitRow[]>`
		select configuration_id, phase, fit from fits
		where current and configuration_id = any(${[...fits.keys()]}::text[])`;
	for (const row of rows) {
		const of = fits.get(row.configuration_id);
		if (of) of[row.phase] = row.fit;
	}
	return fits;
}

/** Runs named as the sources of a plan's numbers, of each phase. */
const NAMED_RUNS = 3;

/** The newest runs behind each current fit of a configuration. */
export async function readFittedRuns(sql: Queryable, configurationId: string): Promise<FittedRun[]> {
	return sql<FittedRun[]>`
		select f.phase, r.id, coalesce(r.label, r.file_name, r.format) as label
		from fits f cross join lateral (
			select r.id, r.label, r.file_name, r.format, u.place
			from unnest(f.run_ids) with ordinality u (id, place)
			join runs r on r.id = u.id and r.deleted_at is null
			order by u.place limit ${NAMED_RUNS}
		) r
		where f.configuration_id = ${configurationId} and f.current
		order by f.phase, r.place`;
}

/** The current fits of a configuration with the runs whose measurements they read, the newest runs first. */
export async function readFitLineage(sql: Queryable, configurationId: string): Promise<ReportFit[]> {
	const rows = await sql<LineageRow[]>`
		select f.id, f.phase, f.revision, f.created_at, r.id as run_id, r.format, r.origin, r.created_at as posted_at,
			coalesce(r.label, r.file_name, r.format) as label
		from fits f left join lateral unnest(f.run_ids) with ordinality u (id, place) on true
		left join runs r on r.id = u.id
		where f.configuration_id = ${configurationId} and f.current
		order by f.phase, u.place`;
	const fits = new Map<string, ReportFit>();
	for (const { id, phase, revision, created_at, ...run } of rows) {
		const fit = fits.get(id) ?? { phase, id, revision, fittedAt: instant(created_at), runs: [] };
		fits.set(id, fit);
		if (run.run_id === null) continue;
		const { run_id, label, format, origin, posted_at } = run;
		fit.runs.push({ id: run_id, label, format, origin, postedAt: instant(posted_at) });
	}
	return [...fits.values()];
}

interface LineageRow {
	id: string;
	phase: FittedPhase;
	revision: number;
	created_at: string;
	run_id: string | null;
	label: string;
	format: string;
	origin: string;
	posted_at: string;
}

/**
 * Locks configurations against other writers, in one order, so that two uploads never wait for each other
 * in a circle.
 */
export async function lockConfigurations(sql: Queryable, ids: Iterable<string>): Promise<void> {
	await sql`select 1 from configurations where id = any(${[...ids]}::text[]) order by id for update`;
}

/** Runs named in the lineage of a fit, newest first. */
const LISTED_RUNS = 200;

/**
 * Fits what changed again. The version before stays with its law and its runs, no longer current.
 * @param known points of all these configurations, where they were just read
 */
export async function refit(sql: Queryable, touched: Touched, known: Points | null = null): Promise<void> {
	const ids = [...touched].filter(([, phases]) => phases.size > 0).map(([id]) => id);
	if (ids.length === 0) return;
	const points = known ?? (await readPoints(sql, ids));
	await sql`update configurations set revision = revision + 1 where id = any(${ids}::text[])`;
	const versions: Version[] = [];
	for (const id of ids) {
		versions.push(...versionsOf(id, fitConfiguration(points.get(id) ?? []), touched));
		// Fitting is the processor's work: others get their turn between configurations.
		await turn();
	}
	const column = <K extends keyof Version>(key: K) => versions.map((version) => version[key]);
	await sql`
		update fits f set current = false, fit = f.fit - 'measurementIds'
		from unnest(${column("id")}::text[], ${column("phase")}::text[]) as v (id, phase)
		where f.configuration_id = v.id and f.phase = v.phase and f.current`;
	await sql`
		insert into fits (configuration_id, revision, phase, fit, run_ids)
		select c.id, c.revision, v.phase, v.fit::jsonb, array(
			select l.run_id from run_configurations l join runs r on r.id = l.run_id
			where l.configuration_id = c.id and v.phase = any(l.phases) and l.measurements > l.excluded
				and r.deleted_at is null
			order by r.created_at desc limit ${LISTED_RUNS})
		from unnest(${column("id")}::text[], ${column("phase")}::text[], ${column("fit")}::text[]) as v (id, phase, fit)
		join configurations c on c.id = v.id
		where v.fit is not null`;
}

interface Version {
	id: string;
	phase: FittedPhase;
	/** null: the points no longer allow a fit. */
	fit: string | null;
}

function versionsOf(id: string, fits: ConfigurationFits, touched: Touched): Version[] {
	const phases = FITTED_PHASES.filter((phase) => touched.get(id)?.has(phase));
	return phases.map((phase) => ({ id, phase, fit: fits[phase] && jsonText(fits[phase]) }));
}
