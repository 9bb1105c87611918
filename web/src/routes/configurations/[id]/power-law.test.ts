import { expect, it } from "vitest";
import { powerLaw } from "./power-law.ts";

it("finds a power law again that its points follow", () => {
	const points = [1, 10, 100, 1000].map((x) => ({ x, y: 0.002 * x ** 1.47 }));
	const law = powerLaw(points);
	expect(law?.exponent).toBeCloseTo(1.47, 10);
	expect(law?.factor).toBeCloseTo(0.002, 10);
});

it("lies between where the points do not: 1, 2, 8 at 1, 2, 4 grow with exponent 1.5 (by hand)", () => {
	expect(
		powerLaw([
			{ x: 1, y: 1 },
			{ x: 2, y: 2 },
			{ x: 4, y: 8 },
		])?.exponent,
	).toBeCloseTo(1.5, 10);
});

it("says nothing about fewer than three lengths", () => {
	expect(
		powerLaw([
			{ x: 1, y: 1 },
			{ x: 2, y: 2 },
		]),
	).toBeNull();
	expect(
		powerLaw([
			{ x: 1, y: 1 },
			{ x: 1, y: 2 },
			{ x: 1, y: 3 },
		]),
	).toBeNull();
});
