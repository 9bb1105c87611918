import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PrefillFit } from "./curves.ts";
import type { PrefillPoint } from "./points.ts";
import { describePrefill, fitPrefill, powerLawExponent, predictPrefill } from "./prefill.ts";

const point = (tokens: number, seconds: number, cached = 0, batch = 1): PrefillPoint => ({
	phase: "prefill",
	tokens,
	cached,
	batch,
	seconds,
	n: 1,
	betweenRuns: null,
	withinRun: null,
	measurementIds: [`${tokens}+${cached}x${batch}`],
});

function fitted(points: PrefillPoint[], shape?: { a: number; b: number }): PrefillFit {
	const fit = fitPrefill(points, shape);
	if (fit === null) throw new Error("no fit");
	return fit;
}

describe("Llama3 405B on 128 H100 (arXiv 2411.01783): 3.8 s at 128K and 77 s at 1M", () => {
	const [at128K, at1M] = [
		{ tokens: 128_000, seconds: 3.8 },
		{ tokens: 1_000_000, seconds: 77 },
	];
	const fit = fitted([at128K, at1M].map((p) => point(p.tokens, p.seconds)));

	test("give a and b through the origin", () => {
		// b = (77 − 3.8·7.8125) / (10¹² − 128000·10⁶), a = 3.8/128000 − b·128000
		const b = (77 - 3.8 * 7.8125) / (1e12 - 128_000 * 1e6);
		expect(fit.form).toBe("a·u + b·v");
		expect(fit.coefficients.b / b).toBeCloseTo(1, 6);
		expect(fit.coefficients.a / (3.8 / 128_000 - b * 128_000)).toBeCloseTo(1, 6);
		expect(predictPrefill(fit, at1M).seconds).toBeCloseTo(77, 6);
	});

	test("make a power law of exponent 1.464", () => {
		expect(powerLawExponent(at128K, at1M)).toBeCloseTo(1.464, 3);
	});

	test("cost 7.8 times the money, linear in tokens, and 20.3 times the time", () => {
		const time = predictPrefill(fit, at1M).seconds / predictPrefill(fit, at128K).seconds;
		expect(at1M.tokens / at128K.tokens).toBeCloseTo(7.8, 1);
		expect(time).toBeCloseTo(20.3, 1);
	});
});

test("the same paper on 8 H100: 1.740 s at 8,192 and 7.658 s at 32,768 predict 42.010 s at 131,072 within 1 %", () => {
	const prediction = predictPrefill(fitted([point(8192, 1.74), point(32_768, 7.658)]), { tokens: 131_072 });
	expect(Math.abs(prediction.seconds / 42.01 - 1)).toBeLessThan(0.01);
	expect(prediction.evidence).toBe("extrapolated");
	expect(prediction.outsideBy).toBe(4);
	expect(prediction.low).toBeLessThan(42.01);
	expect(prediction.high).toBeGreaterThan(42.01);
});

describe("depth rows (ggml-org/llama.cpp#13096: pp512 at 7340.2 t/s, pp512 @ d512 at 6425.91 t/s)", () => {
	const fit = fitted([point(512, 512 / 7340.2), point(512, 512 / 6425.91, 512)]);

	test("are the time of tokens 513 to 1024: the prompt of 1,024 takes 69.75 + 79.68 = 149.43 ms", () => {
		expect(fit.form).toBe("chunks of one size");
		expect(fit.chunkTokens).toBe(512);
		expect(predictPrefill(fit, { tokens: 512 }).seconds).toBeCloseTo(0.06975, 5);
		expect(predictPrefill(fit, { tokens: 1024 }).seconds).toBeCloseTo(0.14943, 5);
		expect(predictPrefill(fit, { tokens: 512, cached: 512 }).seconds).toBeCloseTo(0.07968, 5);
	});

	test("identify a = 0.12654 ms/token and b = 1.893e-5 ms/token²", () => {
		expect(fit.coefficients.a).toBeCloseTo(1.2654e-4, 7);
		expect(fit.coefficients.b / 1.893e-8).toBeCloseTo(1, 2);
	});

	test("that do not touch compose too: chunks at 0, 2048 and 4096 of a·s + b·s² give it back", () => {
		const law = (s: number) => 2e-4 * s + 3e-9 * s * s;
		const rows = [0, 2048, 4096].map((d) => point(512, law(d + 512) - law(d), d));
		const composed = predictPrefill(fitted(rows), { tokens: 4096 }).seconds;
		expect(composed / law(4096)).toBeCloseTo(1, 3);
	});
});

