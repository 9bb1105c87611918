import { counted, format } from "#lib/format.ts";
import { type Extent, extentOf, shortSeconds, tokenAxis, valueAxis } from "../axis.ts";
import type { ChartOption, Dot, GroundLine, ScaleKind } from "../option.ts";
import {
	bandSeries,
	type CurvePoint,
	dotSeries,
	knownRange,
	type LawPoint,
	lawSeries,
	limitLine,
	lineSeries,
	shadedRange,
} from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface PrefillChart {
	/** Seconds of one cold prompt against its tokens, with the 95 % band. */
	curve: LawPoint[];
	/** Measured prompts: one sequence, nothing cached. */
	points: Dot[];
	range: Extent;
	/** A power law through the same points, for comparison; null: too few points for one. */
	powerLaw: { exponent: number; points: CurvePoint[] } | null;
	/** Length at which it stopped, tokens, e.g. out of memory. */
	stoppedAt?: number | null;
	theme?: ChartTheme;
	scale?: ScaleKind;
}

const seconds = (value: number) => format(value, "seconds").text;

/** The prefill law of a configuration with what it was fitted to; a power law stands beside it, faintly. */
export function prefillOption({
	curve,
	points,
	range,
	powerLaw,
	stoppedAt = null,
	theme = PAGE_THEME,
	scale = "log",
}: PrefillChart): ChartOption {
	const shown = extentOf([...curve.map((p) => p.x), ...points.map((p) => p.x), stoppedAt]);
	const known = knownRange(curve, range);
	const values = extentOf([...curve.flatMap((p) => [p.low, p.high]), ...points.map((p) => p.y)]);
	return {
		theme,
		place: (at) => counted(at, "token"),
		xAxis: tokenAxis("Prompt tokens", shown),
		yAxis: valueAxis("Prefill time", "seconds", values, shortSeconds, scale),
		areas: known ? [shadedRange(known, "measured", theme)] : [],
		lines: stoppedAt === null ? [] : [stopLine(stoppedAt, theme)],
		series: [
			...bandSeries("band", curve, theme.time, seconds),
			...(powerLaw
				? [
						lineSeries({
							id: "power",
							name: `Power law, s^${powerLaw.exponent.toFixed(2)}`,
							points: powerLaw.points,
							colour: theme["ink-soft"],
							write: seconds,
							evidence: "fitted",
							dash: "dotted",
							width: 1.5,
						}),
					]
				: []),
			...lawSeries({ id: "law", name: "Fitted law", points: curve, colour: theme.time, write: seconds }),
			dotSeries("measured", "Measured", points, theme, seconds),
		],
	};
}

const stopLine = (at: number, theme: ChartTheme): GroundLine => ({
	...limitLine(at, "stopped", theme),
	axis: "x",
});
