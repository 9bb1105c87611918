import { ApiProblem, type Envelope } from "#lib/api.ts";
import { filterOf, NOTHING, readList } from "#lib/records/list.ts";
import type { Model } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams, ["q", "origin"]);
	try {
		const models = await readList<Model>(fetch, "/models", url.searchParams.get("cursor"), filter);
		return { filter, models, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { filter, models: NOTHING as Envelope<Model>, failure: problem.message };
	}
};
