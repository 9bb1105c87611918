import type { Evidence } from "@plimsoll/api/model";
import { counted, format } from "#lib/format.ts";
import { type Extent, extentOf, shortDollars, tokenAxis, valueAxis } from "../axis.ts";
import type { ChartOption, ScaleKind } from "../option.ts";
import { type CurvePoint, lawSeries, lineSeries, promptsMeasured } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

/** One price against context, in one unit with the others of its chart. */
interface CostLine {
	id: string;
	name: string;
	/** Dollars against prompt tokens, ascending. */
	points: CurvePoint[];
}

interface CostChart {
	/** At most three: each has its own dash. */
	lines: CostLine[];
	/** How they are known. */
	evidence?: Evidence;
	unit: "USD/request" | "USD/million tokens";
	/** Lengths whose prompts were measured, tokens: where the chart beside it is sure. null: not shown. */
	prompts?: Extent | null;
	theme?: ChartTheme;
	scale?: ScaleKind;
}

const DASHES = ["solid", "dashed", "dotted"] as const;
const NAMES = { "USD/million tokens": "Cost per million tokens", "USD/request": "Cost per request" };

/** Money against context. */
export function costOption(chart: CostChart): ChartOption {
	const { lines, evidence = "arithmetic", unit, prompts = null, theme = PAGE_THEME, scale = "log" } = chart;
	const dollars = (value: number) => format(value, unit).text;
	const points = lines.flatMap((line) => line.points);
	const shown = extentOf(points.map((p) => p.x));
	const values = extentOf(points.map((p) => p.y));
	return {
		theme,
		place: (at) => counted(at, "prompt token"),
		xAxis: tokenAxis("Prompt tokens", shown),
		yAxis: valueAxis(NAMES[unit], unit, values, shortDollars, scale),
		areas: promptsMeasured(prompts, theme),
		series: lines.flatMap((line, i) => {
			const look = { ...line, colour: theme.money, write: dollars, evidence };
			if (lines.length > 1) return [lineSeries({ ...look, dash: DASHES[i % DASHES.length] ?? "solid" })];
			return lawSeries({ ...look, points: line.points.map((point) => ({ ...point, evidence })) });
		}),
	};
}
