import { createHash } from "node:crypto";
import type { Sql } from "postgres";
import type { EffectiveLength, ModelFacts } from "../model/index.ts";
import { notFound, Problem } from "../problem.ts";
import { type ModelEntry, matchModel } from "./catalog.ts";
import { readCatalogRows } from "./catalogs.ts";
import { equals, filteredList, wordPatterns } from "./filter.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { jsonText, type Queryable } from "./sql.ts";

/** What a person enters; the catalog finds the model. */
export type NewEffectiveLength = Omit<EffectiveLength, "id" | "modelId" | "origin">;

interface LengthRow {
	id: string;
	model_id: string | null;
	facts: Omit<EffectiveLength, "modelId" | "origin" | "enteredBy">;
	origin: EffectiveLength["origin"];
	entered_by: string | null;
}

const toLength = ({ id, model_id, facts, origin, entered_by }: LengthRow): EffectiveLength => ({
	...facts,
	...{ id, modelId: model_id, origin, enteredBy: entered_by },
});

/** What is known of a model of the catalog, by its id; nothing without one. */
export async function readEffectiveLengths(
	sql: Queryable,
	modelId: string | null,
): Promise<EffectiveLength[]> {
	if (modelId === null) return [];
	const rows = await sql<
		LengthRow[]
	>`select * from effective_lengths where model_id = ${modelId} order by id`;
	return rows.map(toLength);
}

/** The whole table: own entries first. */
export async function readAllEffectiveLengths(sql: Queryable): Promise<EffectiveLength[]> {
	const rows = await sql<LengthRow[]>`select * from effective_lengths order by origin desc, id`;
	return rows.map(toLength);
}

export interface LengthFilter {
	/** Words, each of which has to stand in the model, the task, the threshold or the source. */
	q?: string | undefined;
	/** Catalog id of a model. */
	model?: string | undefined;
}

/** The table page by page: own entries first, then by id. */
export function listEffectiveLengths(
	sql: Queryable,
	{ limit, cursor, ...filter }: PageRequest & LengthFilter,
): Promise<Page<EffectiveLength>> {
	const text = sql`lower(concat_ws(E'\n', facts->>'model', model_id, facts->>'task', facts->>'threshold',
		facts->'source'->>'label'))`;
	const wanted = sql`${equals(sql, "model_id", filter.model)}
		and ${text} like all(${wordPatterns(filter.q)}::text[])`;
	return readPage(
		{ limit, cursor },
		{
			list: filteredList("effective lengths", { ...filter }),
			count: async () => (await sql`select count(*) as n from effective_lengths where ${wanted}`)[0]?.n,
			rows: (after, most) => sql<LengthRow[]>`
				select * from effective_lengths
				where ${wanted} and ${after ? sql`(origin < ${after[0]} or (origin = ${after[0]} and id > ${after[1]}))` : sql`true`}
				order by origin desc, id limit ${most}`,
			place: ({ origin, id }) => [origin, id],
		},
		(rows) => rows.map(toLength),
	);
}

/** Adds an entry to the table; what stands there already is that one. */
export async function addEffectiveLength(sql: Sql, entry: NewEffectiveLength): Promise<EffectiveLength> {
	const { enteredBy, ...said } = entry;
	const { models } = await readCatalogRows(sql);
	const text = jsonText(said);
	const id = `own-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
	await sql`
		insert into effective_lengths (id, model_id, facts, origin, entered_by)
		values (${id}, ${modelIdOf(entry.model, models)}, ${text}::jsonb, 'user', ${enteredBy})
		on conflict do nothing`;
	const [row] = await sql<LengthRow[]>`select * from effective_lengths where id = ${id}`;
	return toLength(row as LengthRow);
}

/**
 * Takes an own entry out.
 * @throws Problem 404; 409 for one that comes with the product
 */
export async function removeEffectiveLength(sql: Sql, id: string): Promise<void> {
	const [row] = await sql<{ origin: string }[]>`select origin from effective_lengths where id = ${id}`;
	if (!row) throw notFound("Effective length", id, "GET /effective-lengths lists them.");
	if (row.origin !== "user")
		throw new Problem(409, "Comes with Plimsoll", `"${id}" was not entered here and cannot be taken out.`);
	await sql`delete from effective_lengths where id = ${id}`;
}

/** Entries whose model the catalog did not have are matched to it anew. */
export async function nameLengths(
	sql: Queryable,
	models: readonly (ModelEntry & { facts: ModelFacts })[],
): Promise<void> {
	const unnamed = await sql<{ id: string; model: string }[]>`
		select id, facts->>'model' as model from effective_lengths where model_id is null`;
	const found = unnamed.flatMap(({ id, model }) => {
		const modelId = modelIdOf(model, models);
		return modelId === null ? [] : [{ id, modelId }];
	});
	await sql`
		update effective_lengths e set model_id = v.model
		from unnest(${found.map(({ id }) => id)}::text[], ${found.map(({ modelId }) => modelId)}::text[]) as v (id, model)
		where e.id = v.id`;
}

const modelIdOf = (name: string, models: readonly ModelEntry[]): string | null =>
	models.find(({ id }) => id === name)?.id ?? matchModel(name, models);
