import type { PlanVerdict } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { verdictWord } from "./verdict-word.ts";

const verdict = (patch: Partial<PlanVerdict>): PlanVerdict => ({
	...{ feasible: false, decided: true, sure: true, binding: null, reasons: [] },
	...patch,
});

describe("a verdict in a word", () => {
	it.each([
		["memory", true, "Does not fit"],
		["memory", false, "Probably does not fit"],
		["ttft", true, "Too slow"],
		["ttft", false, "Probably too slow"],
		["tpot", true, "Too slow"],
		["tpot", false, "Probably too slow"],
		["throughput", true, "More comes than is served"],
		["throughput", false, "Probably more comes than is served"],
		[null, true, "Does not fit"],
	] as const)("where %s is crossed and sure is %s: %s", (binding, sure, word) => {
		expect(verdictWord(verdict({ binding, sure }))).toBe(word);
	});

	it("says what holds, and what cannot be told", () => {
		expect(verdictWord(verdict({ feasible: true }))).toBe("Fits");
		expect(verdictWord(verdict({ feasible: true, sure: false }))).toBe("Probably fits");
		expect(verdictWord(verdict({ decided: false, sure: false }))).toBe("Not known");
	});
});
