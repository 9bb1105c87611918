import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import { filterOf, NOTHING, readList } from "#lib/records/list.ts";
import type { Configuration, Run } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

interface Examples {
	present: boolean;
	runs: number;
}

/** Formats among the newest runs: what the filter offers. */
async function formatsOf(fetcher: typeof fetch): Promise<string[]> {
	const { items } = await callApi<Envelope<Run>>(fetcher, "/runs?limit=100");
	return [...new Set(items.map((run) => run.format))].sort();
}

/** What the configuration that the list is narrowed to is called; null: to none, or to one that is not here. */
async function nameOf(fetcher: typeof fetch, id: string): Promise<string | null> {
	if (!id) return null;
	const found = callApi<Configuration>(fetcher, `/configurations/${encodeURIComponent(id)}`);
	return found.then(({ label }) => label).catch(() => null);
}

export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams, ["q", "origin", "format", "configuration"]);
	try {
		const [runs, formats, examples, configuration] = await Promise.all([
			readList<Run>(fetch, "/runs", url.searchParams.get("cursor"), filter),
			formatsOf(fetch),
			callApi<Examples>(fetch, "/examples"),
			nameOf(fetch, filter.configuration),
		]);
		return { filter, runs, formats, examples, configuration, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const examples: Examples = { present: false, runs: 0 };
		const failure = problem.message;
		return { filter, runs: NOTHING as Envelope<Run>, formats: [], examples, configuration: null, failure };
	}
};
