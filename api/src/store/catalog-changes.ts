import type { Sql } from "postgres";
import type { Conditions } from "../ingest/index.ts";
import type { GpuFacts, ModelFacts } from "../model/index.ts";
import { Problem } from "../problem.ts";
import { catalogOf, type EntryOrigin, type FactsTable, readCatalogRows, unknownModel } from "./catalogs.ts";
import { nameLengths } from "./effective-lengths.ts";
import { jsonText, type Queryable } from "./sql.ts";

export interface NewEntry<F> {
	facts: F;
	/** Further spellings, any case. */
	aliases: string[];
}

/**
 * Adds an entry, and names the configurations that waited for it. One that is there is only replaced when told to;
 * seeds then no longer change it.
 * @throws Problem 409 where the id is taken and nobody said to replace it
 */
async function putFacts<F extends { id: string; name: string }>(
	sql: Sql,
	table: FactsTable,
	{ facts, aliases }: NewEntry<F>,
	replace: boolean,
): Promise<F> {
	const spellings = aliases.map((alias) => alias.toLowerCase());
	const taken = replace
		? sql`do update set name = excluded.name, facts = excluded.facts, origin = 'user',
			aliases = array(select distinct unnest(${sql(table)}.aliases || excluded.aliases))`
		: sql`do nothing`;
	await sql.begin(async (tx) => {
		const [put] = await tx`
			insert into ${sql(table)} (id, name, aliases, facts, origin)
			values (${facts.id}, ${facts.name}, ${spellings}::text[], ${jsonText(facts)}::jsonb, 'user')
			on conflict (id) ${taken} returning id`;
		if (!put) throw await idTaken(tx, table, facts.id);
		await nameAgain(tx);
	});
	return facts;
}

export const putModel = (sql: Sql, entry: NewEntry<ModelFacts>, replace: boolean) =>
	putFacts(sql, "models", entry, replace);
export const putGpu = (sql: Sql, entry: NewEntry<GpuFacts>, replace: boolean) =>
	putFacts(sql, "gpus", entry, replace);

async function idTaken(sql: Queryable, table: FactsTable, id: string): Promise<Problem> {
	const [row] = await sql<{ name: string; origin: EntryOrigin }[]>`
		select name, origin from ${sql(table)} where id = ${id}`;
	const whose = row?.origin === "user" ? "was added here before" : "comes with Plimsoll";
	const advice = "send it again with ?id=another-id to keep both, or with ?replace=true to replace it";
	return new Problem(409, "Id taken", `"${id}" (${row?.name ?? id}) ${whose}: ${advice}.`, [
		{ at: "id", reason: advice },
	]);
}

/**
 * Takes out a model that somebody added here; configurations that were matched to it are matched anew.
 * @throws Problem 404; 409 for a model that comes with the product
 */
export async function removeModel(sql: Sql, id: string): Promise<void> {
	await sql.begin(async (tx) => {
		const [row] = await tx<{ origin: EntryOrigin }[]>`select origin from models where id = ${id} for update`;
		if (!row) throw unknownModel(id);
		if (row.origin !== "user")
			throw new Problem(409, "Comes with Plimsoll", `"${id}" was not added here and cannot be taken out.`);
		await tx`delete from models where id = ${id}`;
		await tx`update configurations set model_id = null where model_id = ${id}`;
		await tx`update effective_lengths set model_id = null where model_id = ${id}`;
		await nameAgain(tx);
	});
}

/** Configurations and effective lengths whose GPU or model was not known get it as soon as the catalog does. */
export async function nameAgain(sql: Queryable): Promise<void> {
	const rows = await readCatalogRows(sql);
	await nameLengths(sql, rows.models);
	const catalog = catalogOf(rows);
	const unnamed = await sql<{ id: string; conditions: Conditions }[]>`
		select id, conditions from configurations where gpu_id is null or model_id is null`;
	const found = unnamed
		.map(({ id, conditions }) => ({
			id,
			gpu: catalog.gpuOf(conditions)?.id,
			model: catalog.modelOf(conditions)?.id,
		}))
		.filter(({ gpu, model }) => gpu ?? model);
	await sql`
		update configurations c set gpu_id = coalesce(c.gpu_id, v.gpu), model_id = coalesce(c.model_id, v.model)
		from unnest(${found.map(({ id }) => id)}::text[], ${found.map(({ gpu }) => gpu ?? null)}::text[],
			${found.map(({ model }) => model ?? null)}::text[]) as v (id, gpu, model)
		where c.id = v.id`;
}
