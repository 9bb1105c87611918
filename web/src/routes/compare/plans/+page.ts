import { ApiProblem, callApi } from "#lib/api.ts";
import type { ScenarioDetail } from "#lib/records/record.ts";
import { loadPlan } from "../../(plan)/load-facts.ts";
import type { PageLoad } from "./$types";
import { entryOf, type PlanEntry } from "./plan-list.ts";
import { type Wanted, wantedOf } from "./wanted.ts";

/** Reads the facts of every plan of the address; one that cannot be read is named, the others stand. */
export const load: PageLoad = async ({ url, fetch }) => {
	const { wanted, dropped } = wantedOf(url.searchParams);
	const read = await Promise.all(wanted.map((one) => entry(fetch, one)));
	return {
		dropped,
		wanted,
		entries: read.filter((one): one is PlanEntry => typeof one !== "string"),
		failures: read.filter((one): one is string => typeof one === "string"),
	};
};

async function entry(fetcher: typeof fetch, wanted: Wanted): Promise<PlanEntry | string> {
	if ("scenario" in wanted) {
		try {
			const { query, facts, name } = await callApi<ScenarioDetail>(
				fetcher,
				`/scenarios/${encodeURIComponent(wanted.scenario)}`,
			);
			return entryOf(wanted, query, facts, name);
		} catch (problem) {
			if (!(problem instanceof ApiProblem)) throw problem;
			return `The kept scenario ${wanted.scenario} could not be read: ${problem.message}`;
		}
	}
	const params = new URLSearchParams(wanted.plan);
	const { facts, dropped, failure } = await loadPlan(fetcher, {
		configuration: params.get("configuration"),
		model: params.get("model"),
		gpu: params.get("gpu"),
	});
	if (failure !== null) return failure;
	const [first] = dropped;
	if (first) return `${first.at}: ${first.reason}, so that plan is left out.`;
	return facts ? entryOf(wanted, wanted.plan, facts, null) : "Nothing is measured yet.";
}
