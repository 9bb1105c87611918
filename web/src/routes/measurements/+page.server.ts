import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import { filterOf, NOTHING, readList } from "#lib/records/list.ts";
import type { Configuration, Run } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

interface Examples {
	present: boolean;
	runs: number;
}

/** Formats and tags among the newest runs: what the filter offers. */
async function offeredOf(fetcher: typeof fetch): Promise<{ formats: string[]; tags: string[] }> {
	const { items } = await callApi<Envelope<Run>>(fetcher, "/runs?limit=100");
	const sorted = (words: string[]) => [...new Set(words)].sort();
	return { formats: sorted(items.map((run) => run.format)), tags: sorted(items.flatMap((run) => run.tags)) };
}

/** What the configuration that the list is narrowed to is called; null: to none, or to one that is not here. */
async function nameOf(fetcher: typeof fetch, id: string): Promise<string | null> {
	if (!id) return null;
	const found = callApi<Configuration>(fetcher, `/configurations/${encodeURIComponent(id)}`);
	return found.then(({ label }) => label).catch(() => null);
}

export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams, ["q", "origin", "format", "configuration", "tag"]);
	const { sort } = filterOf(url.searchParams, ["sort"]);
	try {
		const [runs, offered, examples, configuration] = await Promise.all([
			readList<Run>(fetch, "/runs", url.searchParams.get("cursor"), { ...filter, sort }),
			offeredOf(fetch),
			callApi<Examples>(fetch, "/examples"),
			nameOf(fetch, filter.configuration),
		]);
		return { filter, sort, runs, ...offered, examples, configuration, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const examples: Examples = { present: false, runs: 0 };
		const failure = problem.message;
		const runs = NOTHING as Envelope<Run>;
		return { filter, sort, runs, formats: [], tags: [], examples, configuration: null, failure };
	}
};
