import { ApiProblem } from "#lib/api.ts";
import type { Model } from "#lib/records/record.ts";
import { type Walk, walkList } from "#lib/records/walk.ts";
import type { PageServerLoad } from "./$types";
import { filterOf, isEmpty, matches } from "./model-filter.ts";

export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams);
	const wanted = isEmpty(filter) ? null : (model: Model) => matches(model, filter);
	const nothing: Walk<Model> = { items: [], totalCount: 0, offset: 0, seen: 0, nextCursor: null };
	try {
		const models = await walkList<Model>(fetch, "/models", url.searchParams.get("cursor"), wanted);
		return { filter, models, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { filter, models: nothing, failure: problem.message };
	}
};
