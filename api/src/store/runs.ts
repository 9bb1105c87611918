import type { Sql } from "postgres";
import { type ChecklistItem, count } from "../model/index.ts";
import type { InputError } from "../problem.ts";
import { notFound } from "../problem.ts";
import { markDuplicates, releaseDuplicates } from "./duplicates.ts";
import { allOf, configurationText, equals, filteredList, wordPatterns } from "./filter.ts";
import { type FittedPhase, lockConfigurations, refit, type Touched } from "./fits.ts";
import { listRunMeasurements, type StoredMeasurement } from "./measurements.ts";
import { type RunMemory, readRunMemory } from "./memory-facts.ts";
import { describeOrigins } from "./origins.ts";
import { type Page, type PageRequest, type Place, readPage } from "./page.ts";
import { readChecklist } from "./run-checklist.ts";
import { type KeptCorrection, readCorrections } from "./run-conditions.ts";
import type { SenderRecord } from "./sender-record.ts";
import { unpackPieces } from "./spool.ts";
import { type Fragment, instant, longTransaction, type Queryable } from "./sql.ts";
import { renewSummariesOfRun } from "./summaries.ts";

/** Rejections and asides listed in one answer; the counts tell how many there are. */
export const LISTED_ISSUES = 1000;

export interface RunItem {
	id: string;
	format: string;
	sha256: string;
	label: string | null;
	fileName: string | null;
	/** Unpacked. */
	bytes: number;
	accepted: number;
	rejected: number;
	failed: number;
	aside: number;
	origin: "own" | "example" | "published";
	attribution: string | null;
	createdAt: string;
	/** Name of the key it was sent with; null without one. */
	sentBy: string | null;
	/** Words that people sort runs by. */
	tags: string[];
	configurations: { id: string; label: string }[];
}

/** A run with what became of its file. */
export interface RunRecord extends RunItem {
	conditions: SenderRecord | null;
	notes: string[];
	rejections: InputError[];
	asides: InputError[];
	/** Memory figures that the file holds, and what they count for. */
	memory: RunMemory[];
	/** The first of them; the rest is under /runs/{id}/measurements. */
	measurements: StoredMeasurement[];
}

export interface RunDetail extends RunRecord {
	/** The six things to record, with what is known of each. */
	checklist: ChecklistItem[];
	/** What was corrected of its conditions, newest first. */
	corrections: KeptCorrection[];
}

interface RunRow {
	id: string;
	format: string;
	sha256: string;
	label: string | null;
	file_name: string | null;
	bytes: number;
	accepted: number;
	rejected: number;
	failed: number;
	aside: number;
	notes: string[];
	origin: RunItem["origin"];
	attribution: string | null;
	sent_by: string | null;
	tags: string[];
	created_at: string;
	deleted_at: string | null;
	conditions: SenderRecord | null;
	configurations: { id: string; label: string }[];
}

const withConfigurations = (sql: Queryable) => sql`
	r.*, coalesce((
		select jsonb_agg(jsonb_build_object('id', c.id, 'label', c.label) order by c.label, c.id)
		from run_configurations l join configurations c on c.id = l.configuration_id where l.run_id = r.id
	), '[]') as configurations`;

function toItem(row: RunRow): RunItem {
	const { id, format, sha256, label, bytes, accepted, rejected, failed, aside } = row;
	return {
		...{ id, format, sha256, label, fileName: row.file_name, bytes, accepted, rejected, failed, aside },
		origin: row.origin,
		attribution: row.attribution,
		createdAt: instant(row.created_at),
		sentBy: row.sent_by,
		tags: row.tags,
		configurations: row.configurations,
	};
}

/** What the list of runs is narrowed to. */
export interface RunFilter {
	/** Words, each of which has to stand in the run's name, format or attribution, or in one of its configurations. */
	q?: string | undefined;
	origin?: RunItem["origin"] | undefined;
	format?: string | undefined;
	/** Id of a configuration that the run brought measurements to. */
	configuration?: string | undefined;
	tag?: string | undefined;
}

export const RUN_ORDERS = ["newest", "oldest", "name", "accepted"] as const;

/** How a list of runs is ordered: by when they came, by what they are called, by measurements accepted, most first. */
export type RunOrder = (typeof RUN_ORDERS)[number];

/** What a run is called: its label, else its file, else its format and the beginning of its fingerprint. */
const nameText = (sql: Queryable, run: string): Fragment => {
	const column = (name: string) => sql(`${run}.${name}`);
	return sql`lower(coalesce(${column("label")}, ${column("file_name")},
		${column("format")} || ' ' || left(${column("sha256")}, 8)))`;
};

