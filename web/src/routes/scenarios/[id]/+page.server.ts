import { error } from "@sveltejs/kit";
import { ApiProblem, callApi } from "#lib/api.ts";
import type { ScenarioDetail } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async ({ params, fetch }) => {
	try {
		return {
			scenario: await callApi<ScenarioDetail>(fetch, `/scenarios/${encodeURIComponent(params.id)}`),
		};
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		error(problem.status ?? 503, problem.message);
	}
};
