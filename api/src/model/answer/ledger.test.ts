import { describe, expect, it } from "vitest";
import { byWeight, CLAIM_SUBJECTS } from "../trust/claim.ts";
import { factEntries } from "./ledger.ts";

const gpu = {
	...{ id: "l4", name: "L4", vendor: "NVIDIA", totalBytes: 24e9, totalBytesBasis: "nominal" as const },
	...{ bandwidthBytesPerSecond: 3e11, bf16DenseFlops: 1.21e14, fp8DenseFlops: null, tdpWatts: 72 },
	...{ unverified: [], sources: [{ label: "data sheet" }], origin: "seed" as const },
};
const price = {
	...{ id: "p1", series: "s", version: 1, subject: "l4", seller: "A cloud", origin: "user" as const },
	terms: { kind: "on-demand" as const, perGpuHour: { low: 0.4, high: 0.8 } },
	currency: { code: "USD", usdPerUnit: 1, rateSource: null, rateReadOn: null },
	...{ source: "https://cloud.example/prices", readOn: "2026-11-01" },
};
const nothing = { lengths: [], prices: [], gpus: [], models: [] };
const found = (id: string, facts: Parameters<typeof factEntries>[0]) =>
	factEntries(facts).find((entry) => entry.id === id);

describe("facts as entries of the ledger", () => {
	it("says a price with its seller, source and day", () => {
		expect(found("price-p1", { ...nothing, prices: [price], gpus: [gpu] })).toMatchObject({
			...{ statement: "L4, a GPU-hour: 0.4 to 0.8 USD on demand.", kind: "vendor", conditions: "A cloud" },
			source: {
				label: "https://cloud.example/prices",
				href: "https://cloud.example/prices",
				date: "2026-11-01",
			},
			...{ href: "/prices/p1", origin: "user" },
		});
	});

	it("calls a card of the catalog a vendor's claim, and folklore where it has no source", () => {
		expect(found("gpu-l4", { ...nothing, gpus: [gpu] })).toMatchObject({
			kind: "vendor",
			statement: "L4 has 24 GB of memory, 300 GB/s of bandwidth, 121 TFLOPS of dense BF16.",
		});
		for (const sources of [[], [{ label: "entered by hand" }]])
			expect(found("gpu-l4", { ...nothing, gpus: [{ ...gpu, sources }] })).toMatchObject({
				...{ kind: "folklore", source: null, conditions: null },
			});
	});

	it("keeps the kind of evidence of presets: a public trace is a measurement, a vendor's multiple is not", () => {
		expect(found("preset-chat", nothing)?.kind).toBe("measurement");
		expect(found("preset-multi-agent", nothing)?.kind).toBe("vendor");
	});

	it("stands behind what circulates, in the order of subjects", () => {
		const entries = factEntries({ ...nothing, prices: [price], gpus: [gpu] });
		const subjects = [...entries]
			.reverse()
			.sort(byWeight)
			.map(({ subject }) => subject);
		const ranks = subjects.map((subject) => CLAIM_SUBJECTS.indexOf(subject));
		expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
	});
});
