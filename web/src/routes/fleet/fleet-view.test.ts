import type { Quantity, Unit } from "@plimsoll/api/model";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	addressOf,
	type FleetView,
	isNarrowed,
	isShown,
	questionOf,
	toggled,
	viewOf,
	WHOLE_VIEW,
} from "./fleet-view.ts";

const of = (value: number | null, unit: Unit): Quantity => ({
	...{ value, unit, evidence: "estimated", arithmetic: "" },
});
const h100 = { gpu: { id: "h100", name: "H100" }, basis: "fitted" as const };
const shows = (view: Partial<FleetView>, usd: number | null = 9000, seconds: number | null = 12) =>
	isShown({ ...WHOLE_VIEW, ...view }, h100, of(usd, "USD/month"), of(seconds, "seconds"));
const viewIn = (address: string) => viewOf(new URL(address, "http://here").searchParams).view;

describe("what of an answer is shown", () => {
	it("is all of it where nothing is chosen, unknown figures included", () => {
		expect(shows({})).toBe(true);
		expect(shows({}, null, null)).toBe(true);
		expect(isNarrowed(WHOLE_VIEW)).toBe(false);
	});

	it("is what lies in the ranges, both ends included; what is not known lies in none", () => {
		expect(shows({ cost: { from: 9000, to: null } })).toBe(true);
		expect(shows({ cost: { from: null, to: 8999 } })).toBe(false);
		expect(shows({ time: { from: 5, to: 12 } })).toBe(true);
		expect(shows({ time: { from: 12.1, to: null } })).toBe(false);
		expect(shows({ cost: { from: null, to: 1e9 } }, null)).toBe(false);
	});

	it("is what has one of the cards and one of the grounds", () => {
		expect(shows({ gpus: ["B200", "H100"] })).toBe(true);
		expect(shows({ gpus: ["B200"] })).toBe(false);
		expect(shows({ evidence: ["estimated"] })).toBe(false);
		expect(shows({ gpus: ["H100"], evidence: ["fitted"] })).toBe(true);
	});

	it("turns a choice on and off", () => {
		expect(toggled(["a", "b"], "a")).toEqual(["b"]);
		expect(toggled(["b"], "a")).toEqual(["b", "a"]);
	});
});

describe("the address", () => {
	it("keeps what is shown beside the question, which the server is asked without it", () => {
		const view: FleetView = {
			cost: { from: 27_700, to: null },
			time: { from: null, to: 12.5 },
			gpus: ["RTX PRO 6000 & more"],
			evidence: ["measured", "fitted"],
		};
		const address = addressOf([["model", "llama"]], view);
		expect(viewIn(address)).toEqual(view);
		expect(questionOf(new URL(address, "http://here").searchParams).toString()).toBe("model=llama");
	});

	it("gives back to three digits whatever range is drawn", () => {
		const bound = fc.option(fc.double({ min: 1e-4, max: 1e9, noNaN: true }), { nil: null });
		const range = fc.record({ from: bound, to: bound }).map(({ from, to }) =>
			// A range that is drawn runs from its lower end.
			from !== null && to !== null && from > to ? { from: to, to: from } : { from, to },
		);
		fc.assert(
			fc.property(range, range, (cost, time) => {
				const read = viewIn(addressOf([], { ...WHOLE_VIEW, cost, time }));
				const near = (a: number | null, b: number | null) =>
					a === null || b === null ? a === b : Math.abs(a - b) <= 0.006 * b;
				return (
					near(read.cost.from, cost.from) && near(read.cost.to, cost.to) && near(read.time.from, time.from)
				);
			}),
		);
	});

	it("says what it cannot use", () => {
		const reversed = viewOf(new URLSearchParams("costFrom=146000&costTo=5040")).view;
		expect(reversed.cost).toEqual({ from: 5040, to: 146_000 });
		const { view, dropped } = viewOf(new URLSearchParams("costFrom=cheap&showEvidence=rumour&timeTo=3"));
		expect(dropped).toEqual(["costFrom=cheap", "showEvidence=rumour"]);
		expect(view).toEqual({ ...WHOLE_VIEW, time: { from: null, to: 3 } });
	});

	it("forgets the view it had when another is written", () => {
		expect(addressOf(new URLSearchParams("rate=2&costFrom=5&showGpu=H100"), WHOLE_VIEW)).toBe(
			"/fleet?rate=2",
		);
		expect(addressOf([], WHOLE_VIEW)).toBe("/fleet");
	});
});
