import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DecodeFit } from "./curves.ts";
import { describeDecode, fitDecode, predictDecode } from "./decode.ts";
import type { DecodePoint } from "./points.ts";

const point = (batch: number, context: number, seconds: number): DecodePoint => ({
	phase: "decode",
	batch,
	context,
	seconds,
	n: 1,
	betweenRuns: null,
	withinRun: null,
	measurementIds: [`${batch}x${context}`],
});

function fitted(points: DecodePoint[]): DecodeFit {
	const fit = fitDecode(points);
	if (fit === null) throw new Error("no fit");
	return fit;
}

const grid = (batches: number[], contexts: number[], law: (B: number, L: number) => number) =>
	fitted(batches.flatMap((B) => contexts.map((L) => point(B, L, law(B, L)))));

describe("a law measured without noise", () => {
	const law = (B: number, L: number) => 0.008 + 1e-4 * B + 1e-8 * B * L;
	const fit = grid([1, 4, 16], [1024, 8192, 16_384], law);

	test("is predicted between the points: 8 ms + 8 · 0.1 ms + 8 · 4,096 · 10 ns", () => {
		const { seconds, evidence, outsideBy } = predictDecode(fit, { batch: 8, context: 4096 });
		expect(seconds).toBeCloseTo(0.00912768, 7);
		expect([evidence, outsideBy]).toEqual(["fitted", 1]);
	});

	test("is extrapolated with the factor that is farthest: batch, context, or the cache read by both", () => {
		expect(predictDecode(fit, { batch: 64, context: 16_384 }).outsideBy).toBe(4);
		expect(predictDecode(fit, { batch: 1, context: 131_072 }).outsideBy).toBe(8);
		expect(predictDecode(fit, { batch: 64, context: 131_072 }).outsideBy).toBe(32);
		expect(predictDecode(fit, { batch: 64, context: 512 }).evidence).toBe("extrapolated");
	});

	test("is written out with its numbers", () => {
		const words = describeDecode(
			{ ...fit, coefficients: { c0: 0.008, c1: 1e-4, c2: 1e-8, c3: 0.002 }, g: "roofline" },
			{ batch: 8, context: 4096 },
		);
		expect(words).toBe("0.008 + 0.0001 × 8 + 1e−8 × 8 × 4,096 + 0.002 × √(1 + (8/200)²)");
	});
});

test("llama-bench rows (ggml-org/llama.cpp#13096): tg128 at 120.6 t/s, at depth 512 at 116.71 t/s", () => {
	// The mean context of tg128 at depth d is d + 64.
	const fit = fitted([point(1, 64, 1 / 120.6), point(1, 576, 1 / 116.71)]);
	expect(predictDecode(fit, { batch: 1, context: 64 }).seconds).toBeCloseTo(0.008292, 5);
	expect(predictDecode(fit, { batch: 1, context: 576 }).seconds).toBeCloseTo(0.008568, 5);
	expect(fit.notes.join()).toMatch(/one batch only/);
});

describe("the growth with the batch", () => {
	const batches = [1, 2, 4, 8, 16, 32, 64, 128, 256];
	const contexts = [512, 4096];

	test("of experts touched one by one is told from that of matrix products", () => {
		const concave = grid(batches, contexts, (B, L) => 0.004 + 0.003 * Math.log2(B) + 1e-8 * B * L);
		expect(concave.g).toBe("log2");
		expect(predictDecode(concave, { batch: 48, context: 1024 }).seconds).toBeCloseTo(
			0.004 + 0.003 * Math.log2(48) + 1e-8 * 48 * 1024,
			6,
		);
		const root = grid(batches, contexts, (B, L) => 0.004 + 0.003 * Math.sqrt(B) + 1e-8 * B * L);
		expect(root.g).toBe("sqrt");
	});

	test("of matrix products is flat up to the balance of the machine and linear beyond", () => {
		const dense = grid(batches, contexts, (B, L) => 0.01 * Math.hypot(1, B / 200) + 1e-8 * B * L);
		expect(dense.g).toBe("roofline");
		expect(predictDecode(dense, { batch: 400, context: 512 }).seconds).toBeCloseTo(
			0.01 * Math.sqrt(5) + 1e-8 * 400 * 512,
			4,
		);
	});

	test("is not asked of fewer than five batches, nor of one", () => {
		expect(grid([1, 8, 64], contexts, (B) => 0.004 + 0.003 * Math.log2(B)).g).toBe("roofline");
		expect(grid([1], contexts, () => 0.004).g).toBe("none");
	});
});