test("rising then falling speed (ik_llama.cpp issue 263) is met within 4 % and 6,144 tokens come to 20.15 s ± 3 %", () => {
	const speeds: [number, number][] = [
		[512, 237.92],
		[1024, 304.37],
		[2048, 347.09],
		[4096, 323.48],
		[8192, 283.28],
	];
	const fit = fitted(speeds.map(([tokens, rate]) => point(tokens, tokens / rate)));
	expect(Math.abs(fit.coefficients.a / 0.00218 - 1)).toBeLessThan(0.06);
	expect(Math.abs(fit.coefficients.b / 1.52e-7 - 1)).toBeLessThan(0.1);
	expect(Math.max(...fit.residuals.map((r) => Math.abs(r.log)))).toBeLessThan(0.04);
	expect(Math.abs(predictPrefill(fit, { tokens: 6144 }).seconds / 20.15 - 1)).toBeLessThan(0.03);
});

describe("a floor up to a knee", () => {
	const law = (s: number) => 0.05 + 1e-4 * Math.max(0, s - 400) + 1e-9 * s * s;
	const fit = fitted([128, 256, 512, 1024, 2048, 4096, 8192].map((s) => point(s, law(s))));

	test("is found from five sizes on", () => {
		expect(fit.form).toBe("f + a·max(0, u − k) + b·v");
		expect(Math.abs(fit.coefficients.k / 400 - 1)).toBeLessThan(0.06);
		expect(Math.abs(fit.coefficients.f / 0.05 - 1)).toBeLessThan(0.02);
		expect(Math.abs(predictPrefill(fit, { tokens: 16_384 }).seconds / law(16_384) - 1)).toBeLessThan(0.01);
	});

	test("holds seconds per token from rising with the size: f ≥ a·k", () => {
		const { f, a, k } = fit.coefficients;
		expect(f).toBeGreaterThanOrEqual(a * k);
	});
});

describe("few sizes", () => {
	test("one takes the shape of a given law", () => {
		const fit = fitted([point(1000, 3)], { a: 1e-3, b: 1e-6 });
		// a·(1000 + 10⁻³·10⁶) = 3
		expect(fit.coefficients.a).toBeCloseTo(1.5e-3, 12);
		expect(fit.coefficients.b).toBeCloseTo(1.5e-6, 15);
		expect(fit.evidence).toBe("transferred");
		expect(fit.loo).toBeNull();
	});

	test("one without a shape takes the typical share of attention, says so and is an estimate", () => {
		const fit = fitted([point(2048, 0.4)]);
		expect(fit.coefficients.b / fit.coefficients.a).toBeCloseTo(1.5e-5, 12);
		expect(predictPrefill(fit, { tokens: 2048 }).seconds).toBeCloseTo(0.4, 12);
		expect(fit.evidence).toBe("estimated");
		expect(fit.notes.join()).toMatch(/one length only/);
		expect(predictPrefill(fit, { tokens: 4096 }).evidence).toBe("estimated");
	});

	test("as many tokens in one prompt as in a batch are one size, not chunks", () => {
		const fit = fitted([point(512, 0.1), point(128, 0.09, 0, 4)]);
		expect(fit.form).toBe("roofline shape, scaled");
		// Through the measured prompt, then a little over twice of it.
		expect(predictPrefill(fit, { tokens: 512 }).seconds).toBeCloseTo(0.1, 12);
		expect(predictPrefill(fit, { tokens: 1024 }).seconds).toBeCloseTo(0.2, 2);
	});

	test("two between which time grows slower than the size show a floor", () => {
		// Llama-2-70B on H100, TP8 (Splitwise): 53.4 ms at 512 tokens, 77.9 ms at 1,024, 136.8 ms at 2,048.
		const fit = fitted([point(512, 0.0534), point(1024, 0.0779)]);
		expect(fit.form).toBe("f + a·u + b·v");
		expect(fit.coefficients.f).toBeGreaterThan(0.02);
		expect(Math.abs(predictPrefill(fit, { tokens: 2048 }).seconds / 0.1368 - 1)).toBeLessThan(0.1);
	});

	test("three and four have a floor without a knee", () => {
		const law = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;
		for (const lengths of [
			[1024, 4096, 16_384],
			[1024, 4096, 8192, 16_384],
		]) {
			const fit = fitted(lengths.map((s) => point(s, law(s))));
			expect(fit.form).toBe("f + a·u + b·v");
			expect(fit.coefficients.f).toBeCloseTo(0.02, 3);
		}
	});

	test("none give no fit", () => {
		expect(fitPrefill([])).toBeNull();
	});
});

