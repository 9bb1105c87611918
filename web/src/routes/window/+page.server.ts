import type { WindowAnswer } from "@plimsoll/api";
import { ApiProblem, callApi } from "#lib/api.ts";
import { factsOf } from "#lib/requests/facts-of.ts";
import type { PageServerLoad } from "./$types";

/** The session of the address on its configuration. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	try {
		const answer = await callApi<WindowAnswer>(fetch, `/window${url.search}`);
		const facts = await factsOf(fetch, answer.scenario.configuration);
		return { answer, facts, failure: null, errors: [] };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { answer: null, facts: null, failure: problem.message, errors: problem.errors };
	}
};
