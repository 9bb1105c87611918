import { format, formatCount } from "#lib/format.ts";
import { countAxis, type Extent, extentOf, shortSeconds, valueAxis } from "../axis.ts";
import type { ChartOption, GroundArea, ScaleKind } from "../option.ts";
import {
	bandSeries,
	type CurvePoint,
	type Dot,
	dotSeries,
	lawSeries,
	limitLine,
	shadedRange,
} from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface TpotChart {
	/** Seconds per output token against requests in flight, with the 95 % band, ascending. */
	curve: CurvePoint[];
	/** Measured at about the chosen lengths. */
	points: Dot[];
	/** Objective, seconds; null: none. */
	slo: number | null;
	/** Measured requests in flight; null: nothing was measured. */
	range?: Extent | null;
	/** Most sequences that memory holds; null: unknown. */
	fits?: number | null;
	theme?: ChartTheme;
	scale?: ScaleKind;
}

const seconds = (value: number) => format(value, "seconds").text;

/** Time per output token against requests in flight; beyond what memory holds the ground is shaded. */
export function tpotOption(chart: TpotChart): ChartOption {
	const { curve, points, slo, range = null, fits = null, theme = PAGE_THEME, scale = "log" } = chart;
	const shown = extentOf([...curve, ...points].map((p) => p.x));
	const values = [...curve.flatMap((p) => [p.y, p.low, p.high]), ...points.map((p) => p.y), slo];
	return {
		theme,
		place: (at) => `${formatCount(at)} in flight`,
		xAxis: countAxis("Requests in flight", shown),
		yAxis: valueAxis("Time per output token", extentOf(values), shortSeconds, scale),
		areas: [...(range ? [shadedRange(range, "measured", theme)] : []), ...beyondMemory(fits, shown, theme)],
		lines: slo === null ? [] : [limitLine(slo, `objective ${seconds(slo)}`, theme)],
		series: [
			...bandSeries("band", curve, theme.time, seconds),
			...lawSeries(
				{ id: "law", name: "Predicted", points: curve, colour: theme.time, write: seconds },
				range,
			),
			dotSeries("measured", "Measured near these lengths", points, theme, seconds),
		],
	};
}

function beyondMemory(fits: number | null, shown: Extent, theme: ChartTheme): GroundArea[] {
	if (fits === null || fits >= shown.to) return [];
	const from = Math.max(fits, shown.from);
	return [shadedRange({ from, to: shown.to }, "waits for memory", theme, theme["limit-soft"])];
}
