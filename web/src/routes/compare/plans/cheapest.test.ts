import { expect, test } from "vitest";
import { cheapestOf } from "./cheapest.ts";
import type { PlanColumn } from "./plan-list.ts";

interface Said {
	usd: number | null;
	feasible?: boolean;
	context?: number;
}

const columns = (...plans: Said[]): PlanColumn[] =>
	plans.map(({ usd, feasible = true, context = 1000 }, at) => {
		const ends = usd === null ? {} : { low: usd * 0.9, high: usd * 1.1 };
		return {
			letter: "ABCD"[at] ?? "",
			answer: {
				scenario: { context, output: 100 },
				cost: { usdPerRequest: { value: usd, ...ends } },
				verdict: { decided: true, feasible },
			},
		} as unknown as PlanColumn;
	});
const said = (...plans: Said[]) => {
	const cheapest = cheapestOf(columns(...plans));
	return cheapest && { ...cheapest, plan: cheapest.plan?.letter ?? null };
};

test("the cheapest is one that holds its limits, not the cheapest of all; who may cost the same is named", () => {
	expect(said({ usd: 3 }, { usd: 1, feasible: false }, { usd: 2 }, { usd: 2.1 })).toEqual({
		...{ plan: "C", near: ["D"], out: ["B"] },
	});
	expect(said({ usd: null }, { usd: 1, feasible: false })).toEqual({ plan: null, near: [], out: ["A", "B"] });
});

test("requests of other lengths have no common price, and one plan nothing to stand beside", () => {
	expect(said({ usd: 3 }, { usd: 1, context: 2000 })).toBeNull();
	expect(said({ usd: 3 })).toBeNull();
});
