import { describe, expect, it } from "vitest";
import { groundOf, unnamedOf } from "./ground.ts";
import { boxOfWords, meets, overlap } from "./labels.ts";
import type { ChartOption, ChartSeries } from "./option.ts";
import { prefillOption } from "./options/prefill.ts";
import { residualOption } from "./options/residual.ts";
import { ttftOption } from "./options/ttft.ts";
import { plotOf } from "./plot.ts";
import { PAGE_THEME } from "./theme.ts";

const curve = [
	{ x: 1000, y: 0.1, low: 0.09, high: 0.11, evidence: "fitted" as const },
	{ x: 4000, y: 0.5, low: 0.4, high: 0.6, evidence: "fitted" as const },
	{ x: 16_000, y: 3.2, low: 2.2, high: 4.7, evidence: "extrapolated" as const },
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
	const axis = { name: "", unit: "", scale: "log", from: 1, to: 100, ticks: [], write: String } as const;
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

	it("has no name where that has no room, and is in the key then", () => {
		const area = { axis: "x", from: 1, to: 10, ...look } as const;
		const named = (name: string) => {
			const ground = groundOf(option({ areas: [{ ...area, name }] }), plotOf(option({}), 224, 178));
			return { here: ground.areas[0]?.name.at, key: unnamedOf(ground).map((one) => one.name.text) };
		};
		// Seven pixels a letter: fourteen are 98 of the 100 there are.
		expect(named("fourteen chars")).toMatchObject({ here: { anchor: "middle" }, key: [] });
		expect(named("fifteen letters")).toEqual({ here: null, key: ["fifteen letters"] });
	});

	it("has its names where no curve, dot, limit or other name is", () => {
		const curve: ChartSeries = {
			kind: "line",
			evidence: "fitted",
			...{ id: "l", name: "l", colour: "red", width: 2, opacity: 1, write: String },
			dash: "solid",
			points: [1, 2, 5, 10, 20, 50, 100].map((x) => ({ x, y: x })),
		};
		const crowded = option({
			series: [curve],
			areas: [{ axis: "x", from: 1, to: 10, name: "measured", ...look }],
			lines: [50, 60].map((at) => ({ axis: "y", at, name: `goal ${at}`, colour: "red", width: 1 })),
		});
		const plot = plotOf(crowded, 524, 278);
		const { areas, lines, obstacles } = groundOf(crowded, plot);
		const boxes = [...areas, ...lines].flatMap(({ name }) =>
			name.at ? [boxOfWords(name.text, name.at)] : [],
		);
		expect(boxes.length).toBeGreaterThanOrEqual(2);
		for (const [i, box] of boxes.entries()) {
			expect(obstacles.lines.some((line) => overlap(box, line))).toBe(false);
			expect(boxes.some((other, j) => j !== i && overlap(box, other))).toBe(false);
			const [path = []] = obstacles.curves;
			expect(path.some((at, j) => j > 0 && meets(path[j - 1] ?? at, at, box))).toBe(false);
		}
	});
});
