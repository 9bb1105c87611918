import type { ToolSeries, ToolsAnswer } from "@plimsoll/api";
import { ApiProblem, callApi } from "#lib/api.ts";
import { factsOf } from "#lib/requests/facts-of.ts";
import type { PageServerLoad } from "./$types";
import { weighed } from "./weighed.ts";

/** The example list on the configuration of the address: what the page shows until a list is pasted. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	try {
		const example = await callApi<object>(fetch, "/tools/example");
		const text = JSON.stringify(example, null, 2);
		const answer: ToolsAnswer = await weighed(fetch, text, url.search);
		const facts = await factsOf(fetch, answer.scenario.configuration);
		const series = await seriesOf(fetch, url.searchParams.get("series"), facts.configuration?.id ?? null);
		return { example: text, answer, facts, series, failure: null, errors: [] };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const { message, errors } = problem;
		return { example: "", answer: null, facts: null, series: null, failure: message, errors };
	}
};

/** The series that is asked for, else that of the configuration, else the first there is. */
async function seriesOf(
	fetcher: typeof fetch,
	asked: string | null,
	configuration: string | null,
): Promise<ToolSeries> {
	const first = await callApi<ToolSeries>(fetcher, "/tools/series");
	const own = first.configurations.find(({ id }) => id === configuration)?.id ?? null;
	const wanted = asked ?? own;
	if (wanted === null || wanted === first.shown) return first;
	return callApi<ToolSeries>(fetcher, `/tools/series?configuration=${encodeURIComponent(wanted)}`);
}
