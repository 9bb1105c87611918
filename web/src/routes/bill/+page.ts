import type { Plan } from "@plimsoll/api/model";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import type { ScenarioItem } from "#lib/records/record.ts";
import { loadPlan } from "../(plan)/load-facts.ts";
import type { PageLoad } from "./$types";

/** The plan is the scenario of the address, its subject called by name; a kept one can be chosen instead. */
export const load: PageLoad = async ({ url, fetch }) => {
	const query = url.searchParams.toString();
	const kept = await callApi<Envelope<ScenarioItem>>(fetch, "/scenarios?limit=100").catch(nothingKept);
	try {
		const plan = await callApi<Plan>(fetch, `/plan${query ? `?${query}` : ""}`);
		const { facts } = await loadPlan(fetch, plan.scenario);
		return { query, plan, facts, scenarios: kept.items, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { query, plan: null, facts: null, scenarios: kept.items, failure: problem.message };
	}
};

/** Without the list the page still answers for its address. */
function nothingKept(problem: unknown): Pick<Envelope<ScenarioItem>, "items"> {
	if (problem instanceof ApiProblem) return { items: [] };
	throw problem;
}
