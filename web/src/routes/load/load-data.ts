import type { TraceDetail, TraceItem } from "@plimsoll/api";
import type { PlanFacts, Point, ServePoint } from "@plimsoll/api/model";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";

export interface LoadData {
	/** Of the configuration asked for, else of the worked default; null: nothing is measured. */
	facts: PlanFacts | null;
	/** Serve points, from which laws are worked out where there are no others. */
	points: ServePoint[];
	traces: TraceItem[];
	/** Asked for and not there. */
	dropped: string | null;
	failure: string | null;
}

const NOTHING: Omit<LoadData, "failure"> = {
	...{ facts: null, points: [], traces: [], dropped: null },
};

/** Facts of the configuration that an address names; null where nobody has it. */
async function factsOf(fetcher: typeof fetch, id: string): Promise<PlanFacts | null> {
	try {
		return await callApi<PlanFacts>(fetcher, `/configurations/${encodeURIComponent(id)}/facts`);
	} catch (problem) {
		if (problem instanceof ApiProblem && (problem.status === 404 || problem.status === 400)) return null;
		throw problem;
	}
}

/** All that a simulation needs but the requests of a trace. */
export async function loadLoad(fetcher: typeof fetch, asked: string | null): Promise<LoadData> {
	try {
		const [{ items: traces }, found] = await Promise.all([
			callApi<Envelope<TraceItem>>(fetcher, "/traces?limit=100"),
			asked ? factsOf(fetcher, asked) : null,
		]);
		const facts = found ?? (await callApi<PlanFacts>(fetcher, "/facts"));
		const points = await servePoints(fetcher, facts);
		const known = facts.configuration ? facts : null;
		return {
			facts: known,
			points,
			traces,
			dropped: found ? null : asked,
			failure: null,
		};
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { ...NOTHING, failure: problem.message };
	}
}

async function servePoints(fetcher: typeof fetch, { configuration, fits }: PlanFacts): Promise<ServePoint[]> {
	if (!configuration || !fits.serve) return [];
	const path = `/configurations/${encodeURIComponent(configuration.id)}`;
	const { points } = await callApi<{ points: Point[] }>(fetcher, path);
	return points.filter((point): point is ServePoint => point.phase === "serve");
}

const read = new Map<string, Promise<TraceDetail>>();

/** The requests of a trace, fetched once. */
export function readTrace(id: string): Promise<TraceDetail> {
	const known = read.get(id) ?? callApi<TraceDetail>(fetch, `/traces/${encodeURIComponent(id)}`);
	read.set(id, known);
	known.catch(() => read.delete(id));
	return known;
}
