import { type ConfigurationFits, defaultScenario, type PlanFacts, type Point } from "@plimsoll/api/model";
import { scenarioToQuery } from "@plimsoll/api/scenario";
import { error } from "@sveltejs/kit";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import { readList } from "#lib/records/list.ts";
import type {
	ConfigurationDetail,
	EngineVersions,
	KeptDecision,
	Measurement,
	Run,
} from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

/** Lineage is shown as counts and runs: the ids of thousands of measurements would only make the page heavy. */
function withoutIds<T extends { measurementIds: string[] }>(one: T): T {
	return { ...one, measurementIds: [] };
}
/** One id is enough to find the run of a dot. */
const withOneId = (point: Point): Point => ({ ...point, measurementIds: point.measurementIds.slice(0, 1) });

function lighten({ prefill, decode, serve }: ConfigurationFits): ConfigurationFits {
	return {
		prefill: prefill && withoutIds(prefill),
		decode: decode && withoutIds(decode),
		serve: serve && withoutIds(serve),
	};
}

export const load: PageServerLoad = async ({ params: { id }, url, fetch }) => {
	const path = `/configurations/${encodeURIComponent(id)}`;
	try {
		const [configuration, facts, list, runs, history, versions] = await Promise.all([
			callApi<ConfigurationDetail>(fetch, path),
			callApi<PlanFacts>(fetch, `${path}/facts`),
			readList<Measurement>(fetch, `${path}/measurements`, url.searchParams.get("cursor")),
			readList<Run>(fetch, "/runs", null, { configuration: id }),
			callApi<Envelope<KeptDecision>>(fetch, `${path}/decisions`),
			callApi<EngineVersions>(fetch, `${path}/versions`),
		]);
		const points: Point[] = configuration.points.map(withOneId);
		return {
			configuration: { ...configuration, points, fits: lighten(configuration.fits) },
			gpu: facts.gpu,
			model: facts.model,
			question: scenarioToQuery(defaultScenario(facts)).toString(),
			list,
			history: { decisions: history.items, count: history.totalCount },
			versions,
			runs: runs.items.map(({ id, label, fileName, format, sha256 }) => ({
				id,
				label,
				fileName,
				format,
				sha256,
			})),
		};
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		if (problem.status === 404 || problem.status === 400)
			error(404, {
				message: `No configuration here has the id “${id}”.`,
				advice:
					"The link may be mistyped, or all runs of the configuration were deleted. The Configurations page lists those that have measurements.",
			});
		error(503, { message: problem.message, advice: "Try again." });
	}
};
