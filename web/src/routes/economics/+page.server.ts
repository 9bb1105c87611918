import type { CheckedFleet, CheckedOption } from "@plimsoll/api";
import type { Economics } from "@plimsoll/api/model";
import { redirect } from "@sveltejs/kit";
import { ApiProblem, callApi } from "#lib/api.ts";
import { withGrowthAsShare } from "#lib/growth.ts";
import { allOf, namesOf } from "#lib/records/names.ts";
import type { PriceItem } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";
import { COMPARED_KEYS, isHosted, isOwned } from "./ways.ts";

interface FleetEconomics {
	option: CheckedOption;
	economics: Economics;
	priceIds: { rent: string | null; own: string | null; hosted: string | null };
	assumed: { key: string; reason: string }[];
}

/** The fleet for the demand of the address, held against buying its GPUs and a hosted model. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const canonical = withGrowthAsShare(url);
	if (canonical) redirect(303, canonical);
	const demand = new URLSearchParams(url.search);
	for (const key of COMPARED_KEYS) demand.delete(key);
	const models = await namesOf(fetch, "/models");
	const nothing = { models, fleet: null, answer: null, hosted: [], owned: [], prices: null, lost: false };
	try {
		const [fleet, book] = await Promise.all([
			callApi<CheckedFleet>(
				fetch,
				`/fleet?${new URLSearchParams({ ...Object.fromEntries(demand), check: "0" })}`,
			),
			allOf<PriceItem>(fetch, "/prices"),
		]);
		const hosted = book.filter(isHosted);
		const wanted = url.searchParams.get("option");
		const option = fleet.options.find(({ id }) => id === wanted) ?? fleet.options[0];
		if (!option) return { ...nothing, fleet, hosted, failure: null, errors: [] };
		const owned = book.filter(isOwned).filter(({ subject }) => subject === option.gpu.id);
		const query = new URLSearchParams(url.search);
		query.set("option", option.id);
		const answer = await callApi<FleetEconomics>(fetch, `/fleet/economics?${query}`);
		const { rent, own, hosted: api } = answer.priceIds;
		const [rentPrice, ownPrice, hostedPrice] = await Promise.all(
			[rent, own, api].map((id) =>
				id === null ? null : callApi<PriceItem>(fetch, `/prices/${encodeURIComponent(id)}`),
			),
		);
		const prices = { rent: rentPrice ?? null, own: ownPrice ?? null, hosted: hostedPrice ?? null };
		const lost = wanted !== null && wanted !== option.id;
		return { models, fleet, answer, hosted, owned, prices, lost, failure: null, errors: [] };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { ...nothing, failure: problem.message, errors: problem.errors };
	}
};
