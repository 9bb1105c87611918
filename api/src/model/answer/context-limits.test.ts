import fc from "fast-check";
import { expect, test } from "vitest";
import { measured, unknown } from "../fixtures/facts.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { contextLimits } from "./context-limits.ts";
import { plan } from "./plan.ts";
import type { Scenario } from "./question.ts";

const scenario: Scenario = { ...BLANK_SCENARIO, configuration: "abc", output: 500 };
const LONGEST = 120_000;

test("each limit holds at its length and is crossed one token on, as the plan of that length says", () => {
	const question = fc.record({
		concurrency: fc.integer({ min: 1, max: 60 }),
		ttftSlo: fc.double({ min: 0.05, max: 60, noNaN: true }),
		tpotSlo: fc.double({ min: 0.009, max: 0.3, noNaN: true }),
	});
	fc.assert(
		fc.property(question, (asked) => {
			const limits = contextLimits({ ...scenario, ...asked }, measured, LONGEST);
			const at = (context: number) => plan({ ...scenario, ...asked, context }, measured);
			const holds = {
				ttft: (context: number) => (at(context).ttft.value ?? 0) <= asked.ttftSlo,
				tpot: (context: number) => (at(context).tpot.value ?? 0) <= asked.tpotSlo,
				memory: (context: number) => (at(context).memory.maxSequences.value ?? 0) >= asked.concurrency,
			};
			for (const key of ["ttft", "tpot", "memory"] as const) {
				const longest = limits[key];
				if (longest === null) {
					const most = key === "tpot" ? (limits.memory ?? LONGEST) : LONGEST;
					if (most > 0) expect(holds[key](most), key).toBe(true);
					continue;
				}
				if (longest > 0) expect(holds[key](longest), key).toBe(true);
				expect(holds[key](longest + 1), key).toBe(false);
			}
		}),
		{ numRuns: 40 },
	);
});

test("nothing is crossed where nothing is known", () => {
	expect(contextLimits({ ...scenario, configuration: null }, unknown, LONGEST)).toEqual({
		ttft: null,
		tpot: null,
		memory: null,
	});
});
