import { blankFor, opening, type PlanFacts, type Scenario } from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { scenarioFromQuery, unknownKeys } from "../scenario.ts";
import { readFactsOfScenario } from "../store/facts.ts";
import type { Queryable } from "../store/sql.ts";

/**
 * The scenario of a query string.
 * @param place how a key is named in an error
 * @throws Problem 400 that names every key that cannot be read or is none
 */
export function scenarioOf(query: URLSearchParams, place: (key: string) => string = (key) => key): Scenario {
	const { scenario, problems } = scenarioFromQuery(query);
	const twice = [...new Set(query.keys())].filter((key) => query.getAll(key).length > 1);
	const wrong = [
		...problems,
		...unknownKeys(query),
		...twice.map((at) => ({ at, reason: "is given more than once: say which" })),
	];
	if (wrong.length > 0) throw invalidInput(wrong.map(({ at, reason }) => ({ at: place(at), reason })));
	return scenario;
}

/**
 * The question of a query string with all that is known about it, the same for every call: a length that is left out is
 * one that the model takes, and an empty query asks what the dashboard opens with.
 * @throws Problem 400 as `scenarioOf`; 404 for what is not known
 */
export async function readAsked(
	sql: Queryable,
	query: URLSearchParams,
	place?: (key: string) => string,
): Promise<{ scenario: Scenario; facts: PlanFacts }> {
	const facts = await readFactsOfScenario(sql, scenarioOf(query, place));
	if (query.size === 0) return { scenario: opening(facts), facts };
	const { scenario } = scenarioFromQuery(query, blankFor(facts));
	return { scenario: { ...scenario, configuration: facts.configuration?.id ?? null }, facts };
}
