import type { Capacity, PlanFacts, Scenario } from "@plimsoll/api/model";
import { counted, plural } from "#lib/format.ts";
import { DEFAULT_QUESTION, MOST_USERS, queryOf } from "../load/load-question.ts";
import { isOtherSetup } from "./subject.ts";

/** A way to Load, where requests come at random and each is held against the limits. */
export interface LoadLink {
	href: string;
	words: string;
}

/**
 * The load of a plan as a question of Load: the rate that is asked for, else the most users that hold the limits on average.
 * @returns null where Load cannot ask it: no configuration or another setup than the measured one, not one user or too many
 */
export function loadLink(scenario: Scenario, { configuration }: PlanFacts, most: Capacity): LoadLink | null {
	const { rate, context, output, cached, maxSequences, ttftSlo, tpotSlo } = scenario;
	const users = most.users.value ?? 0;
	if (!configuration || isOtherSetup(scenario)) return null;
	if (rate === null && (users < 1 || users > MOST_USERS)) return null;
	const query = queryOf({
		...DEFAULT_QUESTION,
		configuration: configuration.id,
		arrivals: rate === null ? { kind: "users", users } : { kind: "rate", requestsPerSecond: rate },
		prompt: { kind: "fixed", tokens: context },
		output: { kind: "fixed", tokens: output },
		...{ cached, maxSequences, ttftSlo, tpotSlo },
	});
	const load =
		rate === null ? `with ${counted(users, "user")}` : `at ${rate} ${plural(rate, "request")} per second`;
	return { href: `/load?${query}`, words: `Which share of requests holds them ${load}: simulate` };
}
