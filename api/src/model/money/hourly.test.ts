import { describe, expect, test } from "vitest";
import { describeTerms, hourlyQuantity, usdPerGpuHour } from "./hourly.ts";
import { bookValueUsd, kwhPerMonth, ownedUsdPerGpuHour } from "./ownership.ts";
import { exactly, type GpuTerms, type OwnedTerms, type PriceEntry, US_DOLLAR } from "./price.ts";

const owned: OwnedTerms = {
	kind: "owned",
	capexPerGpu: { low: 25_000, high: 35_000 },
	lifetimeMonths: 36,
	residualShare: 0.1,
	watts: 1000,
	pue: 1.3,
	perKwh: exactly(0.1),
	staffPerGpuMonth: exactly(73),
	hostingPerGpuMonth: exactly(146),
};
const at = (terms: GpuTerms, usdPerUnit = 1) => usdPerGpuHour(terms, { ...US_DOLLAR, usdPerUnit });

describe("a GPU-hour", () => {
	test("on demand and as agreed is what the entry says, in dollars", () => {
		expect(at({ kind: "on-demand", perGpuHour: { low: 2, high: 3 } })).toEqual({ low: 2, high: 3 });
		// 2.50 EUR at 1.10 USD each
		expect(at({ kind: "agreed", perGpuHour: exactly(2.5) }, 1.1).low).toBeCloseTo(2.75, 12);
	});

	test("reserved for 12 months with $8,760 paid at the start: $1.50 + 8,760 / (12 × 730) = $2.50", () => {
		const terms: GpuTerms = {
			kind: "reserved",
			perGpuHour: exactly(1.5),
			upfrontPerGpu: exactly(8760),
			termMonths: 12,
		};
		expect(at(terms).low).toBeCloseTo(2.5, 12);
	});

	test("spot at $1.20 of which a fifth is lost to interruptions: 1.20 / 0.8 = $1.50", () => {
		expect(at({ kind: "spot", perGpuHour: exactly(1.2), lostShare: 0.2 }).low).toBeCloseTo(1.5, 12);
	});

	// Low: 25,000 × 0.9 / (36 × 730) = 22,500 / 26,280 = 0.856164; power 1 kW × 1.3 × 0.10 = 0.13;
	// staff and hosting (73 + 146) / 730 = 0.30; together 1.286164. High: 31,500 / 26,280 = 1.198630; 1.628630.
	test("of one's own is capital less its residual, power and people", () => {
		expect(at(owned).low).toBeCloseTo(1.286164, 6);
		expect(at(owned).high).toBeCloseTo(1.62863, 6);
	});

	test("carries its formula with the numbers put in, its range, source and day", () => {
		const entry: PriceEntry & { terms: GpuTerms } = {
			...{ id: "v1", series: "s", version: 1, subject: "h100-sxm-80gb", seller: null, terms: owned },
			...{ currency: US_DOLLAR, source: "our quote", readOn: "2026-10-01", origin: "user" },
		};
		const made = hourlyQuantity(entry);
		expect(made).toMatchObject({ unit: "USD/hour", evidence: "arithmetic" });
		// √(1.286164 × 1.628630) = 1.447308
		expect(made.value).toBeCloseTo(1.447308, 5);
		expect(made.low).toBeCloseTo(1.286164, 6);
		expect(made.sources).toEqual([{ label: "Price: our quote", date: "2026-10-01", claim: "price-v1" }]);
		expect(made.arithmetic).toContain(
			"25,000 to 35,000 USD × (1 − 10 % residual) / (36 months × 730 h) + 1 kW × PUE 1.3 × 0.1 per kWh",
		);
		const euro = { code: "EUR", usdPerUnit: 1.1, rateSource: "ECB", rateReadOn: "2026-11-27" };
		expect(describeTerms({ terms: { kind: "agreed", perGpuHour: exactly(2.5) }, currency: euro })).toBe(
			"2.5 EUR as agreed × 1.1 USD/EUR of 2026-11-27",
		);
	});
});

test("36 months of 730 hours are 3 years: $26,280 written off to nothing is $1 an hour", () => {
	const bare = { residualShare: 0, watts: 0, pue: 1, usdPerKwh: 0, otherUsdPerMonth: 0 };
	expect(ownedUsdPerGpuHour({ ...bare, capitalUsd: 26_280, lifetimeMonths: 36 })).toBeCloseTo(1, 12);
});

test("half way through its life $10,000 with a fifth residual are worth $6,000, and never less than $2,000", () => {
	const own = { capitalUsd: 10_000, lifetimeMonths: 40, residualShare: 0.2 };
	// 10,000 × (1 − 0.8 × 20 / 40)
	expect(bookValueUsd(own, 20)).toBeCloseTo(6000, 9);
	expect(bookValueUsd(own, 100)).toBeCloseTo(2000, 9);
});

test("700 W through a month of 730 h at PUE 1.2 are 613.2 kWh", () => {
	expect(kwhPerMonth(700, 1.2)).toBeCloseTo(613.2, 9);
});
