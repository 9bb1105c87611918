import type { Conditions } from "../ingest/index.ts";
import type { NamedConditions, Point, ServePoint } from "../model/index.ts";
import { conditionFacts, OF_CLIENTS, WHERE_SAID } from "./condition-facts.ts";
import type { SenderRecord } from "./sender-record.ts";
import type { Queryable } from "./sql.ts";

/** A configuration as far as its conditions go. */
export interface Described {
	id: string;
	conditions: Conditions;
	points: readonly Point[];
}

/**
 * Everything that must be equal for two configurations to be comparable, by the name that a reader sees: the facts of the
 * checklist of a run, over all runs of each.
 */
export async function readConditions(sql: Queryable, all: readonly Described[]): Promise<NamedConditions[]> {
	const senders = await sendersOf(
		sql,
		all.map(({ id }) => id),
	);
	const served = all.some(({ points }) => points.some(isServe));
	const named = all.map(({ id, conditions, points }) => {
		const { records, formats } = senders.get(id) ?? NOBODY;
		const facts = conditionFacts({ conditions: [conditions], records, formats, shapes: shapesOf(points) });
		return facts.map(({ name, value }) => [name, value] as const);
	});
	const said = new Set(
		named.flatMap((one) => one.flatMap(([name, value]) => (value === null ? [] : [name]))),
	);
	const listed = (name: string) =>
		said.has(name) || !(WHERE_SAID.has(name) || (OF_CLIENTS.has(name) && !served));
	return named.map((one) => new Map(one.filter(([name]) => listed(name))));
}

const isServe = (point: Point): point is ServePoint => point.phase === "serve";
const MOST_SHAPES = 6;

/** Lengths that clients sent, in words; null where no client was at work. */
function shapesOf(points: readonly Point[]): string | null {
	const lengths = points
		.filter(isServe)
		.map(({ input, output }) => `${Math.round(input)} → ${Math.round(output)}`);
	const distinct = [...new Set(lengths)];
	const more = distinct.length > MOST_SHAPES ? " …" : "";
	return distinct.length === 0 ? null : `${distinct.slice(0, MOST_SHAPES).join(", ")}${more} tokens`;
}

interface Senders {
	records: SenderRecord[];
	formats: string[];
}
const NOBODY: Senders = { records: [], formats: [] };

/** Runs looked at for what their senders recorded, newest first. */
const MOST_RECORDS = 50;

async function sendersOf(sql: Queryable, ids: string[]): Promise<Map<string, Senders>> {
	const rows = await sql<({ id: string } & Senders)[]>`
		select c.id, array(
			select r.conditions from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
			where l.configuration_id = c.id and r.conditions is not null
			order by r.created_at desc limit ${MOST_RECORDS}) as records,
			array(
			select distinct r.format from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
			where l.configuration_id = c.id) as formats
		from unnest(${ids}::text[]) as c (id)`;
	return new Map(rows.map(({ id, records, formats }) => [id, { records, formats }]));
}
