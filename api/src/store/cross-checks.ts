import { setImmediate as turn } from "node:timers/promises";
import {
	answeredFromCache,
	type ConfigurationFits,
	cacheDoubt,
	coldDoubt,
	type DecodePoint,
	isSteady,
	type LoadReading,
	oddAmong,
	type Point,
	type Prediction,
	type PrefillPoint,
	predictDecode,
	predictPrefill,
	promptAgainstStep,
	startedCold,
	wrongThousand,
} from "../model/index.ts";
import type { Touched } from "./fits.ts";
import { type Points, readPoints } from "./points.ts";
import type { Queryable } from "./sql.ts";
import { renewSummary } from "./summaries.ts";

/**
 * What only shows beside the other measurements of a configuration: times a thousandfold off its laws, prompts slower
 * than steps, first tokens that come sooner under more load. What is found is left out of the fits until a person decides.
 * @param fresh what this run brought, per configuration
 * @param before fits that stood before it
 * @returns the points that were read, as they stand: for the fits that follow; null where they are no longer so
 */
export async function checkAgainstOthers(
	sql: Queryable,
	runId: string,
	fresh: Touched,
	before: ReadonlyMap<string, ConfigurationFits>,
): Promise<Points | null> {
	const points = await readPoints(
		sql,
		[...fresh].filter(([, phases]) => phases.size > 0).map(([id]) => id),
	);
	const timed = [...fresh]
		.filter(([, phases]) => phases.has("prefill") || phases.has("decode"))
		.map(([id]) => id);
	const served = [...fresh].filter(([, phases]) => phases.has("serve")).map(([id]) => id);
	const doubtful = await doubtfulPoints(sql, runId, timed, before, points);
	await markPoints(sql, runId, doubtful);
	let marked = doubtful.length;
	for (const id of served) marked += await markOddLoads(sql, runId, id);
	return marked === 0 ? points : null;
}

interface DoubtfulPoint {
	configurationId: string;
	point: string;
	reason: string;
}

/** Shapes that a run brought, looked at one by one; beyond these the sums of the others stand as they are. */
const MOST_SHAPES = 2000;
/** Shapes after which others get their turn: each is held against all that the configuration has. */
const SHAPES_AT_ONCE = 50;

async function doubtfulPoints(
	sql: Queryable,
	runId: string,
	ids: string[],
	before: ReadonlyMap<string, ConfigurationFits>,
	points: Points,
): Promise<DoubtfulPoint[]> {
	if (ids.length === 0) return [];
	const shapes = await shapesOf(sql, runId, ids);
	const alone = new Map(ids.map((id) => [id, aloneOf(points.get(id) ?? [])]));
	const found: DoubtfulPoint[] = [];
	for (const [n, shape] of shapes.entries()) {
		const { configurationId, point } = shape;
		const others = alone.get(configurationId);
		const reason =
			offTheLaw(shape, before.get(configurationId)) ?? (others ? offTheOthers(shape, others) : null);
		if (reason !== null) found.push({ configurationId, point, reason });
		if (n % SHAPES_AT_ONCE === 0) await turn();
	}
	return found;
}

/** What a run brought, per shape. Where it is the only one of its configuration, the sums are there already. */
function shapesOf(sql: Queryable, runId: string, ids: string[]) {
	return sql<Shape[]>`
		with shared as (
			select distinct configuration_id from run_configurations
			where configuration_id = any(${ids}::text[]) and run_id <> ${runId}
		),
		shapes as (
			select configuration_id, point, phase, tokens, depth, batch, exp(sum_log / n) as seconds from points
			where configuration_id = any(${ids}::text[]) and phase <> 'serve'
				and configuration_id not in (select configuration_id from shared)
			union all
			select configuration_id, point, min(phase), min(tokens), min(depth), min(batch), exp(avg(ln(seconds_mean)))
			from measurements
			where run_id = ${runId} and configuration_id in (select configuration_id from shared)
				and included and phase <> 'serve'
			group by configuration_id, point
		)
		select configuration_id as "configurationId", point, phase, tokens, depth, batch, seconds from shapes
		limit ${MOST_SHAPES}`;
}

