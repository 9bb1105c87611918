import { overlap } from "../../scenarios/compared.ts";
import type { PlanColumn } from "./plan-list.ts";

/** Which of some plans costs least, of those that hold their limits. */
export interface Cheapest {
	/** null: none of them is known to hold its limits at a known price. */
	plan: PlanColumn | null;
	/** Letters of others whose price may be the same. */
	near: string[];
	/** Letters of those that are left out: too slow, too large, or not known. */
	out: string[];
}

const price = ({ answer }: PlanColumn) => answer.cost.usdPerRequest;
const isCarried = ({ answer: { verdict } }: PlanColumn) => verdict.decided && verdict.feasible;
const lengths = ({ answer: { scenario } }: PlanColumn) => `${scenario.context} ${scenario.output}`;

/** @returns null where there is nothing to compare: one plan, or requests of other lengths */
export function cheapestOf(columns: readonly PlanColumn[]): Cheapest | null {
	if (columns.length < 2 || new Set(columns.map(lengths)).size > 1) return null;
	const held = columns.filter((one) => isCarried(one) && price(one).value !== null);
	const usd = (one: PlanColumn) => price(one).value ?? Number.POSITIVE_INFINITY;
	const [plan = null] = [...held].sort((a, b) => usd(a) - usd(b));
	const letters = (list: readonly PlanColumn[]) => list.map(({ letter }) => letter);
	return {
		plan,
		near: letters(held.filter((one) => plan && one !== plan && overlap(price(plan), price(one)))),
		out: letters(columns.filter((one) => !held.includes(one))),
	};
}
