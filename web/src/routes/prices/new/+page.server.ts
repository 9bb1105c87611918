import { error } from "@sveltejs/kit";
import { ApiProblem, callApi } from "#lib/api.ts";
import { namesOf } from "#lib/records/names.ts";
import type { PriceDetail } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

/** The names of the GPUs, and the price whose place the new one takes. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const supersedes = url.searchParams.get("supersedes");
	const gpus = await namesOf(fetch, "/gpus");
	const today = new Date().toISOString().slice(0, 10);
	if (supersedes === null) return { gpus, today, price: null };
	try {
		return {
			gpus,
			today,
			price: await callApi<PriceDetail>(fetch, `/prices/${encodeURIComponent(supersedes)}`),
		};
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		error(problem.status ?? 503, problem.message);
	}
};
