import type { Conditions } from "../ingest/index.ts";
import type { GpuFacts, GpuPrice, ModelFacts } from "../model/index.ts";
import { notFound, Problem } from "../problem.ts";
import { type CatalogEntry, type ModelEntry, matchGpu, matchModel } from "./catalog.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import type { Queryable } from "./sql.ts";

interface GpuEntry extends CatalogEntry {
	facts: GpuFacts;
}

/** Both catalogs as they stood when an upload began, for finding its names in them. */
export interface Catalog {
	/** null: the name is not known, or could be several. */
	gpuOf(conditions: Conditions): GpuFacts | null;
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

function listFacts<F extends { id: string }>(
	sql: Queryable,
	table: FactsTable,
	request: PageRequest,
): Promise<Page<F & { origin: EntryOrigin }>> {
	return readPage(
		request,
		{
			list: table,
			count: async () => (await sql`select count(*) as n from ${sql(table)}`)[0]?.n,
			rows: (after, limit) => sql<{ id: string; facts: F; origin: EntryOrigin }[]>`
				select id, facts, origin from ${sql(table)} where ${after ? sql`id > ${after[1]}` : sql`true`}
				order by id limit ${limit}`,
			place: (row) => ["id", row.id],
		},
		(rows) => rows.map(({ facts, origin }) => ({ ...facts, origin })),
	);
}

export const listModels = (sql: Queryable, request: PageRequest) =>
	listFacts<ModelFacts>(sql, "models", request);
export const listGpus = (sql: Queryable, request: PageRequest) => listFacts<GpuFacts>(sql, "gpus", request);

interface PriceRow {
	id: string;
	gpu_id: string;
	kind: GpuPrice["kind"];
	usd_per_gpu_hour_low: number;
	usd_per_gpu_hour_high: number;
	source: string;
	read_on: string;
}

const toPrice = (row: PriceRow): GpuPrice => ({
	id: row.id,
	gpuId: row.gpu_id,
	kind: row.kind,
	usdPerGpuHourLow: row.usd_per_gpu_hour_low,
	usdPerGpuHourHigh: row.usd_per_gpu_hour_high,
	source: row.source,
	readOn: row.read_on,
});

/** Prices of one GPU, newest first. */
export async function readPrices(sql: Queryable, gpuId: string): Promise<GpuPrice[]> {
	const rows = await sql<PriceRow[]>`
		select * from prices where gpu_id = ${gpuId} order by read_on desc, created_at desc, id desc limit 100`;
	return rows.map(toPrice);
}

/** The price book, newest first, of all GPUs or of one. */
export function listPrices(
	sql: Queryable,
	{ gpu, ...request }: PageRequest & { gpu?: string | undefined },
): Promise<Page<GpuPrice>> {
	const chosen = gpu === undefined ? sql`true` : sql`gpu_id = ${gpu}`;
	return readPage(
		request,
		{
			list: `prices ${gpu ?? ""}`,
			count: async () => (await sql`select count(*) as n from prices where ${chosen}`)[0]?.n,
			rows: (after, limit) => sql<PriceRow[]>`
				select * from prices
				where ${chosen} and ${after ? sql`(read_on, id) < (${after[0]}, ${after[1]}::text::uuid)` : sql`true`}
				order by read_on desc, id desc limit ${limit}`,
			place: (row) => [row.read_on, row.id],
		},
		(rows) => rows.map(toPrice),
	);
}

/**
 * Enters a price; the same one again is the one that is there.
 * @throws Problem 422 for a GPU that the catalog does not have
 */
export async function addPrice(sql: Queryable, price: Omit<GpuPrice, "id">): Promise<GpuPrice> {
	const { gpuId, kind, usdPerGpuHourLow: low, usdPerGpuHourHigh: high, source, readOn } = price;
	const [gpu] = await sql`select 1 from gpus where id = ${gpuId}`;
	if (!gpu) {
		const reason = "not in the catalog; GET /gpus lists it, POST /gpus adds to it";
		throw new Problem(422, "Unknown GPU", `gpuId "${gpuId}" is ${reason}.`, [{ at: "gpuId", reason }]);
	}
	const [row] = await sql<PriceRow[]>`
		insert into prices (gpu_id, kind, usd_per_gpu_hour_low, usd_per_gpu_hour_high, source, read_on, origin)
		values (${gpuId}, ${kind}, ${low}, ${high}, ${source}, ${readOn}, 'user')
		on conflict (gpu_id, kind, source, read_on, usd_per_gpu_hour_low, usd_per_gpu_hour_high)
			do update set kind = excluded.kind
		returning *`;
	return toPrice(row as PriceRow);
}
