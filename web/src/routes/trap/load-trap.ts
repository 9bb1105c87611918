import type { ConfigurationFacts, PlanFacts, Point } from "@plimsoll/api/model";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";

/** What the page shows of one configuration. */
interface Shown {
	facts: PlanFacts | null;
	/** What was measured of it. */
	points: Point[];
}

export interface TrapData extends Shown {
	/** Why the configuration asked for is not the one shown; null: it is, or none was. */
	dropped: string | null;
	failure: string | null;
}

interface Listed extends ConfigurationFacts {
	fits: { prefill: { range: { to: number } } | null };
}

const NOTHING: Shown = { facts: null, points: [] };

async function read(fetcher: typeof fetch, id: string): Promise<Shown> {
	const path = `/configurations/${encodeURIComponent(id)}`;
	const [facts, { points }] = await Promise.all([
		callApi<PlanFacts>(fetcher, `${path}/facts`),
		callApi<{ points: Point[] }>(fetcher, path),
	]);
	return { facts, points };
}

/** The configuration whose prompts were measured longest among the newest: there the trap is deepest. */
async function longestMeasured(fetcher: typeof fetch): Promise<Shown> {
	const { items } = await callApi<Envelope<Listed>>(fetcher, "/configurations?fitted=prefill&limit=100");
	const reach = (one: Listed) => one.fits.prefill?.range.to ?? 0;
	const [longest] = items.toSorted((a, b) => reach(b) - reach(a));
	return longest ? read(fetcher, longest.id) : NOTHING;
}

/** The configuration asked for, or why there is nothing to show of it. */
async function readAsked(fetcher: typeof fetch, id: string): Promise<Shown | string> {
	try {
		const shown = await read(fetcher, id);
		const { configuration, fits } = shown.facts ?? {};
		return fits?.prefill ? shown : `no law of prompt times is fitted for ${configuration?.label}`;
	} catch (problem) {
		if (problem instanceof ApiProblem && (problem.status === 404 || problem.status === 400))
			return `“${id}” is not known here`;
		throw problem;
	}
}

/** Facts of the configuration asked for, or of the one measured at the greatest length. */
export async function loadTrap(fetcher: typeof fetch, id: string | null): Promise<TrapData> {
	try {
		const asked = id ? await readAsked(fetcher, id) : NOTHING;
		if (typeof asked !== "string" && asked.facts) return { ...asked, dropped: null, failure: null };
		const dropped = typeof asked === "string" ? asked : null;
		return { ...(await longestMeasured(fetcher)), dropped, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { ...NOTHING, dropped: null, failure: problem.message };
	}
}
