import type { WindowAnswer } from "@plimsoll/api";
import type { PlanFacts } from "@plimsoll/api/model";
import { ApiProblem, callApi } from "#lib/api.ts";
import type { PageServerLoad } from "./$types";

/** The session of the address on its configuration. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const id = url.searchParams.get("configuration");
	try {
		const [answer, facts] = await Promise.all([
			callApi<WindowAnswer>(fetch, `/window${url.search}`),
			callApi<PlanFacts>(fetch, id ? `/configurations/${encodeURIComponent(id)}/facts` : "/facts"),
		]);
		return { answer, facts, failure: null, errors: [] };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { answer: null, facts: null, failure: problem.message, errors: problem.errors };
	}
};
