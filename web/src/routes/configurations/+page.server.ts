import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import { filterOf, NOTHING, readList } from "#lib/records/list.ts";
import type { Configuration } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

/** What an entry of a catalog is called; its id where the catalog does not have it. */
async function nameOf(fetcher: typeof fetch, catalog: "gpus" | "models", id: string): Promise<string> {
	if (!id) return "";
	const found = callApi<{ name: string }>(fetcher, `/${catalog}/${encodeURIComponent(id)}`);
	return found.then(({ name }) => name).catch(() => id);
}

export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams, ["q", "origin", "gpu", "model"]);
	try {
		const [configurations, gpu, model] = await Promise.all([
			readList<Configuration>(fetch, "/configurations", url.searchParams.get("cursor"), filter),
			nameOf(fetch, "gpus", filter.gpu),
			nameOf(fetch, "models", filter.model),
		]);
		return { filter, configurations, names: { gpu, model }, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const configurations = NOTHING as Envelope<Configuration>;
		return { filter, configurations, names: { gpu: "", model: "" }, failure: problem.message };
	}
};
