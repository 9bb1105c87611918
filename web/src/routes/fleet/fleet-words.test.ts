import type { CheckedOption } from "@plimsoll/api";
import type { Quantity, Unit } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import {
	cheaperFleets,
	checkedWords,
	gpuRangeWords,
	growthRows,
	headlineOf,
	listWords,
	mixedPrices,
	modelName,
	planWords,
	settingWords,
} from "./fleet-words.ts";

const of = (value: number | null, unit: Unit): Quantity => ({
	...{ value, unit, evidence: "estimated", arithmetic: "" },
});
const option = (patch: Partial<CheckedOption> = {}): CheckedOption =>
	({
		gpu: { id: "h100-sxm-80gb", name: "H100 SXM 80GB" },
		...{ engine: "vllm", weights: "fp8", kv: "bf16", maxSequences: 64, gpusPerReplica: 2, simulated: null },
		gpus: of(6, "GPUs"),
		replicas: of(3, "replicas"),
		cost: { usdPerMonth: of(8760, "USD/month") },
		...patch,
	}) as CheckedOption;
const plain = (text: string | null) => text?.replaceAll("\u00a0", " ");

describe("a fleet in words", () => {
	it("says how many of which GPU, how they are grouped, and what they cost", () => {
		expect(plain(headlineOf(option()))).toBe("6 × H100 SXM 80GB in 3 replicas, $8,760 per month");
	});

	it("says which of its GPUs a plan has, and how many are spare", () => {
		expect(planWords(option({ working: 2 }))).toBe("plan of the 4 GPUs that serve; 2 are spare");
		const whole = { working: 1, gpusPerReplica: 1 };
		expect(planWords(option({ ...whole, gpus: of(1, "GPUs") }))).toBe("plan of the 1 GPU that serves");
		expect(planWords(option({ ...whole, gpus: of(2, "GPUs") }))).toMatch(/; 1 is spare$/);
	});

	it("says how many GPUs it is at both ends of its times", () => {
		expect(gpuRangeWords({ ...of(12, "GPUs"), low: 12, high: 16 })).toMatch(/^12 to 16 GPUs/);
		expect(gpuRangeWords({ ...of(12, "GPUs"), low: 8 })).toBeNull();
		expect(gpuRangeWords(of(12, "GPUs"))).toBeNull();
	});

	it("stands beside what it becomes as the demand grows", () => {
		const grown = {
			months: 12,
			peakRequestsPerSecond: of(9, "requests/s"),
		} as CheckedOption["ahead"][number];
		const rows = growthRows(option({ ahead: [grown] }), of(5, "requests/s"));
		expect(rows.map(({ when, peakRequestsPerSecond: { value } }) => [when, value])).toEqual([
			["now", 5],
			["month 12", 9],
		]);
		expect(growthRows(option({ ahead: [] }), of(5, "requests/s"))).toEqual([]);
	});

	it("says nothing of money that is not known", () => {
		const unpriced = option({ cost: { ...option().cost, usdPerMonth: of(null, "USD/month") } });
		expect(headlineOf(unpriced)).toBe("6 × H100 SXM 80GB in 3 replicas");
		expect(headlineOf(undefined)).toBeNull();
	});

	it("names the model as the catalog does, else by its id or its configuration", () => {
		const of = (model: string | null) =>
			option({
				scenario: { model } as CheckedOption["scenario"],
				configuration: { id: "c", label: "2× H100 · a model", attribution: null },
			});
		const models = [{ id: "llama-2-70b", name: "Llama 2 70B" }];
		expect(modelName(of("llama-2-70b"), models)).toBe("Llama 2 70B");
		expect(modelName(of("llama-2-70b"), [])).toBe("llama-2-70b");
		expect(modelName(of(null), models)).toBe("2× H100 · a model");
		expect(modelName(undefined, models)).toBeNull();
	});

	it("names the cheapest on weaker ground beside a first that is dearer", () => {
		const at = (month: number, basis: CheckedOption["basis"]) =>
			option({ basis, cost: { ...option().cost, usdPerMonth: of(month, "USD/month") } });
		const [measured, cheap, dear] = [at(900, "fitted"), at(500, "estimated"), at(700, "estimated")];
		const carried = at(600, "transferred");
		const named = (options: CheckedOption[]) => cheaperFleets(options).map((one) => one.option);
		expect(named([measured, carried, dear, cheap])).toEqual([carried, cheap]);
		expect(named([carried, dear, cheap])).toEqual([cheap]);
		expect(named([measured, at(901, "estimated")])).toEqual([]);
		expect(named([cheap, dear])).toEqual([]);
		expect(named([])).toEqual([]);
	});

	it("says how much of the list is told", () => {
		const options = [option()];
		expect(listWords({ kinds: 670, listed: 30, options })).toContain("best of each GPU, 1 of 30");
		expect(listWords({ kinds: 1, listed: 1, options })).toMatch(
			/^1 kind of replica holds the limits; the first 1/,
		);
	});

	it("says where some are paid by the hour and others for a term", () => {
		const [hourly, term] = [{ priceKind: "on-demand" }, { priceKind: "reserved" }] as const;
		expect(mixedPrices([hourly, term, hourly])).toContain("(2 on-demand, 1 reserved)");
		expect(mixedPrices([hourly, hourly, { priceKind: null }])).toBeNull();
	});

	it("tells what sets it apart, and how it was worked out", () => {
		expect(settingWords(option())).toBe("2 GPUs each, vllm, fp8 weights, bf16 cache, 64 sequences");
		expect(checkedWords(option())).toBe("closed form");
		const simulated = { holds: false } as NonNullable<CheckedOption["simulated"]>;
		expect(checkedWords(option({ simulated }))).toBe("simulated, does not hold");
	});
});
