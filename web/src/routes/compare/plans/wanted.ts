import type { Scenario } from "@plimsoll/api/model";
import { scenarioToQuery } from "@plimsoll/api/scenario";

/** Plans held side by side at most. */
export const MOST_PLANS = 4;

/** What an address asks for: a question as a query string, or the id of a kept one. */
export type Wanted = { plan: string } | { scenario: string };

const keyOf = (wanted: Wanted): [string, string] =>
	"plan" in wanted ? ["plan", wanted.plan] : ["scenario", wanted.scenario];

/** The plans of an address in their order, each once, and how many it names beyond what fits. */
export function wantedOf(params: URLSearchParams): { wanted: Wanted[]; dropped: number } {
	const seen = new Set<string>();
	const all: Wanted[] = [];
	for (const [key, value] of params) {
		if ((key !== "plan" && key !== "scenario") || value === "" || seen.has(`${key} ${value}`)) continue;
		seen.add(`${key} ${value}`);
		all.push(key === "plan" ? { plan: value } : { scenario: value });
	}
	return { wanted: all.slice(0, MOST_PLANS), dropped: Math.max(0, all.length - MOST_PLANS) };
}

/** The address of a comparison of plans. */
export function plansAddress(wanted: readonly Wanted[]): string {
	const query = new URLSearchParams(wanted.map(keyOf));
	return query.size === 0 ? "/compare/plans" : `/compare/plans?${query}`;
}

/** The list with one more; where it is full, that takes the place of the last. */
export function withPlan(wanted: readonly Wanted[], one: Wanted): Wanted[] {
	const same = keyOf(one).join(" ");
	if (wanted.some((other) => keyOf(other).join(" ") === same)) return [...wanted];
	return [...wanted.slice(0, MOST_PLANS - 1), one];
}

/** The question with another subject or another setting, as an entry of the address. */
export const asPlan = (scenario: Scenario): Wanted => ({ plan: scenarioToQuery(scenario).toString() });
