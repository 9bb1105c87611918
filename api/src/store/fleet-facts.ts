import type { FleetFacts, GpuFacts, PlanFacts } from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { readModel } from "./catalogs.ts";
import { defaultConfiguration, readConfigurationFacts } from "./configurations.ts";
import { readFacts } from "./facts.ts";
import { gpuPricesOf, readPriceBook } from "./prices.ts";
import type { Queryable } from "./sql.ts";

/** Configurations that a search for a fleet reads, those with the most points first. */
const MOST_CONFIGURATIONS = 100;

/**
 * All that a search for a fleet of one model reads: every GPU, the prices of today, and what was measured of the model.
 * @throws Problem 404 for a model that the catalog does not have
 */
export async function readFleetFacts(sql: Queryable, modelId: string): Promise<FleetFacts> {
	const [model, gpus, book, configurations] = await Promise.all([
		readModel(sql, modelId),
		sql<{ facts: GpuFacts }[]>`select facts from gpus order by id`,
		readPriceBook(sql),
		readMeasured(sql, modelId),
	]);
	return {
		model,
		gpus: gpus.map(({ facts }) => facts),
		configurations,
		prices: Object.fromEntries(gpuPricesOf(book)),
	};
}

async function readMeasured(sql: Queryable, modelId: string): Promise<PlanFacts[]> {
	const rows = await sql<{ id: string }[]>`
		select c.id from configurations c
		where c.model_id = ${modelId} and c.gpu_id is not null
			and exists (select from fits f where f.configuration_id = c.id and f.current)
		order by (select count(*) from points p where p.configuration_id = c.id) desc, c.id
		limit ${MOST_CONFIGURATIONS}`;
	return Promise.all(rows.map(({ id }) => readFacts(sql, id)));
}

/**
 * The model of a configuration; of the one that answers where none is asked for.
 * @throws Problem 404 where it is not known, 400 where nothing is measured
 */
export async function modelOfConfiguration(
	sql: Queryable,
	configurationId: string | undefined,
): Promise<string> {
	const id = configurationId ?? (await defaultConfiguration(sql));
	const model = id === null ? null : (await readConfigurationFacts(sql, id)).modelId;
	if (model === null)
		throw invalidInput([
			{ at: "model", reason: "name one: nothing that is measured tells which; GET /models lists them" },
		]);
	return model;
}
