import type { MemoryAnswer, Quantity } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { memoryParts } from "./memory-parts.ts";

const gb = (value: number | null): Quantity => ({
	value: value === null ? null : value * 1e9,
	unit: "bytes",
	evidence: "arithmetic",
	arithmetic: "",
});

const stack = (figures: Record<string, number | null>) =>
	Object.fromEntries(
		Object.entries(figures).map(([key, value]) => [key, gb(value)]),
	) as unknown as MemoryAnswer;

describe("the parts of a card's memory", () => {
	// H100 80 GB with 35 GB of weights and 5 GB of scratch: 40 GB for KV, three sequences of 10.49 GB in use.
	const fits = stack({
		weightsBytes: 35,
		overheadBytes: 5,
		kvUsedBytes: 31.47,
		freeBytes: 8.53,
		reservedBytes: 0,
		totalBytes: 80,
	});

	it("add up to the card", () => {
		const shown = memoryParts(fits);
		expect(shown?.scaleBytes).toBeCloseTo(80e9, 0);
		expect(shown?.lineBytes).toBeCloseTo(80e9, 0);
		expect(shown?.overBytes).toBe(0);
		expect(shown?.hatched.size).toBe(0);
		expect(shown?.parts.map((part) => part.key)).toEqual(["weights", "overhead", "kvUsed", "free"]);
	});

	it("reach past the load line by what does not fit", () => {
		// Four sequences of 10.49 GB want 41.96 GB of the same 40 GB; 8 GB of an 88 GB card are left alone.
		const over = memoryParts(
			stack({
				weightsBytes: 35,
				overheadBytes: 5,
				kvUsedBytes: 41.96,
				freeBytes: -1.96,
				reservedBytes: 8,
				totalBytes: 88,
			}),
		);
		expect(over?.overBytes).toBeCloseTo(1.96e9, 0);
		// 81.96 GB reach into the 8 GB that were to be left alone: the bar stays the card.
		expect(over?.scaleBytes).toBeCloseTo(88e9, 0);
		expect(over?.cutBytes).toBe(0);
		expect(over?.lineBytes).toBeCloseTo(80e9, 0);
		expect(over?.parts.map((part) => part.key)).not.toContain("free");
		expect([...(over?.hatched ?? [])]).toEqual(["kvUsed"]);
	});

	it("are broken off where far more is asked for than the card holds", () => {
		// 35 + 5 + 1,310 GB on a card of 88: the bar shows 1.4 × 88 = 123.2 GB, 1,226.8 are left out.
		const over = memoryParts(
			stack({
				weightsBytes: 35,
				overheadBytes: 5,
				kvUsedBytes: 1310,
				freeBytes: -1270,
				reservedBytes: 8,
				totalBytes: 88,
			}),
		);
		expect(over?.scaleBytes).toBeCloseTo(123.2e9, 0);
		expect(over?.cutBytes).toBeCloseTo(1226.8e9, 0);
		expect(over?.lineBytes).toBeCloseTo(80e9, 0);
		expect(over?.parts.find((part) => part.key === "kvUsed")?.label).toBe("KV cache asked for");
	});

	it("are not shown where one is not known", () => {
		expect(memoryParts({ ...fits, weightsBytes: gb(null) })).toBeNull();
	});
});
