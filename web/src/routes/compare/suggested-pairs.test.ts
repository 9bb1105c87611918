import { expect, test } from "vitest";
import { suggestedPairs } from "./suggested-pairs.ts";

type Some = Parameters<typeof suggestedPairs>[0][number];
const fitted = { prefill: {}, decode: null, serve: null } as Some["fits"];
const one = (id: string, patch: Partial<Some> = {}): Some => ({
	...{ id, gpuName: "RTX 4090", gpus: 1, engine: "llama.cpp", engineVersion: "1", modelName: "gpt-oss-20b" },
	...{ weights: "mxfp4", kvK: "f16", tp: 1, fits: fitted },
	...patch,
});

test("suggests pairs of one model with a law in common, the fewest differences first", () => {
	const pairs = suggestedPairs([
		one("a"),
		one("b", { gpuName: "RTX 5090", engineVersion: "2" }),
		one("c", { kvK: "q8_0" }),
		one("another model", { modelName: "llama-3.1-8b", gpuName: "RTX 5090" }),
		one("no law in common", { gpuName: "L40S", fits: { ...fitted, prefill: null } }),
	]);
	expect(pairs[0]).toEqual({ ids: ["a", "c"], words: "gpt-oss-20b: f16 cache or q8_0 cache" });
	expect(pairs.find(({ ids }) => ids.join() === "a,b")?.words).toBe(
		"gpt-oss-20b: RTX 4090, llama.cpp 1 or RTX 5090, llama.cpp 2",
	);
	expect(
		pairs.flatMap(({ ids }) => ids).filter((id) => id.startsWith("no ") || id.startsWith("another")),
	).toEqual([]);
	expect(suggestedPairs([one("a"), one("the same as a")])).toEqual([]);
	const many = ["1", "2", "3", "4"].map((version) => one(version, { engineVersion: version }));
	expect(suggestedPairs(many)).toHaveLength(2);
});
