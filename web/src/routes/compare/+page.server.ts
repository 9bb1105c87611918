import type { ConfigurationFits, Point } from "@plimsoll/api/model";
import { ApiProblem, callApi } from "#lib/api.ts";
import type { Choice } from "#lib/records/configuration-search.ts";
import { allOf } from "#lib/records/names.ts";
import type { Comparison, Configuration, ConfigurationDetail, PlannedRuns } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";
import { chosenOf, MOST_COMPARED } from "./chosen-configurations.ts";
import { type SuggestedPair, suggestedPairs } from "./suggested-pairs.ts";

/** A configuration's laws and dots, as far as the charts draw them. */
export interface Drawn {
	id: string;
	name: string;
	fits: ConfigurationFits;
	points: Point[];
}

interface Answer {
	comparison: Comparison | null;
	drawn: Drawn[];
	failure: string | null;
}

const withoutIds = <T extends { measurementIds: string[] }>(one: T): T => ({ ...one, measurementIds: [] });
/** One id is enough to find the run of a dot. */
const withOneId = (point: Point): Point => ({ ...point, measurementIds: point.measurementIds.slice(0, 1) });
const lighten = ({ prefill, decode, serve }: ConfigurationFits): ConfigurationFits => ({
	prefill: prefill && withoutIds(prefill),
	decode: decode && withoutIds(decode),
	serve: serve && withoutIds(serve),
});

const detailOf = (fetcher: typeof fetch, id: string) =>
	callApi<ConfigurationDetail>(fetcher, `/configurations/${encodeURIComponent(id)}`);

async function compared(fetcher: typeof fetch, ids: string[]): Promise<Answer> {
	if (ids.length < 2) return { comparison: null, drawn: [], failure: null };
	const query = new URLSearchParams(ids.map((id) => ["configuration", id]));
	const [comparison, ...details] = await Promise.all([
		callApi<Comparison>(fetcher, `/compare?${query}`),
		...ids.map((id) => detailOf(fetcher, id)),
	]);
	const drawn = details.map(({ id, fits, points }, i) => ({
		id,
		name: comparison.configurations[i]?.name ?? "",
		fits: lighten(fits),
		points: points.map(withOneId),
	}));
	return { comparison, drawn, failure: null };
}

/** What a chosen configuration is called; its id where it is not here. */
const choiceOf = (fetcher: typeof fetch, id: string): Promise<Choice> =>
	detailOf(fetcher, id).then(
		({ label }) => ({ id, label }),
		() => ({ id, label: id }),
	);

export interface Planning {
	runs: PlannedRuns | null;
	failure: string | null;
	errors: { at: string; reason: string }[];
}

/** How often the first two have to be run to show the difference that the address asks for; null without a configuration. */
async function plannedOf(
	fetcher: typeof fetch,
	ids: string[],
	asked: URLSearchParams,
): Promise<Planning | null> {
	if (ids.length === 0) return null;
	const query = new URLSearchParams(ids.slice(0, 2).map((id) => ["configuration", id]));
	for (const key of ["effect", "power", "alpha"]) {
		const value = asked.get(key);
		if (value) query.set(key, value);
	}
	try {
		const runs = await callApi<PlannedRuns>(fetcher, `/compare/repetitions?${query}`);
		return { runs, failure: null, errors: [] };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		// What is wrong with a configuration the comparison itself says.
		return problem.status === 400 ? { runs: null, failure: problem.message, errors: problem.errors } : null;
	}
}

/** Pairs to begin with, where nothing is compared yet; what cannot be read is not suggested. */
const pairsOf = (fetcher: typeof fetch): Promise<SuggestedPair[]> =>
	allOf<Configuration>(fetcher, "/configurations").then(suggestedPairs, () => []);

export const load: PageServerLoad = async ({ url, fetch }) => {
	const { ids, dropped } = chosenOf(url.searchParams);
	const [planning, pairs, ...chosen] = await Promise.all([
		plannedOf(fetch, ids, url.searchParams),
		ids.length < 2 ? pairsOf(fetch) : [],
		...ids.map((id) => choiceOf(fetch, id)),
	]);
	const page = { chosen, dropped, most: MOST_COMPARED, planning, pairs };
	try {
		return { ...page, ...(await compared(fetch, ids)) };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { ...page, comparison: null, drawn: [], failure: problem.message };
	}
};
