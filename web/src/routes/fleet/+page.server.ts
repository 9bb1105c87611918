import type { CheckedFleet } from "@plimsoll/api";
import { redirect } from "@sveltejs/kit";
import { ApiProblem, callApi } from "#lib/api.ts";
import { withGrowthAsShare } from "#lib/growth.ts";
import { namesOf } from "#lib/records/names.ts";
import type { PageServerLoad } from "./$types";
import { questionOf } from "./fleet-view.ts";

type Fleet = CheckedFleet & { assumed: { key: string; reason: string }[] };

/** The fleets for the demand of the address, and the names that its fields choose among. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const canonical = withGrowthAsShare(url);
	if (canonical) redirect(303, canonical);
	const query = questionOf(url.searchParams).toString();
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
