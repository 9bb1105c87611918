import { format, formatCount } from "#lib/format.ts";
import { countAxis, type Extent, extentOf, shortSeconds, valueAxis } from "../axis.ts";
import type { ChartOption, Dot, GroundArea, ScaleKind } from "../option.ts";
import {
	bandSeries,
	dotSeries,
	knownRange,
	type LawPoint,
	lawSeries,
	limitLine,
	measuredName,
	shadedRange,
} from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface TpotChart {
	/** Seconds per output token against requests in flight, with the 95 % band, ascending. */
	curve: LawPoint[];
	/** Measured at about the chosen lengths. */
	points: Dot[];
	/** What the dots were measured with that is not what is asked about; null: nothing. */
	otherwise?: string | null;
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
	const { curve, points, otherwise = null, slo, fits = null, theme = PAGE_THEME, scale = "log" } = chart;
	const range = knownRange(curve, chart.range ?? null);
	const shown = extentOf([...curve, ...points].map((p) => p.x));
	const values = [...curve.flatMap((p) => [p.y, p.low, p.high]), ...points.map((p) => p.y), slo];
	return {
		theme,
		place: (at) => `${formatCount(at)} in flight`,
		xAxis: countAxis("Requests in flight", shown),
		yAxis: valueAxis("Time per output token", "seconds/token", extentOf(values), shortSeconds, scale),
		areas: [...(range ? [shadedRange(range, "measured", theme)] : []), ...beyondMemory(fits, shown, theme)],
		lines: slo === null ? [] : [limitLine(slo, `objective ${seconds(slo)}`, theme)],
		series: [
			...bandSeries("band", curve, theme.time, seconds),
			...lawSeries({ id: "law", name: "Predicted", points: curve, colour: theme.time, write: seconds }),
			dotSeries("measured", measuredName("Measured near these lengths", otherwise), points, theme, seconds, {
				hollow: otherwise !== null,
			}),
		],
	};
}

function beyondMemory(fits: number | null, shown: Extent, theme: ChartTheme): GroundArea[] {
	if (fits === null || fits >= shown.to) return [];
	const from = Math.max(fits, shown.from);
	return [shadedRange({ from, to: shown.to }, "waits for memory", theme, theme["limit-soft"])];
}
