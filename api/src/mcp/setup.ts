import { kvTypeOf, weightFormatOf } from "../model/index.ts";
import { readCatalogRows } from "../store/catalogs.ts";
import {
	type ConfigurationName,
	findConfiguration,
	findConfigurations,
} from "../store/configuration-names.ts";
import type { Queryable } from "../store/sql.ts";
import type { Figures } from "./figures.ts";
import { gpusNamed, modelsNamed } from "./names.ts";

/** The hardware and the model that a task speaks of. */
export interface Setup {
	/** Measured configurations that it may mean; one where it is clear. */
	configurations: ConfigurationName[];
	/** Catalog ids that it names; none where it names none. */
	gpus: string[];
	models: string[];
	/** What was left aside to get there. */
	notes: string[];
}

const CONFIGURATION_ID = /(?<![\w-])[0-9a-f]{16}(?![\w-])/g;

/**
 * Finds the measured configurations that a task names by id, or by card and model. Your own go before those that others
 * published; a number of cards, a weight format and a cache type narrow where they fit any.
 */
export async function setupOf(sql: Queryable, task: string, figures: Figures): Promise<Setup> {
	const ids = [...new Set(task.toLowerCase().match(CONFIGURATION_ID) ?? [])].slice(0, 4);
	const named = await Promise.all(ids.map((id) => findConfiguration(sql, id)));
	const known = named.filter((found) => found !== null);
	if (known.length > 0) return { configurations: known, gpus: [], models: [], notes: [] };
	const catalogs = await readCatalogRows(sql);
	const gpus = gpusNamed(task, catalogs.gpus);
	const models = modelsNamed(task, catalogs.models);
	if (gpus.length === 0 && models.length === 0) return { configurations: [], gpus, models, notes: [] };
	const found = await findConfigurations(sql, {
		gpus: gpus.length > 0 ? gpus : null,
		models: models.length > 0 ? models : null,
	});
	return {
		...narrowed(found, task, figures),
		gpus: measuredOf(gpus, found, ({ gpuId }) => gpuId),
		models: measuredOf(models, found, ({ modelId }) => modelId),
	};
}

/** Of several names that a word may mean, those that were measured; all where none was. */
function measuredOf(
	ids: string[],
	found: readonly ConfigurationName[],
	idOf: (one: ConfigurationName) => string | null,
): string[] {
	const measured = new Set(found.map(idOf));
	const kept = ids.filter((id) => measured.has(id));
	return kept.length > 0 ? kept : ids;
}

const OURS = /(?<!\p{L})(our|ours|my|mine|we|наш\p{L}*|мой|мои|моя|моих|моей|у нас)(?!\p{L})/iu;

function narrowed(found: ConfigurationName[], task: string, figures: Figures) {
	const notes: string[] = [];
	let left = found;
	const narrow = (test: (one: ConfigurationName) => boolean) => {
		const kept = left.filter(test);
		if (kept.length > 0) left = kept;
		return kept.length > 0;
	};
	const own = narrow(({ origin }) => origin === "own");
	if (own && left.length < found.length)
		notes.push(`${found.length - left.length} published by others left aside`);
	if (!own && found.length > 0 && OURS.test(task))
		notes.push("none of these was measured here: what there is was published by others, or is an example");
	const { gpus, weights, kv } = figures;
	if (gpus !== null && !narrow((one) => one.gpus === gpus) && left.length > 0) {
		notes.push(`none measured with ${gpus} GPUs`);
		left = [];
	}
	if (weights !== null && left.length > 0 && !narrow((one) => sameFormat(one.weights, weights))) {
		notes.push(`none measured with ${weights} weights`);
		left = [];
	}
	if (kv !== null && left.length > 1) narrow((one) => one.kvK !== null && kvTypeOf(one.kvK) === kv);
	return { configurations: left, notes };
}

const sameFormat = (a: string | null, b: string): boolean => {
	const format = weightFormatOf(a);
	return format !== null && format === weightFormatOf(b);
};
