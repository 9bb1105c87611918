import type { DecodeFit, GpuFacts, ModelFacts, PrefillFit } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { decodeCoefficients, type Hardware, prefillCoefficients } from "./coefficients.ts";

const base = { n: 7, loo: 0.01, noise: null, measurementIds: [], notes: [], evidence: "fitted" as const };
const prefill = (coefficients: PrefillFit["coefficients"]): PrefillFit => ({
	...base,
	phase: "prefill",
	form: "f + a·max(0, u − k) + b·v",
	coefficients,
	units: { a: "seconds/token", b: "seconds/token²", f: "seconds", k: "tokens" },
	range: { from: 128, to: 8192 },
	chunkTokens: null,
	residuals: [],
});
const decode = (coefficients: DecodeFit["coefficients"], g: DecodeFit["g"] = "none"): DecodeFit => ({
	...base,
	phase: "decode",
	form: "c0 + c1·B + c2·B·L",
	g,
	coefficients,
	units: { c0: "seconds", c1: "seconds", c2: "seconds/token", c3: "seconds" },
	range: { batch: [1, 64], context: [128, 8192] },
});

/** A card with round figures: 1,000 TFLOP/s and 1,000 GB/s; a model of 10 billion parameters. */
const gpu = { bf16DenseFlops: 1e15, fp8DenseFlops: 2e15, bandwidthBytesPerSecond: 1e12 } as GpuFacts;
const model = {
	...{
		paramsTotal: 10e9,
		paramsActive: 10e9,
		layers: 10,
		fullLayers: 10,
		slidingLayers: 0,
		windowTokens: null,
	},
	...{
		heads: 8,
		kvHeads: 8,
		headDimK: 100,
		headDimV: 100,
		mla: null,
		slidingKvHeads: null,
		slidingHeadDim: null,
	},
	...{ recurrentLayers: 0, recurrentStateBytesPerLayer: null },
} as ModelFacts;
const hardware = (fields: Partial<Hardware["configuration"]> = {}): Hardware => ({
	configuration: { gpus: 1, tp: 1, weights: "bf16", kvK: "f16", kvV: "f16", ...fields },
	gpu,
	model,
});
const plain = (text: string | undefined) => text?.replaceAll("\u00a0", " ");

describe("prefill coefficients", () => {
	it("turn a into tokens per second and a share of the peak: 2 · 10¹⁰ / 40 µs is half of 10¹⁵", () => {
		const [a] = prefillCoefficients(prefill({ a: 40e-6, b: 1e-9, f: 0.01, k: 100 }), hardware());
		expect(a?.symbol).toBe("a");
		expect(a?.quantity).toMatchObject({ value: 40e-6, unit: "seconds/token", evidence: "fitted" });
		expect(plain(a?.meaning)).toContain("25,000 tokens/s");
		expect(plain(a?.meaning)).toContain("50% of the 1,000 TFLOP/s of dense 16-bit peak");
	});

	it("count all cards, and the 8-bit rate for 8-bit floats", () => {
		const fit = prefill({ a: 40e-6, b: 0, f: 0, k: 0 });
		expect(plain(prefillCoefficients(fit, hardware({ gpus: 5 }))[0]?.meaning)).toContain(
			"10% of the 5,000 TFLOP/s",
		);
		expect(plain(prefillCoefficients(fit, hardware({ weights: "fp8" }))[0]?.meaning)).toContain("25%");
	});

	it("say where attention costs as much as the weights: a/b", () => {
		const found = prefillCoefficients(prefill({ a: 40e-6, b: 1e-9, f: 0, k: 0 }), hardware());
		expect(found.map((c) => c.symbol)).toEqual(["a", "b"]);
		expect(plain(found[1]?.meaning)).toContain("40,000 tokens");
	});

	it("leave the share out where the catalog does not know the card", () => {
		const [a] = prefillCoefficients(prefill({ a: 40e-6, b: 0, f: 0, k: 0 }), { ...hardware(), gpu: null });
		expect(a?.meaning).not.toMatch(/peak/);
	});
});

describe("decode coefficients", () => {
	it("turn the read of the weights into a share of the bandwidth: 20 GB in 40 ms are 500 GB/s", () => {
		const [c0] = decodeCoefficients(decode({ c0: 0.04, c1: 0, c2: 0, c3: 0 }), hardware());
		expect(plain(c0?.meaning)).toContain("500 GB/s of weights per GPU, 50% of its bandwidth");
	});

	it("turn the read of the cache into one too: 32,000 B per token in 64 ns are 500 GB/s", () => {
		const [c2] = decodeCoefficients(decode({ c0: 0, c1: 0, c2: 64e-9, c3: 0 }), hardware());
		expect(plain(c2?.meaning)).toContain("500 GB/s of cache per GPU, 50% of its bandwidth");
	});

	it("count the growth's part at batch one to the read of the weights", () => {
		const found = decodeCoefficients(decode({ c0: 0.01, c1: 0, c2: 0, c3: 0.03 }, "roofline"), hardware());
		expect(plain(found.at(-1)?.meaning)).toContain("500 GB/s");
		expect(plain(found[0]?.meaning)).not.toContain("GB/s");
	});
});