/** An order of runs: what they are ordered by, and those behind a place in it. */
function orderOf(sql: Queryable, order: RunOrder, after: Place | null): { by: Fragment; behind: Fragment } {
	const here = after ? sql`${after[1]}::text::uuid` : null;
	const place = after?.[0] ?? "";
	if (order === "name")
		return {
			by: sql`${nameText(sql, "r")}, r.id`,
			// Names are long and hold anything: the place is the run, and its name is looked up.
			behind: here
				? sql`(${nameText(sql, "r")}, r.id) >
					((select ${nameText(sql, "p")} from runs p where p.id = ${here}), ${here})`
				: sql`true`,
		};
	if (order === "accepted")
		return {
			by: sql`r.accepted desc, r.id desc`,
			behind: here ? sql`(r.accepted, r.id) < (${place}::text::integer, ${here})` : sql`true`,
		};
	const came = sql`${place}::text::timestamptz`;
	return order === "oldest"
		? { by: sql`created_at, id`, behind: here ? sql`(created_at, id) > (${came}, ${here})` : sql`true` }
		: {
				by: sql`created_at desc, id desc`,
				behind: here ? sql`(created_at, id) < (${came}, ${here})` : sql`true`,
			};
}

/** Runs of a filter that are not deleted. A word is looked for among the configurations once, not once for every run. */
function narrowed(sql: Queryable, { q, origin, format, configuration, tag }: RunFilter): Fragment {
	const text = sql`lower(concat_ws(E'\n', r.label, r.file_name, r.format, r.attribution,
		array_to_string(r.tags, E'\n')))`;
	return allOf(sql, [
		sql`r.deleted_at is null`,
		equals(sql, "r.origin", origin),
		equals(sql, "r.format", format),
		tag === undefined ? sql`true` : sql`${tag} = any(r.tags)`,
		configuration === undefined
			? sql`true`
			: sql`r.id in (select run_id from run_configurations where configuration_id = ${configuration})`,
		...wordPatterns(q).map(
			(pattern) => sql`(${text} like ${pattern} or r.id in (
				select l.run_id from run_configurations l join configurations c on c.id = l.configuration_id
				where ${configurationText(sql)} like ${pattern}))`,
		),
	]);
}

