import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHECKLIST, type ConditionFact, checklistOf } from "./checklist.ts";

const fact = (item: ConditionFact["item"], name: string, value: string | null): ConditionFact => ({
	...{ item, name, value, how: `record ${name}` },
});

describe("the six things to record", () => {
	it("tells known, partly known and unknown apart, and says how to record the rest", () => {
		const list = checklistOf([
			fact("model", "Model", "llama-3.1-8b"),
			fact("model", "Model snapshot", null),
			fact("sampling", "Sampler", "temperature 0"),
			fact("prompts", "Prompts", null),
		]);
		expect(list.map(({ state }) => state)).toEqual([
			...["partly", "known", "unknown", "unknown", "unknown", "unknown"],
		]);
		expect(list[0]).toMatchObject({
			known: [{ name: "Model", value: "llama-3.1-8b" }],
			missing: [{ name: "Model snapshot", how: "record Model snapshot" }],
		});
	});

	it("loses no fact and claims none that was not said", () => {
		const facts = fc.array(
			fc.record({
				item: fc.constantFrom(...CHECKLIST),
				name: fc.string(),
				value: fc.option(fc.string({ minLength: 1 })),
				how: fc.string(),
			}),
		);
		fc.assert(
			fc.property(facts, (all) => {
				const list = checklistOf(all);
				expect(list.map(({ key }) => key)).toEqual(CHECKLIST);
				const count = (of: (item: (typeof list)[number]) => unknown[]) =>
					list.reduce((sum, item) => sum + of(item).length, 0);
				expect(count(({ known }) => known)).toBe(all.filter(({ value }) => value !== null).length);
				expect(count(({ missing }) => missing)).toBe(all.filter(({ value }) => value === null).length);
				for (const { state, known, missing } of list)
					expect(state === "known").toBe(known.length > 0 && missing.length === 0);
			}),
		);
	});
});
