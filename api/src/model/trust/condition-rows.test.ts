import { expect, test } from "vitest";
import { conditionRows } from "./condition-rows.ts";

const named = (values: Record<string, string | null>) => new Map(Object.entries(values));

test("conditions are equal, differ, or are not known of all", () => {
	const rows = conditionRows([
		named({ GPU: "NVIDIA H100", Driver: "550.54", "Power limit": null, Engine: "vllm" }),
		named({
			GPU: "nvidia  h100",
			Driver: "555.42",
			"Power limit": "700 W",
			Engine: "vllm",
			block_size: "16",
		}),
	]);
	expect(rows).toEqual([
		{ name: "GPU", values: ["NVIDIA H100", "nvidia  h100"], state: "equal" },
		{ name: "Driver", values: ["550.54", "555.42"], state: "differs" },
		{ name: "Power limit", values: [null, "700 W"], state: "unknown" },
		{ name: "Engine", values: ["vllm", "vllm"], state: "equal" },
		{ name: "block_size", values: [null, "16"], state: "unknown" },
	]);
});

test("two that differ outweigh a third that does not say", () => {
	const [row] = conditionRows([named({ Driver: "1" }), named({ Driver: "2" }), named({ Driver: null })]);
	expect(row?.state).toBe("differs");
});

test("what nobody says is unknown", () => {
	const [row] = conditionRows([named({ Sampler: null }), named({ Sampler: null })]);
	expect(row).toEqual({ name: "Sampler", values: [null, null], state: "unknown" });
});
