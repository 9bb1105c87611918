import { createRoute } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import {
	candidateCount,
	type FleetAsk,
	type FleetFacts,
	type FleetSearch,
	type ServePoint,
	searchFleet,
} from "../model/index.ts";
import { invalidInput, notFound } from "../problem.ts";
import { checkFleet } from "../simulation/fleet.ts";
import { modelOfConfiguration, readFleetFacts } from "../store/fleet-facts.ts";
import { readPoints } from "../store/points.ts";
import type { Queryable } from "../store/sql.ts";
import { readTrace } from "../store/traces.ts";
import { type FleetQuery, fleetAsk, fleetQuery } from "./fleet-query.ts";
import { fleetSchema } from "./fleet-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";

/** Candidates of one search: about two seconds of one processor. */
const MOST_CANDIDATES = 250_000;
/** Simulations of one call: time after which none begins. */
const BUDGET_MS = 6000;

const route = createRoute({
	method: "get",
	path: "/fleet",
	tags: ["Answers"],
	summary: "How many of which GPU for a demand, at which latency and cost",
	description:
		"Every GPU, number of GPUs, weight format, cache type and number of sequences, measured, carried over or estimated: the " +
		"largest load of a replica within the limits, replicas, money, energy, what binds, and the frontier of cost against " +
		"latency. The sweep is in closed form; the first options are checked by the simulator, as `simulated` says.",
	request: { query: fleetQuery },
	responses: { 200: answers(fleetSchema, "Fleets"), ...problems(400, 404) },
});

/** Fleets for a demand. */
export function fleetRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(route, async (c) => {
		const query = c.req.valid("query");
		const { ask, assumed, found } = await searchOf(sql, query);
		const pointsOf = (id: string) => servePoints(sql, id);
		const answer = await checkFleet(found, ask, query.check ?? 2, BUDGET_MS, c.req.raw.signal, pointsOf);
		const warning = answer.candidates === 0 ? nothingTried(query) : answer.warning;
		return c.json({ ...answer, warning, assumed }, 200);
	});
}

/** An empty list that says nothing about the limits. */
function nothingTried({ measured }: FleetQuery): string {
	return measured === "true"
		? "Nothing was tried: no setup of this model on these cards is measured. Leave measured out for estimates."
		: "Nothing was tried: the choices leave no candidate.";
}

/**
 * Ids of the cards that are meant: the one of that id, else all whose id begins so: "H100 SXM" is every H100 SXM.
 * @throws Problem 404 where there is none
 */
function cardsNamed(said: string, gpus: readonly { id: string }[]): string[] {
	const id = said.trim().toLowerCase().replace(/\s+/g, "-");
	const ids = gpus.map((gpu) => gpu.id);
	if (ids.includes(id)) return [id];
	const begun = ids.filter((one) => one.startsWith(`${id}-`));
	if (begun.length === 0) throw notFound("GPU", said, "GET /gpus lists the catalog; POST /gpus adds to it.");
	return begun;
}

/** The search that a query asks for. @throws Problem 400, 404 */
export async function searchOf(sql: Queryable, query: FleetQuery) {
	if (query.rate !== undefined && query.users !== undefined)
		throw invalidInput([{ at: "rate", reason: "give either rate or users, not both" }]);
	const [facts, trace] = await Promise.all([
		readFleetFacts(sql, query.model ?? (await modelOfConfiguration(sql, query.configuration))),
		query.trace === undefined ? null : readTrace(sql, query.trace),
	]);
	const gpu = query.gpu?.flatMap((said) => cardsNamed(said, facts.gpus));
	const asked = fleetAsk(gpu ? { ...query, gpu } : query, trace?.columns ?? null);
	return { ...asked, found: searched(asked.ask, facts) };
}

/** @throws Problem 400 for a question that cannot be, or is too large for one call */
function searched(ask: FleetAsk, facts: FleetFacts): FleetSearch {
	const candidates = candidateCount(facts, ask.choices);
	if (candidates > MOST_CANDIDATES)
		throw invalidInput([
			{
				at: "query",
				reason: `${candidates} candidates are more than ${MOST_CANDIDATES}: narrow gpu, gpus, weights, kv, engine or maxSequences`,
			},
		]);
	try {
		return searchFleet(ask, facts);
	} catch (error) {
		if (error instanceof RangeError) throw invalidInput([{ at: "query", reason: error.message }]);
		throw error;
	}
}

async function servePoints(sql: Queryable, configurationId: string): Promise<ServePoint[]> {
	const points = (await readPoints(sql, [configurationId])).get(configurationId) ?? [];
	return points.filter((point): point is ServePoint => point.phase === "serve");
}
