import type { CheckedFleet } from "@plimsoll/api";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import type { PageServerLoad } from "./$types";

interface Named {
	id: string;
	name: string;
}
type Fleet = CheckedFleet & { assumed: { key: string; reason: string }[] };

/** The fleets for the demand of the address, and the names that its fields choose among. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const query = url.searchParams.toString();
	const names = Promise.all([namesOf(fetch, "/models"), namesOf(fetch, "/gpus")]);
	try {
		const fleet = await callApi<Fleet>(fetch, `/fleet${query ? `?${query}` : ""}`);
		const [models, gpus] = await names;
		return { fleet, models, gpus, failure: null, errors: [] };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const [models, gpus] = await names;
		return { fleet: null, models, gpus, failure: problem.message, errors: problem.errors };
	}
};

/** Every name of a catalog; without the catalog a field takes what is typed. */
async function namesOf(fetcher: typeof fetch, path: string): Promise<Named[]> {
	const names: Named[] = [];
	let cursor: string | null = "";
	try {
		while (cursor !== null) {
			const page: Envelope<Named> = await callApi(
				fetcher,
				`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
			);
			names.push(...page.items.map(({ id, name }) => ({ id, name })));
			cursor = page.nextCursor;
		}
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
	}
	return names;
}
