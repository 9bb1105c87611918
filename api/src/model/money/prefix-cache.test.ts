import { expect, test } from "vitest";
import { type PrefixCacheUse, prefixCacheSaving } from "./prefix-cache.ts";

const price = { value: 2, evidence: "vendor", from: () => "a list" } as const;
const use: PrefixCacheUse = {
	fullSeconds: 2,
	cachedSeconds: 0.4,
	evidence: "fitted",
	hitShare: 0.5,
	...{ replicas: 25, replicasWithout: 35, replicasEvidence: "transferred", gpusPerReplica: 4 },
	price,
};

// 0.5 × (2 − 0.4) = 0.8 s; (35 − 25) × 4 = 40 GPUs; 40 × $2 × 730 h = $58,400
test("half the requests hit and save 1.6 s each and ten replicas of 4 GPUs: 0.8 s, 40 GPUs, $58,400 a month", () => {
	const saving = prefixCacheSaving(use);
	expect(saving.secondsPerRequest).toMatchObject({ value: expect.closeTo(0.8, 12), evidence: "fitted" });
	expect(saving.gpus.value).toBeCloseTo(40, 9);
	expect(saving.usdPerMonth).toMatchObject({ value: expect.closeTo(58_400, 6), evidence: "vendor" });
});

test("without a price the money is unknown and the GPUs are not", () => {
	const unknown = { value: null, evidence: "assumed", from: () => "no price is known" } as const;
	const saving = prefixCacheSaving({ ...use, price: unknown });
	expect(saving.usdPerMonth).toMatchObject({ value: null, arithmetic: "not known: no price is known" });
	expect(saving.gpus.value).toBeCloseTo(40, 9);
});

test("where no number of replicas holds the limits without hits, the saving is not known, and why", () => {
	const saving = prefixCacheSaving({ ...use, replicasWithout: "no number holds the limits" });
	expect(saving.gpus).toMatchObject({ value: null, arithmetic: "not known: no number holds the limits" });
	expect(saving.usdPerMonth.value).toBeNull();
	expect(saving.secondsPerRequest.value).toBeCloseTo(0.8, 12);
});
