import { BLANK_SCENARIO } from "@plimsoll/api/model";
import { expect, test } from "vitest";
import { askedOf, longerModels } from "./longer-models.ts";

const model = (id: string, paramsTotal: number | null, maxContextTokens: number | null) => ({
	...{ id, name: id, paramsTotal, maxContextTokens },
});
const MODELS = [
	model("small", 8e9, 131_072),
	model("short", 70e9, 8192),
	model("like", 72e9, 131_072),
	model("unknown", 70e9, null),
	model("large", 405e9, 131_072),
	model("unsized", null, 1_000_000),
];

test("offers models that take the length, the most alike in size first", () => {
	const named = (tokens: number) => longerModels(MODELS, tokens, { paramsTotal: 70e9 }).map(({ id }) => id);
	expect(named(64_256)).toEqual(["like", "large", "small"]);
	expect(named(131_073)).toEqual(["unsized"]);
	expect(named(2_000_000)).toEqual([]);
});

test("asks the same of the other model on the same cards, and nothing that was said of the first", () => {
	const asked = {
		...BLANK_SCENARIO,
		configuration: "c",
		context: 64_000,
		weights: "fp8" as const,
		ttftSlo: 2,
	};
	expect(askedOf("like", "h100-sxm-80gb", 4, asked)).toEqual({
		...asked,
		...{ configuration: null, weights: null, model: "like", gpu: "h100-sxm-80gb", gpus: 4 },
	});
});
