import { ApiProblem, callApi } from "#lib/api.ts";
import type { ScenarioDetail } from "#lib/records/record.ts";
import { loadPlan } from "../../(plan)/load-facts.ts";
import type { PageLoad } from "./$types";
import { entryOf, type PlanEntry } from "./plan-list.ts";
import { type DroppedPart, partsOf } from "./plan-parts.ts";
import { type Wanted, wantedOf } from "./wanted.ts";

/** A plan that would be another one without what cannot be used of it. */
interface LeftOut {
	plan: string;
	parts: DroppedPart[];
}

/** Reads the facts of every plan of the address; one that cannot be read is named, the others stand. */
export const load: PageLoad = async ({ url, fetch }) => {
	const { wanted, dropped } = wantedOf(url.searchParams);
	const read = await Promise.all(wanted.map((one) => entry(fetch, one)));
	return {
		dropped,
		wanted,
		entries: read.filter((one): one is PlanEntry => typeof one !== "string" && "facts" in one),
		leftOut: read.filter((one): one is LeftOut => typeof one !== "string" && "plan" in one),
		failures: read.filter((one): one is string => typeof one === "string"),
	};
};

/** @returns a text: why it could not be read this time */
async function entry(fetcher: typeof fetch, wanted: Wanted): Promise<PlanEntry | LeftOut | string> {
	if ("scenario" in wanted) {
		try {
			const { query, facts, name } = await callApi<ScenarioDetail>(
				fetcher,
				`/scenarios/${encodeURIComponent(wanted.scenario)}`,
			);
			return entryOf(wanted, new URLSearchParams(query), facts, { name, dropped: [] });
		} catch (problem) {
			if (!(problem instanceof ApiProblem)) throw problem;
			return `The kept scenario ${wanted.scenario} could not be read: ${problem.message}`;
		}
	}
	const { plan } = wanted;
	const { query, dropped } = partsOf(plan);
	if (!query) return { plan, parts: dropped };
	const asked = {
		configuration: query.get("configuration"),
		model: query.get("model"),
		gpu: query.get("gpu"),
	};
	const { facts, dropped: unknown, failure } = await loadPlan(fetcher, asked);
	if (failure !== null) return failure;
	if (unknown.length > 0)
		return {
			plan,
			parts: [...dropped, ...unknown.map((one) => ({ ...one, value: query.get(one.at) ?? "" }))],
		};
	return facts ? entryOf(wanted, query, facts, { name: null, dropped }) : "Nothing is measured yet.";
}