interface Shape {
	configurationId: string;
	point: string;
	phase: "prefill" | "decode";
	tokens: number | null;
	depth: number;
	batch: number;
	seconds: number;
}

/** Further outside than this a law may err by itself. */
const NEAR = 4;

function offTheLaw(shape: Shape, fits: ConfigurationFits | undefined): string | null {
	const expected = fits ? expectedOf(shape, fits) : null;
	if (!expected || expected.outsideBy > NEAR) return null;
	return wrongThousand(shape.seconds, expected.seconds);
}

function expectedOf({ phase, tokens, depth, batch }: Shape, fits: ConfigurationFits): Prediction | null {
	if (phase === "decode") return fits.decode && predictDecode(fits.decode, { batch, context: depth });
	return fits.prefill && tokens !== null
		? predictPrefill(fits.prefill, { tokens, cached: depth, batch })
		: null;
}

/** What is alone on the engine, against others of its kind and then against those of the other kind that go together. */
function offTheOthers({ phase, tokens, depth, batch }: Shape, alone: Alone): string | null {
	if (batch !== 1) return null;
	if (phase === "decode") {
		const step = alone.steps.find(({ context }) => context === depth);
		return step ? (alone.odd.get(step) ?? stepAgainstPrompts(step, alone.soundPrompts)) : null;
	}
	const prompt = alone.prompts.find((one) => one.tokens === tokens && one.cached === depth);
	return prompt ? (alone.odd.get(prompt) ?? promptAgainstStep(prompt, alone.soundSteps)) : null;
}

function stepAgainstPrompts(step: DecodePoint, prompts: readonly PrefillPoint[]): string | null {
	for (const prompt of prompts) {
		const doubt = promptAgainstStep(prompt, [step]);
		if (doubt !== null) return doubt;
	}
	return null;
}

/** What a configuration measured of one sequence alone, and which of it does not go with the rest. */
interface Alone {
	prompts: PrefillPoint[];
	steps: (DecodePoint & { tokens: number })[];
	odd: Map<unknown, string>;
	soundPrompts: PrefillPoint[];
	soundSteps: DecodePoint[];
}

function aloneOf(points: readonly Point[]): Alone {
	const prompts = points.filter((p): p is PrefillPoint => p.phase === "prefill" && p.batch === 1);
	const steps = points
		.filter((p): p is DecodePoint => p.phase === "decode" && p.batch === 1)
		.map((step) => ({ ...step, tokens: step.context }));
	const whole = prompts.filter(({ cached }) => cached === 0);
	const odd = new Map<unknown, string>([...oddAmong("prompt", whole), ...oddAmong("step", steps)]);
	const isSound = (point: unknown) => !odd.has(point);
	return { prompts, steps, odd, soundPrompts: prompts.filter(isSound), soundSteps: steps.filter(isSound) };
}

/** Marks the rows that this run has of doubtful points. */
async function markPoints(sql: Queryable, runId: string, points: DoubtfulPoint[]): Promise<void> {
	if (points.length === 0) return;
	const column = <K extends keyof DoubtfulPoint>(key: K) => points.map((point) => point[key]);
	await sql`
		with marked as (
			update measurements m set included = false, suspicions = array_append(coalesce(m.suspicions, '{}'), v.reason)
			from unnest(${column("configurationId")}::text[], ${column("point")}::text[], ${column("reason")}::text[])
				as v (id, point, reason)
			where m.configuration_id = v.id and m.point = v.point and m.run_id = ${runId} and m.included
			returning m.configuration_id
		)
		update run_configurations l set excluded = excluded + v.n
		from (select configuration_id, count(*)::int as n from marked group by configuration_id) v
		where l.configuration_id = v.configuration_id and l.run_id = ${runId}`;
	for (const { configurationId, point } of points) await renewSummary(sql, configurationId, point);
}

/** How the history names this check. */
const CHECK = "check on arrival";
/** Loads of one configuration that are held against one another, newest first. */
const MOST_LOADS = 2000;

interface LoadRow {
	id: string;
	run_id: string;
	started_at: string | null;
	/** Whether GPU, engine and model are known: without them other setups share the configuration. */
	known: boolean;
	point: string;
	input: number;
	in_flight: number;
	open_loop: boolean;
	ttft: number;
	median: number | null;
	completed: number | null;
	name: string;
	decided: boolean;
}

