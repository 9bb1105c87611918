import type { PageLoad } from "./$types";
import { loadPlan } from "./load-facts.ts";
import { USUAL_VIEW } from "./plan-view.ts";

/** Reads only the keys that choose what is planned: every other key of the address is answered without a request. */
export const load: PageLoad = async ({ url, fetch, untrack }) => {
	const [plan, solve] = await Promise.all([
		loadPlan(fetch, {
			configuration: url.searchParams.get("configuration"),
			model: url.searchParams.get("model"),
			gpu: url.searchParams.get("gpu"),
		}),
		untrack(() => solverFor(url.searchParams.get("solve"))),
	]);
	return { ...plan, solve };
};

const solverFor = async (wanted: string | null) =>
	wanted === null || wanted === USUAL_VIEW.solve ? null : (await import("./solver.ts")).solve;
