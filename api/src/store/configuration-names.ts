import type { ConfigurationFacts } from "../model/index.ts";
import type { Queryable } from "./sql.ts";

/** A measured configuration, as far as it takes to tell it from others. */
export interface ConfigurationName {
	id: string;
	label: string;
	gpuId: string | null;
	modelId: string | null;
	gpus: number | null;
	weights: string | null;
	kvK: string | null;
	origin: ConfigurationFacts["origin"];
	attribution: string | null;
}

/** More are not told apart by a question in words. */
const MOST = 200;

/**
 * Configurations with a fitted law, newest first.
 * @param filter ids of the catalogs; null: any
 */
export async function findConfigurations(
	sql: Queryable,
	{ gpus, models }: { gpus: readonly string[] | null; models: readonly string[] | null },
): Promise<ConfigurationName[]> {
	return [
		...(await sql<ConfigurationName[]>`
			select id, label, gpu_id as "gpuId", model_id as "modelId", (conditions->>'gpus')::int as gpus,
				conditions->>'weights' as weights, conditions->>'kvK' as "kvK", origin, attribution
			from configurations c
			where (${gpus === null} or gpu_id = any(${[...(gpus ?? [])]}::text[]))
				and (${models === null} or model_id = any(${[...(models ?? [])]}::text[]))
				and exists (select from fits f where f.configuration_id = c.id and f.current)
				and exists (select from run_configurations l join runs r on r.id = l.run_id and r.deleted_at is null
					where l.configuration_id = c.id)
			order by created_at desc, id limit ${MOST}`),
	];
}

/** The configuration of an id; null where there is none. */
export async function findConfiguration(sql: Queryable, id: string): Promise<ConfigurationName | null> {
	const [row] = await sql<ConfigurationName[]>`
		select id, label, gpu_id as "gpuId", model_id as "modelId", (conditions->>'gpus')::int as gpus,
			conditions->>'weights' as weights, conditions->>'kvK' as "kvK", origin, attribution
		from configurations where id = ${id}`;
	return row ?? null;
}
