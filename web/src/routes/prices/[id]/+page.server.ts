import { error } from "@sveltejs/kit";
import { ApiProblem, callApi } from "#lib/api.ts";
import { namesOf } from "#lib/records/names.ts";
import type { PriceDetail } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async ({ params, fetch }) => {
	try {
		const [price, gpus] = await Promise.all([
			callApi<PriceDetail>(fetch, `/prices/${encodeURIComponent(params.id)}`),
			namesOf(fetch, "/gpus"),
		]);
		return { price, gpus };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		error(problem.status ?? 503, problem.message);
	}
};
