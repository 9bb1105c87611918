import { expect, test } from "vitest";
import { rateWords, US_DOLLAR } from "./price.ts";

test("a rate is told with all the figures that amounts are worked out by, its source and its day", () => {
	const euro = { code: "EUR", usdPerUnit: 1.0834, rateSource: "the bank", rateReadOn: "2026-10-01" };
	expect(rateWords(euro)).toBe("1 EUR = $1.0834, the bank, 2026-10-01");
	expect(rateWords({ ...euro, code: "RUB", usdPerUnit: 0.0124573 })).toMatch(/^1 RUB = \$0\.0124573,/);
	expect(rateWords({ ...euro, rateSource: null, rateReadOn: null })).toMatch(
		/, source not said, day not said$/,
	);
	expect(rateWords(US_DOLLAR)).toBeNull();
});