describe("what was not told apart", () => {
	test("a single batch has no work per sequence: the band is wide elsewhere and the fit says so", () => {
		const fit = grid([1], [64, 4096, 16_384], (_, L) => 0.01 + 1e-7 * L);
		const [here, there] = [8192, 1024].map((context, i) => predictDecode(fit, { batch: 1 + 7 * i, context }));
		expect((there?.high ?? 0) / (there?.seconds ?? 1)).toBeGreaterThan(
			2 * ((here?.high ?? 0) / (here?.seconds ?? 1)),
		);
		expect(fit.coefficients.c1).toBe(0);
	});

	test("a single context does not show the cache being read", () => {
		const fit = grid([1, 2, 4, 8], [512], (B) => 0.01 + 1e-4 * B);
		expect(fit.coefficients.c2).toBe(0);
		expect(fit.notes.join()).toMatch(/one context only/);
	});

	test("steps that the cache alone seems to explain still take time with an empty cache", () => {
		const fit = grid([1, 2], [10_000, 20_000], (B, L) => 1e-7 * B * L);
		expect(predictDecode(fit, { batch: 1, context: 0 }).seconds).toBeGreaterThanOrEqual(1e-5);
	});

	test("one point is a constant without a tested error", () => {
		const fit = fitted([point(1, 64, 0.01)]);
		expect(predictDecode(fit, { batch: 1, context: 64 }).seconds).toBeCloseTo(0.01, 12);
		expect(fit.loo).toBeNull();
		expect(fitDecode([])).toBeNull();
	});
});

describe("wrong arguments", () => {
	const fit = fitted([point(1, 64, 0.01)]);
	test.each([
		[{ batch: 0, context: 10 }, "batch must be a finite number above 0, not 0"],
		[{ batch: 1, context: -1 }, "context must be a finite number of at least 0, not -1"],
	])("%j", (question, message) => {
		expect(() => predictDecode(fit, question)).toThrow(new RangeError(message));
	});
	test("a context of 0 is the first token of an empty cache", () => {
		expect(predictDecode(fit, { batch: 1, context: 0 }).seconds).toBeGreaterThan(0);
	});
});

const coefficient = (least: number, most: number) =>
	fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map(Math.exp);
const series = fc
	.record({
		law: fc.record({ c0: coefficient(1e-3, 0.1), c1: coefficient(1e-6, 1e-3), c2: coefficient(1e-10, 1e-7) }),
		shapes: fc.uniqueArray(
			fc.record({ batch: fc.integer({ min: 1, max: 256 }), context: fc.integer({ min: 1, max: 65_536 }) }),
			{ minLength: 1, maxLength: 15, selector: ({ batch, context }) => `${batch}x${context}` },
		),
		noise: fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), { minLength: 15, maxLength: 15 }),
	})
	.map(({ law: { c0, c1, c2 }, shapes, noise }) =>
		shapes.map(({ batch, context }, i) =>
			point(batch, context, (c0 + c1 * batch + c2 * batch * context) * Math.exp(noise[i] ?? 0)),
		),
	);
const question = fc.record({
	batch: fc.integer({ min: 1, max: 2000 }),
	context: fc.integer({ min: 0, max: 1_000_000 }),
});

describe("whatever was measured", () => {
	test("a prediction is a finite time inside its band", () => {
		fc.assert(
			fc.property(series, question, (points, q) => {
				const { seconds, low, high } = predictDecode(fitted(points), q);
				expect(seconds).toBeGreaterThan(0);
				expect(low).toBeLessThan(seconds);
				expect(high).toBeGreaterThan(seconds);
				expect(Number.isFinite(high)).toBe(true);
			}),
		);
	});

	test("it grows with the batch and with the context", () => {
		fc.assert(
			fc.property(series, question, (points, q) => {
				const fit = fitted(points);
				const least = predictDecode(fit, q).seconds;
				expect(predictDecode(fit, { ...q, batch: q.batch + 1 }).seconds).toBeGreaterThanOrEqual(least);
				expect(predictDecode(fit, { ...q, context: 2 * q.context }).seconds).toBeGreaterThanOrEqual(least);
			}),
		);
	});

	test("ten times the seconds give ten times the prediction, in any order of the points", () => {
		fc.assert(
			fc.property(series, question, (points, q) => {
				const once = predictDecode(fitted(points), q).seconds;
				const tenfold = points.map((p) => ({ ...p, seconds: 10 * p.seconds })).reverse();
				expect(predictDecode(fitted(tenfold), q).seconds / once).toBeCloseTo(10, 3);
			}),
		);
	});

	test("the band widens with every octave outside", () => {
		fc.assert(
			fc.property(series, fc.integer({ min: 0, max: 6 }), (points, octaves) => {
				const fit = fitted(points);
				const width = (context: number) => {
					const { low, high } = predictDecode(fit, { batch: fit.range.batch[1], context });
					return high / low;
				};
				const context = fit.range.context[1] * 2 ** octaves;
				expect(width(2 * context)).toBeGreaterThanOrEqual(width(context) - 1e-9);
			}),
		);
	});
});
