import { counted, format, formatCount } from "#lib/format.ts";
import { extentOf, shortDollars, valueAxis } from "../axis.ts";
import type { ChartOption } from "../option.ts";
import { type CurvePoint, lineSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";
import { type WayLine, waySeries } from "./monthly-cost.ts";

interface OutlayChart {
	/** USD paid by the end of each month, ascending. */
	lines: WayLine[];
	/** What was paid for owned hardware less what it is still worth; empty where none is owned. */
	net: CurvePoint[];
	months: number;
	theme?: ChartTheme;
}

/** A quarter or a year between ticks: as many as have room. */
const stepOf = (months: number): number => [1, 3, 6, 12, 24].find((step) => months / step <= 7) ?? 24;

/** All that was paid by the end of each month. */
export function outlayOption({ lines, net, months, theme = PAGE_THEME }: OutlayChart): ChartOption {
	const dollars = (value: number) => format(value, "USD").text;
	const points = [...lines.flatMap((line) => line.points), ...net];
	const step = stepOf(months);
	return {
		theme,
		place: (at) => `after ${counted(at, "month")}`,
		xAxis: {
			name: "Months",
			unit: "months",
			scale: "linear",
			from: 0,
			to: months,
			ticks: Array.from({ length: Math.floor(months / step) + 1 }, (_, i) => i * step),
			write: formatCount,
		},
		yAxis: valueAxis(
			"Paid so far",
			"USD",
			extentOf(points.flatMap(({ y, low, high }) => [y, low, high])),
			shortDollars,
			"linear",
		),
		series: [
			...lines.flatMap((line) => waySeries(line, theme, dollars)),
			...(net.length === 0
				? []
				: [
						lineSeries({
							id: "net",
							name: "Owned, less what it is still worth",
							points: net,
							colour: theme.memory,
							write: dollars,
							evidence: lines.find(({ way }) => way === "own")?.evidence ?? "assumed",
							width: 1.25,
						}),
					]),
		],
	};
}
