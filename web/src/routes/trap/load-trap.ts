import type { ConfigurationFacts, PlanFacts, Point } from "@plimsoll/api/model";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";

export interface TrapData {
	configurations: ConfigurationFacts[];
	facts: PlanFacts | null;
	/** What was measured of it. */
	points: Point[];
	/** Asked for and not there. */
	dropped: string | null;
	failure: string | null;
}

interface Listed extends ConfigurationFacts {
	fits: { prefill: { range: { to: number } } | null };
}

/** The configuration whose prompts were measured longest: there the trap is deepest. */
function longestMeasured(configurations: Listed[]): Listed | undefined {
	const reach = (c: Listed) => c.fits.prefill?.range.to ?? 0;
	return configurations.toSorted((a, b) => reach(b) - reach(a))[0];
}

async function read(fetcher: typeof fetch, id: string): Promise<{ facts: PlanFacts; points: Point[] }> {
	const path = `/configurations/${encodeURIComponent(id)}`;
	const [facts, { points }] = await Promise.all([
		callApi<PlanFacts>(fetcher, `${path}/facts`),
		callApi<{ points: Point[] }>(fetcher, path),
	]);
	return { facts, points };
}

/** Facts of the configuration asked for, or of the one measured at the greatest length. */
export async function loadTrap(fetcher: typeof fetch, asked: string | null): Promise<TrapData> {
	try {
		const { items } = await callApi<Envelope<Listed>>(fetcher, "/configurations?limit=100");
		// Without a law for prompts there is nothing to show of a configuration.
		const configurations = items.filter((c) => c.fits.prefill !== null);
		const found = configurations.find((c) => c.id === asked);
		const shown = found ?? longestMeasured(configurations);
		const { facts, points } = shown ? await read(fetcher, shown.id) : { facts: null, points: [] };
		return { configurations, facts, points, dropped: asked && !found ? asked : null, failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { configurations: [], facts: null, points: [], dropped: null, failure: problem.message };
	}
}
