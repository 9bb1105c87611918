import { expect, test } from "vitest";
import { priceAge } from "./price-age.ts";

test("a spot quote of twelve days is old, a list of twelve days is not, one of four months is", () => {
	expect(priceAge("spot", "2026-10-07", "2026-10-19")).toEqual({ days: 12, old: true, freshDays: 7 });
	expect(priceAge("on-demand", "2026-10-07", "2026-10-19").old).toBe(false);
	// July 24 to November 30: 7 + 31 + 30 + 31 + 30 days
	expect(priceAge("on-demand", "2026-07-24", "2026-11-30")).toMatchObject({ days: 129, old: true });
});

test("a day that is none is refused by name", () => {
	expect(() => priceAge("spot", "yesterday", "2026-10-19")).toThrow(
		/readOn must be an ISO day, not 'yesterday'/,
	);
});