interface Load {
	row: LoadRow;
	reading: LoadReading;
	/** Milliseconds; NaN: not said. */
	started: number;
}

/** Read once: each load is held against every other. */
function loadOf(row: LoadRow): Load {
	const { input, in_flight, open_loop, ttft, median, completed, started_at } = row;
	const steady = isSteady(median, completed);
	return {
		row,
		reading: { input, inFlight: in_flight, openLoop: open_loop, ttftSeconds: ttft, steady },
		started: started_at === null ? Number.NaN : Date.parse(started_at),
	};
}

/**
 * Loads of a sweep that came in several files: those whose prompts a prefix cache answered, or that were still cold.
 * One that came earlier is taken out too, and the history says so; what a person decided stands.
 * @returns how many were marked
 */
async function markOddLoads(sql: Queryable, runId: string, configurationId: string): Promise<number> {
	const rows = await sql<LoadRow[]>`
		select m.id::text, m.run_id, m.started_at, m.point, m.tokens as input, m.batch as in_flight, m.rate is not null as open_loop,
			coalesce(m.details #>> '{ttft,p50}', m.details #>> '{ttft,mean}')::float8 as ttft,
			(m.details #>> '{ttft,p50}')::float8 as median, (m.details ->> 'completed')::float8 as completed,
			coalesce(r.label, r.file_name, r.format) || ', ' || m.at as name,
			exists (select 1 from decisions d
				where d.configuration_id = m.configuration_id and d.measurement_id = m.id) as decided,
			(c.conditions ->> 'engine' is not null and c.conditions ->> 'model' is not null
				and c.conditions ->> 'gpu' is not null) as known
		from measurements m join runs r on r.id = m.run_id and r.deleted_at is null
		join configurations c on c.id = m.configuration_id
		where m.configuration_id = ${configurationId} and m.phase = 'serve' and m.included and m.batch > 0
			and coalesce(m.details #>> '{ttft,p50}', m.details #>> '{ttft,mean}')::float8 > 0
		order by m.id desc limit ${MOST_LOADS}`;
	const loads = rows.map(loadOf);
	const fresh = loads.filter(({ row }) => row.run_id === runId);
	let marked = 0;
	for (const load of loads) {
		// Only what this run brought can have changed anything.
		const against = load.row.run_id === runId ? loads : fresh;
		const reason = load.row.decided ? null : oddLoad(load, against);
		if (reason === null) continue;
		await takeOut(sql, runId, configurationId, load.row, reason);
		marked++;
	}
	return marked;
}

function oddLoad(load: Load, against: readonly Load[]): string | null {
	const calmer = against.find((one) => oneServer(load, one) && answeredFromCache(load.reading, one.reading));
	if (calmer) return cacheDoubt(calmer.row.name);
	const heavier = against.find((one) => oneServer(one, load) && startedCold(load.reading, one.reading));
	return heavier ? coldDoubt(heavier.row.name) : null;
}

/** Longest time between two loads of one sweep. */
const SWEEP_MS = 24 * 3600 * 1000;

/** A cache that one load filled can only have answered another that followed soon; without times, one of a known setup. */
function oneServer(load: Load, calmer: Load): boolean {
	if (load.row.started_at === null || calmer.row.started_at === null) return load.row.known;
	const after = load.started - calmer.started;
	return after >= 0 && after <= SWEEP_MS;
}

async function takeOut(
	sql: Queryable,
	runId: string,
	configurationId: string,
	load: LoadRow,
	reason: string,
): Promise<void> {
	await sql`
		update measurements set included = false, suspicions = array_append(coalesce(suspicions, '{}'), ${reason}::text)
		where configuration_id = ${configurationId} and id = ${load.id}::text::bigint`;
	await sql`
		update run_configurations set excluded = excluded + 1
		where configuration_id = ${configurationId} and run_id = ${load.run_id}`;
	if (load.run_id !== runId)
		await sql`
			insert into decisions (configuration_id, measurement_id, run_id, included, decided_by, reason)
			values (${configurationId}, ${load.id}::text::bigint, ${load.run_id}, false, ${CHECK}, ${reason})`;
	await renewSummary(sql, configurationId, load.point);
}
