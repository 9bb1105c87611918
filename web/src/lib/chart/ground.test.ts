import { describe, expect, it } from "vitest";
import { endsOf, groundOf } from "./ground.ts";
import { prefillOption } from "./options/prefill.ts";
import { residualOption } from "./options/residual.ts";
import { ttftOption } from "./options/ttft.ts";

const curve = [
	{ x: 1000, y: 0.1, low: 0.09, high: 0.11 },
	{ x: 16_000, y: 3.2, low: 2.2, high: 4.7 },
];

describe("the ground of a chart", () => {
	it("has the measured range and the objective with their words", () => {
		const option = ttftOption({ curve, points: [], slo: 2, range: { from: 1000, to: 4000 } });
		const { areas, lines } = groundOf(option);
		expect(areas.map(({ axis, from, to, name }) => [axis, from, to, name])).toEqual([
			["x", 1000, 4000, "measured"],
		]);
		expect(lines).toHaveLength(1);
		expect(lines[0]).toMatchObject({ axis: "y", at: 2, colour: "var(--limit)" });
		expect(lines[0]?.name).toContain("objective");
	});

	it("has an upright line where a configuration stopped", () => {
		const option = prefillOption({
			curve,
			points: [],
			range: { from: 1000, to: 4000 },
			powerLaw: null,
			stoppedAt: 12_000,
		});
		expect(groundOf(option).lines).toEqual([
			expect.objectContaining({ axis: "x", at: 12_000, name: "stopped" }),
		]);
	});

	it("leaves a line without words unnamed", () => {
		const option = residualOption({
			groups: [{ name: "a", points: [{ x: 1000, y: 0.01 }] }],
			noise: null,
			xName: "",
		});
		expect(groundOf(option).lines).toEqual([expect.objectContaining({ axis: "y", at: 0, name: "" })]);
	});

	it("is empty where nothing is known", () => {
		const option = ttftOption({ curve, points: [], slo: null, range: null });
		expect(groundOf(option)).toEqual({ areas: [], lines: [] });
	});

	it("ends where the axes end", () => {
		const option = ttftOption({ curve, points: [], slo: null, range: null });
		const { min, max } = option.xAxis as { min: number; max: number };
		expect(endsOf(option.xAxis)).toEqual({ min, max });
		expect(min).toBeLessThanOrEqual(1000);
		expect(max).toBeGreaterThanOrEqual(16_000);
		expect(endsOf(undefined)).toEqual({ min: null, max: null });
	});
});
