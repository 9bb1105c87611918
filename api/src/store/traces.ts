import { summariseTrace, type TraceSummary } from "@plimsoll/db";
import { readTrace as readTraceText, type TraceColumns, UnreadableTrace } from "../ingest/index.ts";
import { invalidInput, notFound, Problem } from "../problem.ts";
import type { EntryOrigin } from "./catalogs.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { instant, jsonText, plainText, type Queryable } from "./sql.ts";

/** A request trace as a list shows it. */
export interface TraceItem extends TraceSummary {
	id: string;
	name: string;
	requests: number;
	/** Repository and file of a published one, or the name under which a file was sent. */
	source: string;
	href: string | null;
	licence: string | null;
	citation: string | null;
	notes: string[];
	origin: EntryOrigin;
	createdAt: string;
}

export interface TraceDetail extends TraceItem {
	columns: TraceColumns;
}

interface TraceRow extends Omit<TraceItem, keyof TraceSummary | "createdAt"> {
	summary: TraceSummary;
	created_at: string;
}

const toItem = ({ summary, created_at, ...row }: TraceRow): TraceItem => ({
	...row,
	...summary,
	createdAt: instant(created_at),
});

const ITEM = [
	"id",
	"name",
	"requests",
	"summary",
	"source",
	"href",
	"licence",
	"citation",
	"notes",
	"origin",
];

/** Traces, those that came with the product first. */
export function listTraces(sql: Queryable, request: PageRequest): Promise<Page<TraceItem>> {
	return readPage(
		request,
		{
			list: "traces",
			count: async () => (await sql`select count(*) as n from traces`)[0]?.n,
			rows: (after, limit) => sql<TraceRow[]>`
				select ${sql(ITEM)}, created_at from traces
				where ${after ? sql`(origin, id) > (${after[0]}, ${after[1]})` : sql`true`}
				order by origin, id limit ${limit}`,
			place: (row) => [row.origin, row.id],
		},
		(rows) => rows.map(toItem),
	);
}

/** One trace with its requests. @throws Problem 404 */
export async function readTrace(sql: Queryable, id: string): Promise<TraceDetail> {
	const [row] = await sql<(TraceRow & { columns: TraceColumns })[]>`
		select ${sql(ITEM)}, columns, created_at from traces where id = ${id}`;
	if (!row) throw unknownTrace(id);
	const { columns, ...item } = row;
	return { ...toItem(item), columns };
}

const unknownTrace = (id: string) => notFound("Trace", id, "GET /traces lists them; POST /traces adds one.");

/** Words as an id: lower case, joined by hyphens. */
const slugOf = (name: string): string =>
	name
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, "-")
		.replaceAll(/^-+|-+$/g, "")
		.slice(0, 80);

/**
 * Reads a trace file and keeps it.
 * @throws Problem 400 that names every wrong line; 409 where the name is taken
 */
export async function addTrace(
	sql: Queryable,
	{ name, text, sentBy }: { name: string; text: string; sentBy: string | null },
): Promise<TraceItem> {
	const { columns, notes } = readingOf(text);
	const id = slugOf(name) || "trace";
	const [row] = await sql<TraceRow[]>`
		insert into traces (id, name, requests, summary, columns, source, notes, origin, sent_by)
		values (${id}, ${plainText(name)}, ${columns.promptTokens.length}, ${jsonText(summariseTrace(columns))}::jsonb,
			${jsonText(columns)}::jsonb, 'a file that was sent', ${jsonText(notes)}::jsonb, 'user', ${sentBy})
		on conflict (id) do nothing returning ${sql(ITEM)}, created_at`;
	if (!row)
		throw new Problem(409, "Name taken", `There is a trace "${id}" already: send it under another name.`, [
			{ at: "name", reason: "is taken" },
		]);
	return toItem(row);
}

function readingOf(text: string) {
	try {
		return readTraceText(text);
	} catch (error) {
		if (error instanceof UnreadableTrace) throw invalidInput(error.errors);
		throw error;
	}
}

/** @throws Problem 404; 409 for a trace that came with the product */
export async function removeTrace(sql: Queryable, id: string): Promise<void> {
	const [row] = await sql<{ origin: EntryOrigin }[]>`select origin from traces where id = ${id}`;
	if (!row) throw unknownTrace(id);
	if (row.origin !== "user") throw new Problem(409, "Not yours", `"${id}" comes with Plimsoll and stays.`);
	await sql`delete from traces where id = ${id} and origin = 'user'`;
}
