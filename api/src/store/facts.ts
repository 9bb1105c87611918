import type { ConfigurationFits, PlanFacts, Scenario } from "../model/index.ts";
import { readGpu, readModel } from "./catalogs.ts";
import { defaultConfiguration, readConfigurationFacts } from "./configurations.ts";
import { readEffectiveLengths } from "./effective-lengths.ts";
import { readFailures } from "./failures.ts";
import { readFits, readFittedRuns } from "./fits.ts";
import { readPinned } from "./memory-facts.ts";
import { readPrices } from "./prices.ts";
import type { Queryable } from "./sql.ts";

const NO_FITS: ConfigurationFits = { prefill: null, decode: null, serve: null };

const NOTHING: PlanFacts = {
	...{ configuration: null, model: null, gpu: null, fits: NO_FITS },
	...{ failures: [], pinned: null, prices: [] },
};

/**
 * All that a plan of one measured configuration reads.
 * @throws Problem 404
 */
export async function readFacts(sql: Queryable, configurationId: string): Promise<PlanFacts> {
	const configuration = await readConfigurationFacts(sql, configurationId);
	const { modelId, gpuId } = configuration;
	const [model, gpu, fits, failures, pinned, prices, runs, effectiveLengths] = await Promise.all([
		modelId === null ? null : readModel(sql, modelId),
		gpuId === null ? null : readGpu(sql, gpuId),
		readFits(sql, [configurationId]),
		readFailures(sql, configurationId),
		readPinned(sql, configurationId),
		gpuId === null ? [] : readPrices(sql, gpuId),
		readFittedRuns(sql, configurationId),
		readEffectiveLengths(sql, modelId),
	]);
	const known = { configuration, model, gpu, failures, pinned, prices, runs, effectiveLengths };
	return { ...known, fits: fits.get(configurationId) ?? NO_FITS };
}

/**
 * What the catalogs know of a model and a GPU that were never measured together.
 * @throws Problem 404 for an id that no catalog has
 */
async function readFactsOfPair(
	sql: Queryable,
	modelId: string | null,
	gpuId: string | null,
): Promise<PlanFacts> {
	const [model, gpu, prices, effectiveLengths] = await Promise.all([
		modelId === null ? null : readModel(sql, modelId),
		gpuId === null ? null : readGpu(sql, gpuId),
		gpuId === null ? [] : readPrices(sql, gpuId),
		readEffectiveLengths(sql, modelId),
	]);
	return { ...NOTHING, model, gpu, prices, effectiveLengths };
}

/**
 * The facts a scenario is about: its configuration, else its model and GPU, else the worked default.
 * @param leastWindowTokens of the model of the worked default, where an example is taken for it
 * @throws Problem 404 for an id that is not known
 */
export async function readFactsOfScenario(
	sql: Queryable,
	scenario: Scenario,
	leastWindowTokens = 0,
): Promise<PlanFacts> {
	if (scenario.configuration !== null) return readFacts(sql, scenario.configuration);
	if (scenario.model !== null || scenario.gpu !== null)
		return readFactsOfPair(sql, scenario.model, scenario.gpu);
	const worked = await defaultConfiguration(sql, leastWindowTokens);
	return worked === null ? NOTHING : readFacts(sql, worked);
}
