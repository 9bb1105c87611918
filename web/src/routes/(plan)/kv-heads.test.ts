import type { ModelFacts } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { attentionChoices, chosenAttention } from "./kv-heads.ts";

const model = (heads: number, kvHeads: number, mla: ModelFacts["mla"] = null) =>
	({ heads, kvHeads, mla }) as ModelFacts;
const offered = (m: ModelFacts) => attentionChoices(m).map((c) => [c.value, c.kvHeads]);

describe("attention choices", () => {
	it("offer MHA and MQA to Llama 3.1 70B, whose own 8 KV heads are GQA", () => {
		expect(offered(model(64, 8))).toEqual([
			["own", null],
			["mha", 64],
			["mqa", 1],
			["other", null],
		]);
	});
	it("offer GQA to a model with a KV head for each head", () => {
		expect(offered(model(32, 32))).toContainEqual(["gqa", 4]);
		expect(offered(model(32, 32))).not.toContainEqual(["mha", 32]);
	});
	it("leave out a group of eight that does not divide the heads", () => {
		expect(offered(model(12, 2)).map(([value]) => value)).not.toContain("gqa");
	});
	it("offer every kind to latent attention", () => {
		const deepseek = model(128, 128, { kvLoraRank: 512, qkRopeHeadDim: 64 });
		expect(offered(deepseek).map(([value]) => value)).toEqual(["own", "mha", "gqa", "mqa", "other"]);
	});
	it("recognise what is chosen", () => {
		expect(chosenAttention(model(64, 8), null)).toBe("own");
		expect(chosenAttention(model(64, 8), 64)).toBe("mha");
		expect(chosenAttention(model(64, 8), 16)).toBe("other");
	});
});
