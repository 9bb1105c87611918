import { ApiProblem, type Envelope } from "#lib/api.ts";
import { filterOf, NOTHING, readList } from "#lib/records/list.ts";
import { allOf, namesOf } from "#lib/records/names.ts";
import type { PriceItem } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

/** One page of the price book, and what it can be narrowed to. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams, ["subject", "kind", "history"]);
	const gpus = await namesOf(fetch, "/gpus");
	try {
		const [prices, book] = await Promise.all([
			readList<PriceItem>(fetch, "/prices", url.searchParams.get("cursor"), filter),
			allOf<PriceItem>(fetch, "/prices"),
		]);
		const subjects = [...new Set(book.map(({ subject }) => subject))];
		return { filter, gpus, prices, subjects, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const prices: Envelope<PriceItem> = NOTHING;
		return { filter, gpus, prices, subjects: [], failure: problem.message };
	}
};
