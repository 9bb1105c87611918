import type { ConfigurationFits, Point } from "@plimsoll/api/model";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import type { Comparison, Configuration, ConfigurationDetail } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";
import { chosenOf, MOST_COMPARED } from "./chosen-configurations.ts";

/** A configuration's laws and dots, as far as the charts draw them. */
export interface Drawn {
	name: string;
	fits: ConfigurationFits;
	points: Point[];
}

interface Answer {
	comparison: Comparison | null;
	drawn: Drawn[];
	failure: string | null;
}

const withoutIds = <T extends { measurementIds: string[] }>(one: T): T => ({ ...one, measurementIds: [] });
const lighten = ({ prefill, decode, serve }: ConfigurationFits): ConfigurationFits => ({
	prefill: prefill && withoutIds(prefill),
	decode: decode && withoutIds(decode),
	serve: serve && withoutIds(serve),
});

async function compared(fetcher: typeof fetch, ids: string[]): Promise<Answer> {
	if (ids.length < 2) return { comparison: null, drawn: [], failure: null };
	const query = new URLSearchParams(ids.map((id) => ["configuration", id]));
	const detail = (id: string) =>
		callApi<ConfigurationDetail>(fetcher, `/configurations/${encodeURIComponent(id)}`);
	const [comparison, ...details] = await Promise.all([
		callApi<Comparison>(fetcher, `/compare?${query}`),
		...ids.map(detail),
	]);
	const drawn = details.map(({ fits, points }, i) => ({
		name: comparison.configurations[i]?.name ?? "",
		fits: lighten(fits),
		points: points.map(withoutIds),
	}));
	return { comparison, drawn, failure: null };
}

export const load: PageServerLoad = async ({ url, fetch }) => {
	const { ids, dropped } = chosenOf(url.searchParams);
	let configurations: Pick<Configuration, "id" | "label" | "origin">[] = [];
	try {
		const list = await callApi<Envelope<Configuration>>(fetch, "/configurations?limit=100");
		configurations = list.items.map(({ id, label, origin }) => ({ id, label, origin }));
		return { ids, dropped, most: MOST_COMPARED, configurations, ...(await compared(fetch, ids)) };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const failure = problem.message;
		return { ids, dropped, most: MOST_COMPARED, configurations, comparison: null, drawn: [], failure };
	}
};
