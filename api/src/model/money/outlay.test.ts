import { expect, test } from "vitest";
import { cheaperFrom, type OutlayQuestion, outlayByMonth } from "./outlay.ts";

const question: OutlayQuestion = {
	...{ months: 36, requestsPerMonth: 1e6, growthPerMonth: 0, requestsPerReplicaMonth: 1e6, spareReplicas: 1 },
	rentUsdPerReplicaMonth: 1000,
	own: { capexUsd: 9000, runningUsdPerMonth: 100, lifetimeMonths: 24, residualShare: 0.2 },
	apiUsdPerRequest: 0.0015,
};

test("two replicas for three years by hand", () => {
	const months = outlayByMonth(question);
	expect(months).toHaveLength(36);
	// rent 2 × 1,000; own 2 × 9,000 + 2 × 100; worth 2 × 9,000 × (1 − 0.8 / 24) = 17,400; api 1e6 × 0.0015
	expect(months[0]).toMatchObject({ replicas: 2, rent: 2000, own: 18_200, api: 1500 });
	expect(months[0]?.ownNet).toBeCloseTo(800, 9);
	// 24 months: own 18,000 + 24 × 200 = 22,800, worth 2 × 1,800
	expect(months[23]).toMatchObject({ rent: 48_000, own: 22_800, ownNet: 19_200, api: 36_000 });
	// Month 25 sells the old for 3,600 and buys two again: 22,800 − 3,600 + 18,000 + 200
	expect(months[24]?.own).toBe(37_400);
	expect(months[35]).toMatchObject({ rent: 72_000, own: 37_400 + 11 * 200, api: 54_000 });
});

test("owning costs less than renting from the month on in which it has paid for itself and stays so", () => {
	const months = outlayByMonth(question);
	// rent 2,000 m against 18,000 + 200 m: from m = 10 on; month 25 buys again: 37,400 < 50,000.
	expect(cheaperFrom(months, "own", "rent")).toBe(10);
	expect(cheaperFrom(months, "rent", "own")).toBeNull();
	expect(cheaperFrom(outlayByMonth({ ...question, own: null }), "own", "rent")).toBeNull();
});

test("growth adds replicas when they are needed, and bought ones stay when the volume falls", () => {
	const grown = outlayByMonth({ ...question, months: 3, growthPerMonth: 0.5 });
	// 1.0, 1.5, 2.25 million: 1, 2, 3 working replicas and one spare
	expect(grown.map(({ replicas }) => replicas)).toEqual([2, 3, 4]);
	// 18,000 + 200; + 9,000 + 300; + 9,000 + 400
	expect(grown.map(({ own }) => own)).toEqual([18_200, 27_500, 36_900]);
	const shrunk = outlayByMonth({ ...question, requestsPerMonth: 2e6, growthPerMonth: -0.5, months: 2 });
	// Three bought, two needed: all three run on.
	expect(shrunk.map(({ replicas, own }) => [replicas, own])).toEqual([
		[3, 27_300],
		[2, 27_600],
	]);
});

test("what has no price is null in every month", () => {
	const months = outlayByMonth({
		...question,
		own: null,
		apiUsdPerRequest: null,
		rentUsdPerReplicaMonth: null,
	});
	expect(
		months.every(({ own, ownNet, api, rent }) => [own, ownNet, api, rent].every((v) => v === null)),
	).toBe(true);
	expect(() => outlayByMonth({ ...question, months: 0 })).toThrow(/months/);
});

test("a volume that doubles every month for ten years has an end: replicas are counted, not listed", () => {
	const months = outlayByMonth({ ...question, months: 120, growthPerMonth: 1 });
	// 1e6 · 2¹¹⁹ requests at 1e6 of a replica, and one spare
	expect(months.at(-1)?.replicas).toBe(2 ** 119 + 1);
	const numbers = months.flatMap(({ rent, own, ownNet, api }) => [rent, own, ownNet, api]);
	expect(numbers.every((usd) => Number.isFinite(usd))).toBe(true);
	// 2 replicas for 18,200, one more in the second month, two more in the third: 9,000 + 300, 18,000 + 500
	expect(months.slice(0, 3).map(({ own }) => own)).toEqual([18_200, 27_500, 46_000]);
});
