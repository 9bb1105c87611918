import { expect, it } from "vitest";
import { curveOddities, fitQuality } from "./quality.ts";

it("a fit is as good as it predicts the points left out", () => {
	expect([0.014, 0.05, 0.1, 0.34, null].map((loo) => fitQuality({ loo }))).toEqual([
		"good",
		"good",
		"fair",
		"poor",
		"untested",
	]);
});

it("sees prompts that took less time than shorter ones", () => {
	const point = (tokens: number, seconds: number) => ({ tokens, seconds });
	expect(curveOddities([point(100, 1), point(200, 2), point(300, 2)])).toEqual({
		nonMonotone: false,
		sameLengthSpread: null,
	});
	expect(curveOddities([point(3072, 131.7), point(4096, 120.1)]).nonMonotone).toBe(true);
	// the same length twice, 47.3 and 27.3: 73 % apart, which alone is no fall
	const twice = curveOddities([point(128, 47.3), point(128, 27.3), point(1024, 105.3)]);
	expect(twice.nonMonotone).toBe(false);
	expect(twice.sameLengthSpread).toBeCloseTo(0.7326, 4);
});
