import { ApiProblem, callApi } from "#lib/api.ts";
import type { Run } from "#lib/records/record.ts";
import { type Walk, walkList } from "#lib/records/walk.ts";
import type { PageServerLoad } from "./$types";
import { filterOf, isEmpty, matches } from "./run-filter.ts";

interface Examples {
	present: boolean;
	runs: number;
}

/** Formats among the newest runs: what the filter offers. */
async function formatsOf(fetcher: typeof fetch): Promise<string[]> {
	const { items } = await callApi<{ items: Run[] }>(fetcher, "/runs?limit=100");
	return [...new Set(items.map((run) => run.format))].sort();
}

export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams);
	const wanted = isEmpty(filter) ? null : (run: Run) => matches(run, filter);
	const nothing: Walk<Run> = { items: [], totalCount: 0, offset: 0, seen: 0, nextCursor: null };
	try {
		const [runs, formats, examples] = await Promise.all([
			walkList<Run>(fetch, "/runs", url.searchParams.get("cursor"), wanted),
			formatsOf(fetch),
			callApi<Examples>(fetch, "/examples"),
		]);
		return { filter, runs, formats, examples, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const examples: Examples = { present: false, runs: 0 };
		return { filter, runs: nothing, formats: [], examples, failure: problem.message };
	}
};
