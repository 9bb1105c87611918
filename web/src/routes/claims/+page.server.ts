import type { LedgerEntry } from "@plimsoll/api/model";
import { ApiProblem, type Envelope } from "#lib/api.ts";
import { filterOf, isEmpty, NOTHING, readList } from "#lib/records/list.ts";
import { allOf } from "#lib/records/names.ts";
import type { PageServerLoad } from "./$types";

/** What circulates, all of it; or one page of what matches, among that or, where the address says so, among the rest. */
export const load: PageServerLoad = async ({ url, fetch }) => {
	const filter = filterOf(url.searchParams, ["q", "kind", "about"]);
	const about = filter.about === "all" ? "" : filter.about || "claim";
	try {
		const list = isEmpty(filter)
			? whole(await allOf<LedgerEntry>(fetch, "/claims?about=claim"))
			: await readList<LedgerEntry>(fetch, "/claims", url.searchParams.get("cursor"), { ...filter, about });
		return { filter, list, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		const list: Envelope<LedgerEntry> = NOTHING;
		return { filter, list, failure: problem.message };
	}
};

const whole = (items: LedgerEntry[]): Envelope<LedgerEntry> => ({
	...{ items, totalCount: items.length, returned: items.length, offset: 0, truncated: false },
	nextCursor: null,
});