describe("a law measured without noise", () => {
	const law = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;
	const fit = fitted([512, 1024, 2048, 4096, 8192, 16_384, 32_768].map((s) => point(s, law(s))));

	test("is predicted inside, at twice the longest length and with a cached prefix", () => {
		const near = (got: number, want: number) => expect(got / want).toBeCloseTo(1, 4);
		near(predictPrefill(fit, { tokens: 10_000 }).seconds, law(10_000));
		near(predictPrefill(fit, { tokens: 65_536 }).seconds, law(65_536));
		const cached = 0.02 + 1e-4 * 2048 + 2e-9 * (10_240 ** 2 - 8192 ** 2);
		near(predictPrefill(fit, { tokens: 2048, cached: 8192 }).seconds, cached);
		// Two prompts side by side: the floor once, everything else twice.
		near(predictPrefill(fit, { tokens: 4096, batch: 2 }).seconds, 0.02 + 2 * (law(4096) - 0.02));
	});

	test("is fitted inside, extrapolated outside with the factor, and the band widens", () => {
		const [inside, outside] = [
			predictPrefill(fit, { tokens: 10_000 }),
			predictPrefill(fit, { tokens: 65_536 }),
		];
		expect([inside.evidence, inside.outsideBy]).toEqual(["fitted", 1]);
		expect([outside.evidence, outside.outsideBy]).toEqual(["extrapolated", 2]);
		expect(outside.high / outside.low).toBeGreaterThan(inside.high / inside.low);
		expect(predictPrefill(fit, { tokens: 256 }).outsideBy).toBe(2);
	});

	test("is written out with its numbers", () => {
		expect(describePrefill(fit, { tokens: 10_000 })).toBe("0.02 + 0.0001 × 10,000 + 2e−9 × 100,000,000");
		expect(describePrefill(fit, { tokens: 2000, cached: 3000, batch: 2 })).toBe(
			"0.02 + 0.0001 × 4,000 + 2e−9 × 32,000,000",
		);
	});

	test("lists its measurements, its points and no noise", () => {
		expect(fit.n).toBe(7);
		expect(fit.measurementIds).toContain("4096+0x1");
		expect(fit.noise).toBeNull();
	});
});

test("a curve passes through its measured points, steps and all", () => {
	const points = [
		[512, 0.11],
		[1024, 0.19],
		[2048, 0.43],
		[4096, 0.8],
		[8192, 1.9],
	].map(([tokens = 0, seconds = 0]) => point(tokens, seconds));
	const fit = fitted(points);
	for (const { tokens, seconds } of points)
		expect(predictPrefill(fit, { tokens }).seconds).toBeCloseTo(seconds, 10);
	const justBeyond = predictPrefill(fit, { tokens: 8193 }).seconds;
	expect(Math.abs(justBeyond / 1.9 - 1)).toBeLessThan(1e-3);
});

test("shorter than the shortest length may take as long as that, where no floor is known", () => {
	const fit = fitted([point(1024, 0.2), point(4096, 0.9)]);
	const short = predictPrefill(fit, { tokens: 64 });
	expect(short.seconds).toBeLessThan(0.02);
	expect(short.high).toBeGreaterThanOrEqual(0.2);
});

describe("wrong arguments", () => {
	const fit = fitted([point(512, 0.1), point(1024, 0.3)]);
	test.each([
		[{ tokens: 0 }, "tokens must be a finite number above 0, not 0"],
		[{ tokens: Number.NaN }, "tokens must be a finite number above 0, not NaN"],
		[{ tokens: 10, cached: -1 }, "cached must be a finite number of at least 0, not -1"],
		[{ tokens: 10, batch: Number.POSITIVE_INFINITY }, "batch must be a finite number above 0, not Infinity"],
	])("%j", (question, message) => {
		expect(() => predictPrefill(fit, question)).toThrow(new RangeError(message));
	});
	test("a time of 0 is no measurement", () => {
		expect(() => fitPrefill([point(512, 0)])).toThrow(
			new RangeError("seconds must be a finite number above 0, not 0"),
		);
	});
});

const coefficient = (least: number, most: number) =>
	fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map(Math.exp);
