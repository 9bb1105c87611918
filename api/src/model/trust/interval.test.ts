import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beyond, halfWidth, looError, quantile } from "./interval.ts";

describe("quantile", () => {
	// numpy 2.4.6: np.quantile([3, 1, 4, 1, 5, 9, 2, 6], share), its default being type 7
	test.each([
		[0, 1],
		[0.1, 1],
		[0.25, 1.75],
		[0.5, 3.5],
		[0.9, 6.9],
		[0.95, 7.95],
		[1, 9],
	])("%f of a sample of eight: %f", (share, value) => {
		expect(quantile([3, 1, 4, 1, 5, 9, 2, 6], share)).toBeCloseTo(value, 12);
	});

	test("of one value is that value, of none is unknown", () => {
		expect(quantile([7], 0.99)).toBe(7);
		expect(quantile([], 0.5)).toBeNaN();
		expect(() => quantile([1], 1.1)).toThrow(RangeError);
	});
});

describe("how far outside", () => {
	test("is a factor on either side, and 1 inside", () => {
		expect(beyond(400, [100, 200])).toBe(2);
		expect(beyond(25, [100, 200])).toBe(4);
		expect(beyond(150, [100, 200])).toBe(1);
	});

	test("lengths below one token count as one", () => {
		expect(beyond(0, [64, 128])).toBe(64);
		expect(beyond(0, [0, 128])).toBe(1);
	});
});

describe("half-width", () => {
	test("is t · √(1 + 1/n) · √(loo² + 0.5 %²) inside: 2.776 · √1.2 · √(0.03² + 0.005²) = 0.0925 for five points", () => {
		expect(halfWidth({ n: 5, loo: 0.03 }, 1)).toBeCloseTo(2.776445 * Math.sqrt(1.2) * Math.sqrt(0.000925), 6);
	});

	test("widens by 1.6 per octave: 4.2 times as wide at a factor of four", () => {
		const fit = { n: 5, loo: 0.03 };
		expect(halfWidth(fit, 4) / halfWidth(fit, 1)).toBeCloseTo(4.2, 12);
	});

	test("never falls below what clocks and other processes leave", () => {
		expect(halfWidth({ n: 100, loo: 0 }, 1)).toBeGreaterThan(0.009);
	});

	test("ends at a factor of a hundred, which says that nothing is known", () => {
		expect(Math.exp(halfWidth({ n: 2, loo: 5 }, 1000))).toBeCloseTo(100, 9);
	});

	test("falls with points and rises with the error and the distance", () => {
		const given = { n: fc.integer({ min: 1, max: 200 }), loo: fc.double({ min: 0, max: 1, noNaN: true }) };
		fc.assert(
			fc.property(fc.record(given), fc.double({ min: 1, max: 1e4, noNaN: true }), (fit, factor) => {
				const here = halfWidth(fit, factor);
				expect(here).toBeGreaterThan(0);
				expect(halfWidth({ ...fit, n: fit.n + 1 }, factor)).toBeLessThanOrEqual(here);
				expect(halfWidth({ ...fit, loo: fit.loo + 0.1 }, factor)).toBeGreaterThanOrEqual(here);
				expect(halfWidth(fit, 2 * factor)).toBeGreaterThanOrEqual(here);
			}),
		);
	});
});

describe("leave-one-out error", () => {
	test("is the root mean square: 1, 1 and 4 % give √6 %", () => {
		const misses = [0.01, -0.01, 0.04].map((log) => ({ log, factor: 1 }));
		expect(looError(misses)).toBeCloseTo(0.01 * Math.sqrt(6), 12);
	});

	test("counts an error made far outside the others as if made at a factor of five", () => {
		const near = [0.1, 0.1, 0.1].map((log) => ({ log, factor: 5 }));
		const far = near.map((miss) => ({ ...miss, factor: 80 }));
		// (1 + 1.6·log₂5) / (1 + 1.6·log₂80)
		expect((looError(far) ?? 0) / (looError(near) ?? 1)).toBeCloseTo(4.715085 / 11.115085, 5);
	});

	test("is unknown with fewer than three points, or where one cannot be predicted", () => {
		expect(looError([])).toBeNull();
		expect(looError([0.1, 0.1].map((log) => ({ log, factor: 1 })))).toBeNull();
		expect(looError([0.1, 0.1, Number.POSITIVE_INFINITY].map((log) => ({ log, factor: 1 })))).toBeNull();
	});
});
