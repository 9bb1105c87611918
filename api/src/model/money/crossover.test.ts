import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crossover, crossoverVolumes, stepsUsd } from "./crossover.ts";
import { exactly, withMiddle } from "./price.ts";

describe("the volume from which GPUs of one's own are cheaper", () => {
	// One replica: $10,000 for up to 5 million requests; the API takes $0.004: 10,000 / 0.004 = 2.5 million pay for it.
	const steps = { usdPerReplicaMonth: 10_000, requestsPerReplicaMonth: 5e6, spareReplicas: 0 };

	test("is 2.5 million requests without a spare, for good", () => {
		// Step 2 begins at 5 million and costs $20,000 = 5 million × $0.004: not dearer.
		expect(crossoverVolumes(steps, 0.004)).toEqual({ first: 2.5e6, always: 2.5e6 });
	});

	test("with a spare is 2 × 2.5 = 5 million for the first time", () => {
		// n = 2: 3 × 2.5 = 7.5 million at the cheapest, step 2 begins at 5: dearer till 7.5. n = 3 begins at 10 = 4 × 2.5.
		expect(crossoverVolumes({ ...steps, spareReplicas: 1 }, 0.004)).toEqual({ first: 5e6, always: 7.5e6 });
	});

	test("does not exist where a full replica costs more than its requests at the API", () => {
		expect(crossoverVolumes(steps, 0.002)).toEqual({ first: null, always: null });
	});

	test("agrees with trying every volume", () => {
		const amount = fc.double({ min: 0.5, max: 20, noNaN: true });
		fc.assert(
			fc.property(
				amount,
				amount,
				amount,
				fc.integer({ min: 0, max: 2 }),
				(cost, most, api, spareReplicas) => {
					fc.pre(cost / api < 0.9 * most);
					const tried = { usdPerReplicaMonth: cost, requestsPerReplicaMonth: most, spareReplicas };
					const { first, always } = crossoverVolumes(tried, api);
					const cheaper = (volume: number) => stepsUsd(volume, tried) <= volume * api * (1 + 1e-9);
					if (first === null || always === null) throw new Error("there is one");
					expect(cheaper(first * (1 + 1e-6))).toBe(true);
					for (let i = 1; i < 400; i++) {
						if (i < 200) expect(cheaper((first * i) / 200 - 1e-9 * first)).toBe(false);
						expect(cheaper(always * (1 + 1e-6) + (most * i) / 50)).toBe(true);
					}
					if (always > first * (1 + 1e-6)) expect(cheaper(always * (1 - 1e-6))).toBe(false);
				},
			),
			{ numRuns: 60 },
		);
	});

	test("has the band of both prices, and says where one end never comes", () => {
		const question = {
			usdPerReplicaMonth: withMiddle({ low: 8000, high: 12_500 }),
			requestsPerReplicaMonth: withMiddle(exactly(5e6)),
			spareReplicas: 0,
			usdPerRequest: withMiddle({ low: 0.0025, high: 0.0064 }),
			evidence: "vendor",
			sources: [],
		} as const;
		// Middle 10,000 / 0.004; best 8,000 / 0.0064 = 1.25 million; worst 12,500 / 0.0025 = 5 million: a full replica.
		const { first } = crossover(question);
		expect(first.value).toBeCloseTo(2.5e6, 3);
		expect(first.low).toBeUndefined();
		expect(first.arithmetic).toContain("with the dearest GPUs and the cheapest API never");
		const narrow = crossover({
			...question,
			usdPerReplicaMonth: withMiddle({ low: 9900, high: 10_100 }),
			usdPerRequest: withMiddle(exactly(0.004)),
		});
		expect([narrow.first.low, narrow.first.high].map((v) => Math.round(v ?? 0))).toEqual([
			2_475_000, 2_525_000,
		]);
	});
});
