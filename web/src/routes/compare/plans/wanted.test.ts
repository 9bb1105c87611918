import { describe, expect, it } from "vitest";
import { plansAddress, wantedOf, withPlan } from "./wanted.ts";

describe("the plans of an address", () => {
	it("come back from it in their order, each once, four at most", () => {
		const wanted = [{ plan: "configuration=a&context=16000" }, { scenario: "7" }, { plan: "model=m&gpu=g" }];
		const read = (address: string) => wantedOf(new URL(address, "http://localhost").searchParams);
		expect(read(plansAddress(wanted))).toEqual({ wanted, dropped: 0 });
		expect(read(plansAddress([...wanted, { scenario: "7" }]))).toEqual({ wanted, dropped: 0 });
		const five = ["1", "2", "3", "4", "5"].map((scenario) => ({ scenario }));
		expect(read(plansAddress(five))).toEqual({ wanted: five.slice(0, 4), dropped: 1 });
		expect(plansAddress([])).toBe("/compare/plans");
	});

	it("take one more; a full list gives its last place, and nothing stands twice", () => {
		const four = ["1", "2", "3", "4"].map((scenario) => ({ scenario }));
		expect(withPlan(four, { plan: "x=1" })).toEqual([...four.slice(0, 3), { plan: "x=1" }]);
		expect(withPlan(four, { scenario: "2" })).toEqual(four);
		expect(withPlan([], { plan: "x=1" })).toEqual([{ plan: "x=1" }]);
	});
});