const laws = fc.record({
	a: coefficient(1e-6, 1e-2),
	share: coefficient(1e-7, 2e-4),
	floor: fc.oneof(fc.constant(0), coefficient(1, 1000)),
});
const lengths = fc
	.uniqueArray(fc.integer({ min: 64, max: 100_000 }), { minLength: 1, maxLength: 9 })
	.map((list) => list.sort((x, y) => x - y));
const series = fc
	.record({
		law: laws,
		lengths,
		noise: fc.array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), { minLength: 9, maxLength: 9 }),
	})
	.map(({ law: { a, share, floor }, lengths, noise }) =>
		lengths.map((s, i) => point(s, a * (floor + s + share * s * s) * Math.exp(noise[i] ?? 0))),
	);
const exact = fc
	.record({ law: laws, lengths })
	.map(({ law: { a, share, floor }, lengths }) =>
		lengths.map((s) => point(s, a * (floor + s + share * s * s))),
	);
const question = fc.record({
	tokens: fc.integer({ min: 1, max: 1_000_000 }),
	cached: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000 })),
	batch: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 64 })),
});

describe("whatever was measured", () => {
	test("a prediction is a finite time inside its band", () => {
		fc.assert(
			fc.property(series, question, (points, q) => {
				const { seconds, low, high, outsideBy } = predictPrefill(fitted(points), q);
				expect(seconds).toBeGreaterThan(0);
				expect(Number.isFinite(high)).toBe(true);
				expect(low).toBeLessThan(seconds);
				expect(high).toBeGreaterThan(seconds);
				expect(outsideBy).toBeGreaterThanOrEqual(1);
			}),
		);
	});

	test("ten times the seconds give ten times the prediction", () => {
		fc.assert(
			fc.property(series, question, (points, q) => {
				const once = predictPrefill(fitted(points), q);
				const tenfold = predictPrefill(fitted(points.map((p) => ({ ...p, seconds: 10 * p.seconds }))), q);
				// Two lengths side by side, asked for a hundred thousand times less, leave four digits of sixteen.
				expect(tenfold.seconds / once.seconds).toBeCloseTo(10, 3);
				expect(tenfold.high / once.high).toBeCloseTo(10, 3);
			}),
		);
	});

	test("the order of the points does not matter", () => {
		fc.assert(
			fc.property(series, question, (points, q) => {
				const [forth, back] = [fitted(points), fitted([...points].reverse())];
				expect(predictPrefill(back, q).seconds / predictPrefill(forth, q).seconds).toBeCloseTo(1, 5);
			}),
		);
	});

	test("the band widens with every octave outside", () => {
		fc.assert(
			fc.property(series, fc.integer({ min: 0, max: 6 }), (points, octaves) => {
				const fit = fitted(points);
				const width = (tokens: number) => {
					const { low, high } = predictPrefill(fit, { tokens });
					return high / low;
				};
				const outside = fit.range.to * 2 ** octaves;
				expect(width(2 * outside)).toBeGreaterThanOrEqual(width(outside) - 1e-9);
			}),
		);
	});
});

describe("a law without noise", () => {
	test("grows with tokens, with cached tokens and with the batch", () => {
		fc.assert(
			fc.property(exact, question, (points, q) => {
				const fit = fitted(points);
				const least = predictPrefill(fit, q).seconds * (1 - 1e-9);
				expect(predictPrefill(fit, { ...q, tokens: q.tokens * 1.5 }).seconds).toBeGreaterThanOrEqual(least);
				expect(predictPrefill(fit, { ...q, batch: q.batch + 1 }).seconds).toBeGreaterThanOrEqual(least);
				if (q.cached > 0)
					expect(predictPrefill(fit, { ...q, cached: 2 * q.cached }).seconds).toBeGreaterThanOrEqual(least);
			}),
		);
	});

	test("telescopes where nothing is lost to a floor: chunks sum up to the whole", () => {
		fc.assert(
			fc.property(
				coefficient(1e-6, 1e-2),
				coefficient(1e-7, 2e-4),
				fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 2, maxLength: 8 }),
				(a, share, chunks) => {
					const fit = fitted([1000, 30_000].map((s) => point(s, a * (s + share * s * s))));
					let cached = 0;
					let sum = 0;
					for (const tokens of chunks) {
						sum += predictPrefill(fit, { tokens, cached }).seconds;
						cached += tokens;
					}
					expect(sum / predictPrefill(fit, { tokens: cached }).seconds).toBeCloseTo(1, 5);
				},
			),
		);
	});
});
