import {
	type Binding,
	defaultScenario,
	type Plan,
	type PlanFacts,
	plan,
	type Scenario,
} from "@plimsoll/api/model";

/** How many users the scenario carries before one limit is crossed. */
export interface Capacity {
	/** Requests in flight at which everything still holds; 0: not even one. */
	users: number;
	/** The answer at that many users (at one where none are carried). */
	plan: Plan;
	/** What one user more would cross; null where nothing was crossed up to the most that was tried. */
	binding: Binding;
	/** Why, in the model's words. */
	reasons: string[];
}

const MOST = 65_536;

/**
 * Looks for the last number of users that is feasible, by doubling and halving; feasibility is taken to end once and for all.
 * @returns users ≤ 65,536
 */
export function capacity(scenario: Scenario, facts: PlanFacts): Capacity {
	const at = (concurrency: number) =>
		plan({ ...scenario, concurrency, rate: null }, facts, { arithmetic: false });
	let good = 0;
	let goodPlan = at(1);
	let bad = 1;
	let badPlan = goodPlan;
	while (bad <= MOST) {
		badPlan = at(bad);
		if (!badPlan.verdict.feasible) break;
		[good, goodPlan] = [bad, badPlan];
		bad *= 2;
	}
	while (bad - good > 1 && bad <= MOST) {
		const middle = Math.floor((good + bad) / 2);
		const tried = at(middle);
		if (tried.verdict.feasible) [good, goodPlan] = [middle, tried];
		else [bad, badPlan] = [middle, tried];
	}
	return { users: good, plan: goodPlan, binding: badPlan.verdict.binding, reasons: badPlan.verdict.reasons };
}

/** The question an address without a query asks: inside what was measured, with no more users than are carried. */
export function opening(facts: PlanFacts): Scenario {
	const scenario = defaultScenario(facts);
	const { users } = capacity(scenario, facts);
	return { ...scenario, concurrency: Math.max(1, Math.min(users, scenario.concurrency ?? users)) };
}
