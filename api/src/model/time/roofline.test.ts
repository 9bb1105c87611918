import { describe, expect, test } from "vitest";
import { deepseekV3, h100, llama8b, llama70b } from "../fixtures/models.ts";
import { decodeSeconds, weightsSeconds } from "./decode.ts";
import { fasterThanRoofline, rooflineFits } from "./roofline.ts";

describe("roofline of Llama 3.1 8B on one H100, by hand", () => {
	const { prefill, decode } = rooflineFits(llama8b, h100, { tp: 1, weights: "bf16" });

	test("2 × 8.03e9 FLOP a token over 989.5e12 × 0.5", () => {
		expect(prefill?.coefficients.a).toBeCloseTo((2 * 8.03e9) / (989.5e12 * 0.5), 15);
	});

	test("attention: 32 layers × 32 heads × 256 FLOP a token pair", () => {
		expect(prefill?.coefficients.b).toBeCloseTo((32 * 32 * 256) / (989.5e12 * 0.5), 20);
	});

	test("decode reads 16.06e9 bytes of weights and 131,072 a cached token over 3.35e12 × 0.6", () => {
		expect(decode?.coefficients.c0).toBeCloseTo(16.06e9 / (3350e9 * 0.6), 12);
		expect(decode?.coefficients.c2).toBeCloseTo(131_072 / (3350e9 * 0.6), 16);
	});

	test("is an estimate", () => {
		expect([prefill?.evidence, decode?.evidence]).toEqual(["estimated", "estimated"]);
	});
});

test("within a factor of 2 of Splitwise's Llama-2-70B on 8 H100: 3.4 s for 8,192 tokens would be 16.9 % of the peak", () => {
	// Splitwise (Patel et al. 2024), data/perf_model.csv: MFU 0.169 at 8,192 tokens, TP 8; ours assumes 0.5 / 8^⅓ = 0.25.
	const { prefill } = rooflineFits(llama70b, h100, { tp: 8, weights: "bf16" });
	const measured = (2 * 68.98e9 * 8192) / (8 * 989.5e12 * 0.169);
	const { a = 0, b = 0 } = prefill?.coefficients ?? {};
	const ratio = (a * 8192 + b * 8192 ** 2) / measured;
	expect(ratio).toBeGreaterThan(0.5);
	expect(ratio).toBeLessThan(2);
});

test("a mixture of experts reads its active weights alone and most of all experts in a large batch", () => {
	const { decode } = rooflineFits(deepseekV3, h100, { tp: 16, weights: "fp8" });
	if (!decode) throw new Error("no estimate");
	const step = (batch: number) => decodeSeconds(decode, { batch, context: 0 });
	const whole = (671 / 37) * step(1);
	expect(weightsSeconds(decode)).toBeLessThan(step(1));
	// Two sequences touch at most twice the active weights; 32 of them 1 − (1 − 37/671)^32 = 83.7 % of all.
	expect(step(2)).toBeLessThan(2 * step(1));
	expect(step(32)).toBeGreaterThan(0.8 * whole);
	expect(step(32)).toBeLessThan(whole);
});

test("says what the catalog lacks", () => {
	const { prefill, missing } = rooflineFits(llama8b, { ...h100, bandwidthBytesPerSecond: null }, {});
	expect(prefill).toBeNull();
	expect(missing).toContain("bandwidth");
});

describe("faster than the card can be", () => {
	const bound = (seconds: number, gpus = 1) =>
		fasterThanRoofline({ phase: "prefill", tokens: 8192, cached: 0, batch: 1, seconds }, llama8b, h100, {
			gpus,
			weights: "fp8",
		});

	test("8,192 tokens in a millisecond are impossible on one H100: 131.6e12 FLOP need 67 ms even at the fp8 peak", () => {
		expect(bound(0.001)).toContain("faster than H100");
		expect(bound(0.07)).toContain("faster than H100");
		expect(bound(0.08)).toBeNull();
	});

	test("what is too fast for one GPU may be right for eight", () => {
		expect(bound(0.02)).not.toBeNull();
		expect(bound(0.02, 8)).toBeNull();
	});

	test("a decode step cannot be shorter than reading the weights", () => {
		const step = (seconds: number) =>
			fasterThanRoofline({ phase: "decode", batch: 1, context: 1000, seconds }, llama8b, h100, {
				gpus: 1,
				weights: "bf16",
			});
		expect(step(0.004)).not.toBeNull();
		expect(step(0.006)).toBeNull();
	});

	test("where the number of GPUs is not said a whole node is allowed for", () => {
		const step = (seconds: number) =>
			fasterThanRoofline({ phase: "prefill", tokens: 8192, cached: 0, batch: 1, seconds }, llama8b, h100);
		expect(step(0.01)).toBeNull();
		expect(step(0.0001)).not.toBeNull();
	});

	test("models that attend to a part of the tokens are not held to all of them", () => {
		const step = { phase: "decode", batch: 64, context: 100_000, seconds: 0.03 } as const;
		const indexed = { ...llama8b, caveats: ["a sparse-attention indexer keeps a cache of its own"] };
		expect(fasterThanRoofline(step, llama8b, h100, { gpus: 1, weights: "bf16", kvK: "bf16" })).not.toBeNull();
		expect(fasterThanRoofline(step, indexed, h100, { gpus: 1, weights: "bf16", kvK: "bf16" })).toBeNull();
	});

	test("8-bit products run faster than the 16-bit peak, and GeForce sums twice as fast in 16 bit", () => {
		// llama.cpp's 8-bit kernels pass a 3090's 71 TFLOP/s: 8B at 6,000 tokens/s are 96.
		const rtx3090 = {
			...h100,
			name: "RTX 3090",
			bf16DenseFlops: 71e12,
			fp8DenseFlops: null,
			bandwidthBytesPerSecond: 936e9,
		};
		const work = { phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: 512 / 6000 } as const;
		expect(fasterThanRoofline(work, llama8b, rtx3090, { gpus: 1, weights: "Q4_K_M" })).toBeNull();
		expect(
			fasterThanRoofline({ ...work, seconds: work.seconds / 1000 }, llama8b, rtx3090, { gpus: 1 }),
		).not.toBeNull();
	});
});
