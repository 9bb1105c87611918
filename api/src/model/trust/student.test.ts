import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalQuantile, powerOf, studentQuantile, studentT975 } from "./student.ts";

describe("half of a 95 % interval", () => {
	// scipy 1.17.1: stats.t.ppf(0.975, degrees)
	it.each([
		[1, 12.706205],
		[2, 4.302653],
		[3, 3.182446],
		[4, 2.776445],
		[7, 2.364624],
		[10, 2.228139],
		[30, 2.042272],
		[31, 2.039513],
		[40, 2.021075],
		[60, 2.000298],
		[120, 1.97993],
		[1000, 1.962339],
	])("%i degrees of freedom: %f", (degrees, value) => {
		expect(Math.abs(studentT975(degrees) - value)).toBeLessThan(1e-6);
	});

	it("refuses fewer than one degree", () => {
		expect(() => studentT975(0)).toThrow(new RangeError("degrees must be whole and at least 1, not 0"));
	});
});

describe("quantiles", () => {
	// NIST/SEMATECH e-Handbook, 1.3.6.7.1
	it.each([
		[0.5, 0],
		[0.8, 0.841621233573],
		[0.9, 1.281551565545],
		[0.975, 1.95996398454],
		[0.995, 2.575829303549],
		[0.025, -1.95996398454],
	])("normal, %d: %d", (share, z) => {
		expect(normalQuantile(share)).toBeCloseTo(z, 10);
	});

	// NIST/SEMATECH e-Handbook, 1.3.6.7.2
	it.each([
		[0.9, 1, 3.078],
		[0.975, 1, 12.706],
		[0.975, 2, 4.303],
		[0.95, 5, 2.015],
		[0.995, 10, 3.169],
		[0.975, 33, 2.035],
		[0.9, 100, 1.29],
		[0.025, 4, -2.776],
	])("Student's t, %d at %i degrees: %d", (share, degrees, t) => {
		expect(studentQuantile(share, degrees)).toBeCloseTo(t, 2.9);
	});

	it("agrees with the normal distribution at many degrees", () => {
		expect(studentQuantile(0.975, 1e7)).toBeCloseTo(normalQuantile(0.975), 6);
		// On both sides of the change from one series to the other.
		expect(studentQuantile(0.975, 201)).toBeLessThan(studentQuantile(0.975, 200));
		expect(studentQuantile(0.975, 200) - studentQuantile(0.975, 201)).toBeLessThan(1e-4);
	});

	it("rises with the share and falls with the degrees above the middle", () => {
		const share = fc.double({ min: 0.51, max: 0.999, noNaN: true });
		fc.assert(
			fc.property(share, share, fc.integer({ min: 1, max: 400 }), (a, b, degrees) => {
				if (a < b) expect(studentQuantile(a, degrees)).toBeLessThanOrEqual(studentQuantile(b, degrees));
				expect(studentQuantile(a, degrees + 1)).toBeLessThan(studentQuantile(a, degrees) + 1e-6);
				expect(studentQuantile(a, degrees)).toBeGreaterThan(normalQuantile(a) - 1e-6);
			}),
			{ numRuns: 50 },
		);
	});

	// scipy.stats.nct: 1 − cdf(t, 2n − 2, d·√(n/2)) + cdf(−t, …)
	it.each([
		[1, 17, 0.05, 0.8070367151],
		[1, 16, 0.05, 0.7813977899],
		[0.5, 64, 0.05, 0.8014595579],
		[2, 5, 0.05, 0.790542378],
		[0.5, 95, 0.01, 0.7994688513],
	])("power of an effect of %d with %i runs of each arm at α %d: %d", (d, n, alpha, power) => {
		expect(powerOf(d, n, alpha)).toBeCloseTo(power, 6);
	});

	it("refuses what is no share or no number of degrees", () => {
		for (const share of [0, 1, Number.NaN]) expect(() => normalQuantile(share)).toThrow(RangeError);
		expect(() => studentQuantile(0.9, 0)).toThrow(/at least 1/);
	});
});
