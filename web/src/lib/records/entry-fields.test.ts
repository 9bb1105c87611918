import { expect, it } from "vitest";
import { bodyOf } from "./entry-fields.ts";

it("sends what was said: counts as numbers, choices, and nothing for what is empty", () => {
	const fields = [
		{ at: "model", label: "Model" },
		{ at: "length", label: "Length", tokens: true },
		{ at: "shortfall", label: "Fell short", tokens: true },
		{ at: "conditions", label: "Conditions" },
		{ at: "bound", label: "Bound", options: [{ value: "up to", label: "up to" }] },
	];
	expect(bodyOf(fields, { model: " llama ", length: "24K", shortfall: "many", conditions: "  " })).toEqual({
		...{ model: "llama", length: 24_000, shortfall: "many", bound: "up to" },
	});
});
