import { describe, expect, it } from "vitest";
import { type PlanView, viewFromQuery, viewToQuery } from "./plan-view.ts";

const read = (text: string) => viewFromQuery(new URLSearchParams(text));

describe("the view of an address", () => {
	it.each<[string, PlanView]>([
		["", { solve: "users", goal: null }],
		["solve=context", { solve: "context", goal: null }],
		["solve=price&goal=0.01", { solve: "price", goal: { usd: 0.01, per: "request" } }],
		["solve=price&goal=20000&per=month", { solve: "price", goal: { usd: 20_000, per: "month" } }],
	])("%s is read, and written the same", (text, view) => {
		expect(read(text)).toEqual({ view, problems: [] });
		expect(viewToQuery(view, new URLSearchParams()).toString()).toBe(text);
	});

	it("names what it cannot use", () => {
		const { view, problems } = read("solve=colour&goal=much&per=year");
		expect(view).toEqual({ solve: "users", goal: null });
		expect(problems.map(({ at }) => at)).toEqual(["solve", "per", "goal"]);
		for (const goal of ["0", "-1", "1e12", "1e-300"])
			expect(read(`solve=price&goal=${goal}`).problems, goal).toEqual([
				{ at: "goal", reason: expect.stringContaining("from 1e-9 to 1,000,000,000 dollars") },
			]);
	});
});
