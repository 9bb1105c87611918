import type { AccuracyAnswer, ConfigurationRecord, ForecastItem, LedgerSummary } from "@plimsoll/api";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import type { PageServerLoad } from "./$types";

type Ledger = Envelope<ForecastItem> & { summary: LedgerSummary };

/** The ledger of one's own configurations; while there is none, that of all others shows how one reads. */
async function ledgerOf(fetcher: typeof fetch, cursor: string | null) {
	const read = async (origin: string) => {
		const query = new URLSearchParams({ ...(origin && { origin }), ...(cursor && { cursor }) });
		const [ledger, records] = await Promise.all([
			callApi<Ledger>(fetcher, `/forecasts?${query}`),
			callApi<Envelope<ConfigurationRecord>>(
				fetcher,
				`/forecasts/configurations?${origin && `origin=${origin}&`}limit=20`,
			),
		]);
		return { own: origin === "own", ledger, records };
	};
	const own = await read("own");
	return own.ledger.summary.all.count > 0 ? own : read("");
}

export const load: PageServerLoad = async ({ fetch, url }) => {
	const accuracy = callApi<AccuracyAnswer>(fetch, "/accuracy");
	try {
		const [record, ledger] = await Promise.all([accuracy, ledgerOf(fetch, url.searchParams.get("cursor"))]);
		return { accuracy: record, ...ledger, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return {
			accuracy: await accuracy.catch(() => null),
			own: true,
			ledger: null,
			records: null,
			failure: problem.message,
		};
	}
};
