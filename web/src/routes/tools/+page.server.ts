import type { ToolsAnswer } from "@plimsoll/api";
import type { PlanFacts } from "@plimsoll/api/model";
import { ApiProblem, callApi } from "#lib/api.ts";
import type { PageServerLoad } from "./$types";
import { weighed } from "./weighed.ts";

/** The example list on the configuration of the address: what the page shows until a list is pasted. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const id = url.searchParams.get("configuration");
	try {
		const [example, facts] = await Promise.all([
			callApi<object>(fetch, "/tools/example"),
			callApi<PlanFacts>(fetch, id ? `/configurations/${encodeURIComponent(id)}/facts` : "/facts"),
		]);
		const text = JSON.stringify(example, null, 2);
		const answer: ToolsAnswer = await weighed(fetch, text, url.search);
		return { example: text, answer, facts, failure: null, errors: [] };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { example: "", answer: null, facts: null, failure: problem.message, errors: problem.errors };
	}
};
