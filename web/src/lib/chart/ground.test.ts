import { describe, expect, it } from "vitest";
import { groundOf } from "./ground.ts";
import type { ChartOption } from "./option.ts";
import { prefillOption } from "./options/prefill.ts";
import { residualOption } from "./options/residual.ts";
import { ttftOption } from "./options/ttft.ts";
import { plotOf } from "./plot.ts";
import { PAGE_THEME } from "./theme.ts";

const curve = [
	{ x: 1000, y: 0.1, low: 0.09, high: 0.11 },
	{ x: 16_000, y: 3.2, low: 2.2, high: 4.7 },
];
function groundIn(option: ChartOption) {
	const { areas, lines } = groundOf(option, plotOf(option, 400, 200));
	return [...areas, ...lines];
}

describe("the ground of a chart", () => {
	it("has the measured range and the objective with their words", () => {
		const option = ttftOption({ curve, points: [], slo: 2, range: { from: 1000, to: 4000 } });
		const [range, objective] = groundIn(option);
		expect(range?.name?.text).toBe("measured");
		expect(objective).toMatchObject({ colour: "var(--limit)", box: { height: 1.5 } });
		expect(objective?.name?.text).toContain("objective");
	});

	it("has an upright line where a configuration stopped", () => {
		const option = prefillOption({
			curve,
			points: [],
			range: { from: 1000, to: 4000 },
			powerLaw: null,
			stoppedAt: 12_000,
		});
		const stopped = groundIn(option).at(-1);
		expect(stopped?.name?.text).toBe("stopped");
		expect(stopped?.box.width).toBe(1.5);
	});

	it("leaves a line without words unnamed", () => {
		const option = residualOption({
			groups: [{ name: "a", points: [{ x: 1000, y: 0.01 }] }],
			noise: null,
			xName: "",
		});
		expect(groundIn(option).map(({ name }) => name?.text)).toEqual([""]);
	});

	it("is empty where nothing is known", () => {
		expect(groundIn(ttftOption({ curve, points: [], slo: null, range: null }))).toEqual([]);
	});
});

describe("what lies on the ground", () => {
	const axis = { name: "", scale: "log", from: 1, to: 100, ticks: [], write: String } as const;
	const look = { colour: "red", opacity: 1 };
	// No ticks, so the plot begins 8 pixels from the left; 16 are left at the right, 32 above and 46 below.
	const option = (parts: Partial<ChartOption>): ChartOption => ({
		...{ xAxis: axis, yAxis: axis, series: [], place: String, theme: PAGE_THEME },
		...parts,
	});
	function boxes(parts: Partial<ChartOption>) {
		const { areas, lines } = groundOf(option(parts), plotOf(option(parts), 224, 178));
		return [...areas, ...lines].map(({ box }) => box);
	}

	it("lies at its pixels: 1 to 100 are 200 pixels across, 100 up", () => {
		expect(boxes({ areas: [{ axis: "x", from: 1, to: 10, name: "", ...look }] })).toEqual([
			{ x: 8, y: 32, width: 100, height: 100 },
		]);
		expect(boxes({ lines: [{ axis: "y", at: 10, name: "", colour: "red", width: 2 }] })).toEqual([
			{ x: 8, y: 81, width: 200, height: 2 },
		]);
	});

	it("is cut at the plot's edges, and left out beyond them", () => {
		expect(boxes({ areas: [{ axis: "x", from: 10, to: 1e6, name: "", ...look }] })).toEqual([
			{ x: 108, y: 32, width: 100, height: 100 },
		]);
		expect(boxes({ areas: [{ axis: "x", from: 1e3, to: 1e6, name: "", ...look }] })).toEqual([]);
		expect(boxes({ lines: [{ axis: "y", at: 1e3, name: "", colour: "red", width: 2 }] })).toEqual([]);
	});

	it("has no name where that has no room", () => {
		const area = { axis: "x", from: 1, to: 10, ...look } as const;
		const named = option({
			areas: [
				{ ...area, name: "fourteen chars" },
				{ ...area, name: "fifteen letters" },
			],
		});
		const names = groundOf(named, plotOf(named, 224, 178)).areas.map(({ name }) => name?.text ?? null);
		// Seven pixels a letter: fourteen are 98 of the 100 there are.
		expect(names).toEqual(["fourteen chars", null]);
	});
});
