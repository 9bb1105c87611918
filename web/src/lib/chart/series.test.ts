import type { Evidence } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { knownRange, lawSeries } from "./series.ts";

const law = (...known: (Evidence | null)[]) =>
	known.map((evidence, i) => ({ x: i + 1, y: evidence === null ? null : i + 1, evidence }));
const drawn = (points: ReturnType<typeof law>) =>
	lawSeries({ id: "law", name: "Law", points, colour: "red", write: String }).flatMap((s) =>
		s.kind === "line" ? [{ name: s.name, dash: s.dash, xs: s.points.map(({ x }) => x) }] : [],
	);

describe("the line of a law", () => {
	it("is solid where measured, dashed beyond, dotted where estimated, and does not break between them", () => {
		expect(drawn(law("estimated", "fitted", "fitted", "extrapolated"))).toEqual([
			{ name: "Law", dash: "solid", xs: [2, 3] },
			{ name: "Law, estimated", dash: "dotted", xs: [1, 2] },
			{ name: "Law, extrapolated", dash: "dashed", xs: [3, 4] },
		]);
	});

	it("goes on over places without a value in the look that it had", () => {
		expect(drawn(law("fitted", null, "fitted"))).toEqual([{ name: "Law", dash: "solid", xs: [1, 2, 3] }]);
	});

	it("is never solid where nothing was measured", () => {
		for (const evidence of ["transferred", "estimated", "vendor", "assumed"] as const)
			expect(drawn(law(evidence, evidence)).map(({ dash }) => dash)).toEqual(["dotted"]);
	});
});

describe("the shaded range", () => {
	const range = { from: 0.5, to: 3.5 };
	it("is what was measured and is known by it", () => {
		expect(knownRange(law("fitted", "fitted", "fitted", "extrapolated"), range)).toEqual({ from: 1, to: 3 });
		expect(knownRange(law("fitted", "fitted", "fitted"), { from: 1.5, to: 9 })).toEqual({ from: 1.5, to: 3 });
	});
	it("is nowhere for a setup that nobody measured", () => {
		expect(knownRange(law("transferred", "transferred"), range)).toBeNull();
		expect(knownRange(law("fitted", "fitted"), null)).toBeNull();
		expect(knownRange(law("fitted", "estimated"), range)).toBeNull();
	});
});
