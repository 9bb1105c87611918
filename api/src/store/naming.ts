import type { Sql } from "postgres";
import { type Conditions, configurationLabel, distinctLabels } from "../ingest/index.ts";
import type { Queryable } from "./sql.ts";

interface Row {
	id: string;
	conditions: Conditions;
}

/** Key of the lock under which names are given: whoever comes later sees the names given before. */
const NAMING = 7_011_962;

/**
 * Gives configurations that share a name the conditions that tell them apart, in their labels.
 * @param fresh ids of new configurations, whose names others may have; left out: all that have another's label
 */
export async function nameApart(sql: Sql, fresh?: readonly string[]): Promise<void> {
	if (fresh?.length === 0) return;
	await sql.begin(async (tx) => {
		await tx`select pg_advisory_xact_lock(${NAMING})`;
		const asked = await tx<Row[]>`
			select id, conditions from configurations where ${
				fresh
					? tx`id = any(${[...fresh]}::text[])`
					: tx`label in (select label from configurations group by label having count(*) > 1)`
			}`;
		const names = [...new Set(asked.map(({ conditions }) => configurationLabel(conditions)))];
		if (names.length === 0) return;
		const sharing = await readSharing(tx, names);
		await writeLabels(tx, distinctLabels(sharing));
	});
}

/** Configurations of given names, whatever their labels say behind them. */
async function readSharing(sql: Queryable, names: readonly string[]): Promise<Row[]> {
	const rows = await sql<Row[]>`
		select id, conditions from configurations c
		where exists (select from unnest(${[...names]}::text[]) as n (name)
			where c.label = n.name or starts_with(c.label, n.name || ' · '))`;
	// "… vllm" is also the beginning of the name "… vllm · kv fp8".
	return rows.filter(({ conditions }) => names.includes(configurationLabel(conditions)));
}

/** One that an upload is writing to keeps its label for now: the others' labels tell it apart already. */
async function writeLabels(sql: Queryable, labels: ReadonlyMap<string, string>): Promise<void> {
	await sql`
		update configurations c set label = v.label
		from unnest(${[...labels.keys()]}::text[], ${[...labels.values()]}::text[]) as v (id, label)
		where c.id = v.id and c.id in (
			select o.id from configurations o
				join unnest(${[...labels.keys()]}::text[], ${[...labels.values()]}::text[]) as w (id, label) on w.id = o.id
			where o.label <> w.label order by o.id for update of o skip locked)`;
}
