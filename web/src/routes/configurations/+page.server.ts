import { ApiProblem } from "#lib/api.ts";
import type { Configuration } from "#lib/records/record.ts";
import { type Walk, walkList } from "#lib/records/walk.ts";
import type { PageServerLoad } from "./$types";
import { filterOf, isEmpty, matches } from "./configuration-filter.ts";

export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams);
	const wanted = isEmpty(filter) ? null : (one: Configuration) => matches(one, filter);
	const nothing: Walk<Configuration> = { items: [], totalCount: 0, offset: 0, seen: 0, nextCursor: null };
	try {
		const cursor = url.searchParams.get("cursor");
		return {
			filter,
			configurations: await walkList<Configuration>(fetch, "/configurations", cursor, wanted),
			failure: null,
		};
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { filter, configurations: nothing, failure: problem.message };
	}
};
