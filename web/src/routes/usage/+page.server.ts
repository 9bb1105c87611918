import type { UsageAnswer } from "@plimsoll/api";
import { ApiProblem, callApi } from "#lib/api.ts";
import type { PageServerLoad } from "./$types";

/** Who asked for how much lately. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	try {
		return { usage: await callApi<UsageAnswer>(fetch, `/usage${url.search}`), failure: null, errors: [] };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { usage: null, failure: problem.message, errors: problem.errors };
	}
};