/** Runs that are not deleted, in an order: newest first where none is asked. */
export function listRuns(
	sql: Queryable,
	{ limit, cursor, sort = "newest", ...filter }: PageRequest & RunFilter & { sort?: RunOrder | undefined },
): Promise<Page<RunItem>> {
	const wanted = narrowed(sql, filter);
	return readPage(
		{ limit, cursor },
		{
			// The order that was always there needs no name: its cursors stay good.
			list: filteredList("runs", { ...filter, ...(sort !== "newest" && { sort }) }),
			count: async () => (await sql`select count(*) as n from runs r where ${wanted}`)[0]?.n,
			rows: (after, limit) => {
				const { by, behind } = orderOf(sql, sort, after);
				return sql<RunRow[]>`
					select ${withConfigurations(sql)} from runs r
					where ${wanted} and ${behind} order by ${by} limit ${limit}`;
			},
			place: (row) => [sort === "accepted" ? String(row.accepted) : row.created_at, row.id],
		},
		(rows) => rows.map(toItem),
	);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function findRun(sql: Queryable, id: string): Promise<RunRow> {
	const [row] = UUID.test(id)
		? await sql<RunRow[]>`select ${withConfigurations(sql)} from runs r where id = ${id}`
		: [];
	if (!row) throw notFound("Run", id, "GET /runs lists them.");
	return row;
}

/** The row of a run that is not deleted. @throws Problem 404 */
export async function findLiveRun(sql: Queryable, id: string): Promise<RunRow> {
	const row = await findRun(sql, id);
	if (row.deleted_at) throw notFound("Run", id, `It was deleted; POST /runs/${id}/restore brings it back.`);
	return row;
}

/**
 * One run with its issues and first measurements.
 * @throws Problem 404
 */
export async function readRun(sql: Queryable, id: string): Promise<RunRecord> {
	return recordOf(sql, await findLiveRun(sql, id));
}

/**
 * One run with what is known of how it came about.
 * @throws Problem 404
 */
export async function readRunDetail(sql: Queryable, id: string): Promise<RunDetail> {
	const row = await findLiveRun(sql, id);
	const [run, checklist, corrections] = await Promise.all([
		recordOf(sql, row),
		readChecklist(sql, row),
		readCorrections(sql, row.id),
	]);
	return { ...run, checklist, corrections };
}

async function recordOf(sql: Queryable, row: RunRow): Promise<RunRecord> {
	const { id } = row;
	const [leftOut, rejections, asides, said, measurements] = await Promise.all([
		leftOutNotes(sql, row),
		readIssues(sql, id, "rejected"),
		readIssues(sql, id, "aside"),
		readRunMemory(sql, id),
		listRunMeasurements(sql, id, { limit: 100 }),
	]);
	const { conditions } = row;
	const { memory, notes: ofMemory } = said;
	const notes = [...row.notes, ...leftOut, ...ofMemory];
	const { items } = measurements;
	return { ...toItem(row), notes, conditions, rejections, asides, memory, measurements: items };
}

/**
 * What is kept of a run but left out of the fits as it stands now, with a first reason. Rows without a point (prompt and
 * generation in one clock reading) are no matter of a decision: no fit could read them.
 */
async function leftOutNotes(sql: Queryable, { id, accepted }: RunRow): Promise<string[]> {
	const configurations = await sql<{ id: string }[]>`
		select configuration_id as id from run_configurations where run_id = ${id} and excluded > 0`;
	if (configurations.length === 0) return [];
	const [first] = await sql<LeftOut[]>`
		select m.at, m.suspicions[1] as doubt, count(*) over () as n,
			exists (
				select from decisions d where d.configuration_id = m.configuration_id and d.measurement_id = m.id
			) as decided
		from measurements m
		where m.configuration_id = any(${configurations.map((one) => one.id)}::text[]) and m.run_id = ${id}
			and not m.included and m.point is not null
		order by m.id limit 1`;
	if (!first) return [];
	const reason = first.doubt ?? (first.decided ? "taken out by hand" : null);
	const why = reason === null ? "" : `; first ${first.at}: ${reason}`;
	return [
		`${count(first.n)} of ${count(accepted)} measurements are kept but left out of the fits until someone takes them in on the configuration's page${why}`,
	];
}

interface LeftOut {
	at: string;
	doubt: string | null;
	n: number;
	/** What a check decides carries its doubt: where there is none, it was a person. */
	decided: boolean;
}

function readIssues(sql: Queryable, runId: string, kind: "rejected" | "aside") {
	return sql<InputError[]>`
		select at, reason from run_issues where run_id = ${runId} and kind = ${kind}
		order by position limit ${LISTED_ISSUES}`;
}

/**
 * Measurements of one run in the order of its file.
 * @throws Problem 404
 */
export async function readRunMeasurements(
	sql: Queryable,
	id: string,
	request: PageRequest,
): Promise<Page<StoredMeasurement>> {
	await findLiveRun(sql, id);
	return listRunMeasurements(sql, id, request);
}

export interface RawFile {
	name: string;
	sha256: string;
	bytes: number;
	chunks: AsyncIterable<Uint8Array>;
}

/**
 * The bytes as they were sent (without a gzip layer), piece by piece.
 * @throws Problem 404
 */
export async function readRaw(sql: Queryable, id: string): Promise<RawFile> {
	const { file_name, format, sha256, bytes } = await findLiveRun(sql, id);
	const name = file_name ?? `${format.replaceAll(/[^a-z0-9]+/gi, "-")}-${sha256.slice(0, 8)}.txt`;
	return { name, sha256, bytes, chunks: unpackPieces(storedPieces(sql, id)) };
}

/** One statement a piece: a reader that stops half way leaves no cursor and no connection behind. */
async function* storedPieces(sql: Queryable, id: string): AsyncGenerator<Uint8Array> {
	for (let piece = 0; ; piece++) {
		const [row] = await sql`select gzip from run_bytes where run_id = ${id} and piece = ${piece}`;
		if (!row) return;
		yield row.gzip;
	}
}

/**
 * Gives a run these tags in the place of those it had.
 * @param tags as they are to stand; the same one twice is one
 * @throws Problem 404
 */
export async function tagRun(sql: Queryable, id: string, tags: readonly string[]): Promise<void> {
	await findLiveRun(sql, id);
	await sql`update runs set tags = ${[...new Set(tags)]}::text[] where id = ${id} and deleted_at is null`;
}

/** A run as lists have it. @throws Problem 404 */
export async function readRunItem(sql: Queryable, id: string): Promise<RunItem> {
	return toItem(await findLiveRun(sql, id));
}

/**
 * Deletes a run so that it can be restored: its measurements count nowhere, its bytes stay.
 * @throws Problem 404
 */
export async function deleteRun(sql: Sql, id: string): Promise<void> {
	await longTransaction(sql, async (tx) => {
		await findLiveRun(tx, id);
		await setDeleted(tx, [id], true);
	});
}

/**
 * Brings a deleted run back. Restoring a run that is there changes nothing.
 * @throws Problem 404
 */
export async function restoreRun(sql: Sql, id: string): Promise<RunItem> {
	return longTransaction(sql, async (tx) => {
		await findRun(tx, id);
		await setDeleted(tx, [id], false);
		return toItem(await findRun(tx, id));
	});
}

/** Deletes or restores runs and fits what they touched again. */
export async function setDeleted(tx: Queryable, ids: readonly string[], deleted: boolean): Promise<void> {
	const changed = await tx<{ id: string }[]>`
		update runs set deleted_at = case when ${deleted} then now() end
		where id = any(${[...ids]}::uuid[]) and (deleted_at is null) = ${deleted} returning id`;
	const touched: Touched = new Map();
	for (const { id } of changed) await addTouched(tx, id, touched);
	await lockConfigurations(tx, touched.keys());
	for (const { id } of changed) {
		const copies = deleted ? await releaseDuplicates(tx, id) : [id];
		for (const copy of copies) await markDuplicates(tx, copy);
	}
	for (const { id } of changed) await renewSummariesOfRun(tx, id);
	await describeOrigins(tx, [...touched.keys()]);
	await refit(tx, touched);
}

async function addTouched(tx: Queryable, runId: string, touched: Touched): Promise<void> {
	const rows = await tx<{ id: string; phases: FittedPhase[] }[]>`
		select configuration_id as id, phases from run_configurations where run_id = ${runId}`;
	for (const { id, phases } of rows) touched.set(id, new Set([...(touched.get(id) ?? []), ...phases]));
}
