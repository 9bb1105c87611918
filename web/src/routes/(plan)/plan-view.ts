import { COST_PER, type CostGoal, GOAL_USD, isGoal, SOLVE_FOR, type SolveFor } from "@plimsoll/api/model";
import { readAmount } from "#lib/amount.ts";
import { formatCount } from "#lib/format.ts";

/** How the page looks at a scenario: no part of the question itself, but of its address. */
export interface PlanView {
	/** Which variable is the answer. */
	solve: SolveFor;
	/** What the load may cost; null: not said. */
	goal: CostGoal | null;
}

export const USUAL_VIEW: PlanView = { solve: "users", goal: null };

const has = <T extends string>(list: readonly T[], value: string): value is T =>
	(list as readonly string[]).includes(value);

/** Reads the view of an address; what cannot be used is named with the reason. */
export function viewFromQuery(params: URLSearchParams): {
	view: PlanView;
	problems: { at: string; reason: string }[];
} {
	const problems: { at: string; reason: string }[] = [];
	const [solve, per, goal] = ["solve", "per", "goal"].map((key) => params.get(key));
	const view = { ...USUAL_VIEW };
	if (solve != null && has(SOLVE_FOR, solve)) view.solve = solve;
	else if (solve != null) problems.push({ at: "solve", reason: `not one of ${SOLVE_FOR.join(", ")}` });
	if (per != null && !has(COST_PER, per))
		problems.push({ at: "per", reason: `not one of ${COST_PER.join(", ")}` });
	if (goal == null) return { view, problems };
	const usd = readAmount(goal);
	if (usd === null || !isGoal(usd))
		problems.push({
			at: "goal",
			reason: `not an amount from ${GOAL_USD.least} to ${formatCount(GOAL_USD.most)} dollars, such as 0.01`,
		});
	else view.goal = { usd, per: per != null && has(COST_PER, per) ? per : "request" };
	return { view, problems };
}

/** Adds what differs from the usual view to a query string. */
export function viewToQuery({ solve, goal }: PlanView, query: URLSearchParams): URLSearchParams {
	if (solve === USUAL_VIEW.solve) return query;
	query.set("solve", solve);
	if (solve === "price" && goal) {
		query.set("goal", String(goal.usd));
		if (goal.per !== "request") query.set("per", goal.per);
	}
	return query;
}
