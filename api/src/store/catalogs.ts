import type { Conditions } from "../ingest/index.ts";
import type { GpuFacts, ModelFacts } from "../model/index.ts";
import { notFound, type Problem } from "../problem.ts";
import { type CatalogEntry, gpusLike, type ModelEntry, matchGpu, matchModel } from "./catalog.ts";
import { equals, filteredList, wordPatterns } from "./filter.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import type { Queryable } from "./sql.ts";

interface GpuEntry extends CatalogEntry {
	facts: GpuFacts;
}

/** Both catalogs as they stood when an upload began, for finding its names in them. */
export interface Catalog {
	/** null: the name is not known, or could be several. */
	gpuOf(conditions: Conditions): GpuFacts | null;
	/** Ids of the cards that a name may mean, in the order of ids. */
	gpusLike(name: string): string[];
	modelOf(conditions: Conditions): ModelFacts | null;
}

/** Both catalogs as plain data. */
export interface CatalogRows {
	gpus: GpuEntry[];
	models: (ModelEntry & { facts: ModelFacts })[];
}

/** Reads both catalogs: a few hundred rows. */
export async function readCatalogRows(sql: Queryable): Promise<CatalogRows> {
	const [gpus, models] = await Promise.all([
		sql<CatalogRows["gpus"]>`select id, name, aliases, facts from gpus`,
		sql<CatalogRows["models"]>`select id, name, aliases, facts from models`,
	]);
	return { gpus: [...gpus], models: [...models] };
}

export function catalogOf({ gpus, models }: CatalogRows): Catalog {
	const gpuOf = remembering(
		({ gpu }) => gpu,
		(name) => matchGpu(name, gpus),
	);
	const modelOf = remembering(
		({ model }) => model,
		(name, { modelParams }) => matchModel(name, models, modelParams),
		({ modelParams }) => String(modelParams),
	);
	return {
		gpuOf: (conditions) => gpus.find((gpu) => gpu.id === gpuOf(conditions))?.facts ?? null,
		gpusLike: (name) => gpusLike(name, gpus).sort(),
		modelOf: (conditions) => models.find((model) => model.id === modelOf(conditions))?.facts ?? null,
	};
}

/** Matching reads every spelling of a catalog: once per name is enough. */
function remembering(
	nameOf: (conditions: Conditions) => string | null,
	match: (name: string, conditions: Conditions) => string | null,
	further: (conditions: Conditions) => string = () => "",
) {
	const known = new Map<string, string | null>();
	return (conditions: Conditions): string | null => {
		const name = nameOf(conditions);
		if (name === null) return null;
		const key = `${name}\n${further(conditions)}`;
		const id = known.has(key) ? (known.get(key) ?? null) : match(name, conditions);
		known.set(key, id);
		return id;
	};
}

/** One model, and whose entry it is. @throws Problem 404 */
export async function readModelEntry(sql: Queryable, id: string): Promise<ModelItem> {
	const [row] = await sql<{ facts: ModelFacts; origin: EntryOrigin }[]>`
		select facts, origin from models where id = ${id}`;
	if (!row) throw unknownModel(id);
	return { ...row.facts, origin: row.origin };
}

/** @throws Problem 404 */
export async function readModel(sql: Queryable, id: string): Promise<ModelFacts> {
	const [row] = await sql<{ facts: ModelFacts }[]>`select facts from models where id = ${id}`;
	if (!row) throw unknownModel(id);
	return row.facts;
}

export const unknownModel = (id: string): Problem =>
	notFound("Model", id, "GET /models lists the catalog; POST /models adds to it.");

/** @throws Problem 404 */
export async function readGpu(sql: Queryable, id: string): Promise<GpuFacts> {
	const [row] = await sql<{ facts: GpuFacts }[]>`select facts from gpus where id = ${id}`;
	if (!row) throw notFound("GPU", id, "GET /gpus lists the catalog; POST /gpus adds to it.");
	return row.facts;
}

/** The catalogs whose rows hold facts. */
export type FactsTable = "gpus" | "models";

/** Whose an entry of a catalog is: it came with the product, or somebody here added it. */
export type EntryOrigin = "seed" | "user";

/** A model of the catalog, and whose entry it is. */
export type ModelItem = ModelFacts & { origin: EntryOrigin };

/** What a catalog is narrowed to. */
interface CatalogFilter {
	/** Words, each of which has to stand in a spelling of the name, the family, the vendor or a source. */
	q?: string | undefined;
	origin?: EntryOrigin | undefined;
}

function listFacts<F extends { id: string }>(
	sql: Queryable,
	table: FactsTable,
	{ limit, cursor, ...filter }: PageRequest & CatalogFilter,
): Promise<Page<F & { origin: EntryOrigin }>> {
	const text = sql`lower(concat_ws(E'\n', id, name, aliases::text, facts->>'family', facts->>'vendor',
		jsonb_path_query_array(facts, '$.sources[*].label')::text))`;
	const wanted = sql`${equals(sql, "origin", filter.origin)}
		and ${text} like all(${wordPatterns(filter.q)}::text[])`;
	return readPage(
		{ limit, cursor },
		{
			list: filteredList(table, { ...filter }),
			count: async () => (await sql`select count(*) as n from ${sql(table)} where ${wanted}`)[0]?.n,
			rows: (after, limit) => sql<{ id: string; facts: F; origin: EntryOrigin }[]>`
				select id, facts, origin from ${sql(table)}
				where ${wanted} and ${after ? sql`id > ${after[1]}` : sql`true`}
				order by id limit ${limit}`,
			place: (row) => ["id", row.id],
		},
		(rows) => rows.map(({ facts, origin }) => ({ ...facts, origin })),
	);
}

export const listModels = (sql: Queryable, request: PageRequest & CatalogFilter) =>
	listFacts<ModelFacts>(sql, "models", request);
export const listGpus = (sql: Queryable, request: PageRequest & CatalogFilter) =>
	listFacts<GpuFacts>(sql, "gpus", request);
