import type { EffectiveLength } from "@plimsoll/api/model";
import { ApiProblem, type Envelope } from "#lib/api.ts";
import { filterOf, NOTHING, readList } from "#lib/records/list.ts";
import { namesOf } from "#lib/records/names.ts";
import type { PageServerLoad } from "./$types";

/** One page of the table, and the models of the catalog to enter one for. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams, ["q", "model"]);
	const models = await namesOf(fetch, "/models");
	try {
		const cursor = url.searchParams.get("cursor");
		const list = await readList<EffectiveLength>(fetch, "/effective-lengths", cursor, filter);
		return { filter, models, list, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const list: Envelope<EffectiveLength> = NOTHING;
		return { filter, models, list, failure: problem.message };
	}
};
