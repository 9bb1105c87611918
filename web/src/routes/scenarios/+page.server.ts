import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import { NOTHING, readList } from "#lib/records/list.ts";
import type { ListedScenario, ScenarioDetail } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";
import { MOST_COMPARED } from "./compared.ts";

/** One page of the list, and the scenarios that are held side by side. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const chosen = url.searchParams.getAll("compare").slice(0, MOST_COMPARED);
	try {
		const [scenarios, compared] = await Promise.all([
			readList<ListedScenario>(fetch, "/scenarios", url.searchParams.get("cursor")),
			Promise.all(chosen.map((id) => detailOf(fetch, id))),
		]);
		return { scenarios, compared: compared.filter((one) => one !== null), failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { scenarios: NOTHING as Envelope<ListedScenario>, compared: [], failure: problem.message };
	}
};

/** null for one that was taken out since. */
async function detailOf(fetcher: typeof fetch, id: string): Promise<ScenarioDetail | null> {
	try {
		return await callApi<ScenarioDetail>(fetcher, `/scenarios/${encodeURIComponent(id)}`);
	} catch (problem) {
		if (problem instanceof ApiProblem && (problem.status === 404 || problem.status === 400)) return null;
		throw problem;
	}
}
