import { counted, format } from "#lib/format.ts";
import { type Extent, extentOf, shortSeconds, tokenAxis, valueAxis } from "../axis.ts";
import type { ChartOption, ChartSeries, Dot, ScaleKind } from "../option.ts";
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

interface TtftChart {
	/** Seconds of the prefill alone on the engine against prompt tokens, with the 95 % band: what the dots measure. */
	curve: LawPoint[];
	/** Seconds to the first token under the load; empty where nothing else runs. */
	loaded?: LawPoint[];
	/** Measured prefills. */
	points: Dot[];
	/** What the dots were measured with that is not what is asked about; null: nothing. */
	otherwise?: string | null;
	/** Objective, seconds; null: none. */
	slo: number | null;
	/** Measured lengths, tokens; null: nothing was measured. */
	range: Extent | null;
	theme?: ChartTheme;
	scale?: ScaleKind;
}

const seconds = (value: number) => format(value, "seconds").text;

/** Time to first token against context: the law, its band, the measured dots, the load's wait, the objective. */
export function ttftOption(chart: TtftChart): ChartOption {
	const { curve, loaded = [], points, otherwise = null, slo, theme = PAGE_THEME, scale = "log" } = chart;
	const range = knownRange(curve, chart.range);
	const all = [...curve, ...loaded, ...points];
	const shown = extentOf(all.map((p) => p.x));
	const values = [...all.map((p) => p.y), ...curve.flatMap((p) => [p.low, p.high]), slo];
	return {
		theme,
		place: (at) => counted(at, "prompt token"),
		xAxis: tokenAxis("Prompt tokens", shown),
		yAxis: valueAxis("Time to first token", "seconds", extentOf(values), shortSeconds, scale),
		areas: range ? [{ ...shadedRange(range, "measured", theme), keyed: true }] : [],
		lines: slo === null ? [] : [limitLine(slo, `objective ${seconds(slo)}`, theme)],
		series: [
			...bandSeries(
				"band",
				curve,
				theme.time,
				seconds,
				loaded.length > 0 ? "95% interval, alone" : undefined,
			),
			// Below the law: dots over a solid line would look like a dashed one, which means something else.
			...loadedSeries(loaded, theme),
			...lawSeries({ id: "law", name: "Prefill alone", points: curve, colour: theme.time, write: seconds }),
			dotSeries("measured", measuredName("Measured", otherwise), points, theme, seconds, {
				hollow: otherwise !== null,
				toCome: chart.range !== null,
			}),
		],
	};
}

function loadedSeries(points: LawPoint[], theme: ChartTheme): ChartSeries[] {
	if (points.length === 0) return [];
	const line = { id: "loaded", name: "Under this load", points, colour: theme.ink, write: seconds };
	return lawSeries({ ...line, width: 1.75 });
}
