import type { Evidence } from "@plimsoll/api/model";
import { format } from "#lib/format.ts";
import { extentOf, roundLogAxis, shortDollars, shortSeconds, valueAxis } from "../axis.ts";
import type { ChartOption, Dot } from "../option.ts";
import { bandSeries, dotSeries, lineSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

/** One fleet on the frontier. */
export interface FrontierPlace {
	usdPerMonth: number;
	seconds: number;
	/** Bounds of the 95 % interval of the time; null: not bounded. */
	low: number | null;
	high: number | null;
	evidence: Evidence;
	/** Whether it is left out of what is looked at: the line runs through its place, without a dot. */
	hidden?: boolean;
}

interface FrontierChart {
	/** Cost rising, time falling. */
	places: FrontierPlace[];
	/** What the time is of: "Time to first token". */
	time: string;
	theme?: ChartTheme;
}

const KNOWN: readonly Evidence[] = ["arithmetic", "measured", "fitted"];
const dollars = (value: number) => format(value, "USD/month").text;
const seconds = (value: number) => format(value, "seconds").text;

/** Money of a month against a time: what faster costs. Fleets that nobody measured are outlines. */
export function frontierOption({ places, time, theme = PAGE_THEME }: FrontierChart): ChartOption {
	const points = places.map(
		({ usdPerMonth, seconds, low, high, evidence }): Dot => ({
			...{ x: usdPerMonth, y: seconds, low, high, evidence },
		}),
	);
	const values = points.flatMap(({ y, low, high }) => [y, low, high]);
	const x = roundLogAxis(extentOf(points.map((p) => p.x)));
	const dots = (known: boolean) =>
		points.filter(({ evidence }, i) => evidence && KNOWN.includes(evidence) === known && !places[i]?.hidden);
	return {
		theme,
		place: (at) => `${dollars(at)}`,
		xAxis: { name: "Cost of a month", unit: "USD/month", scale: "log", ...x, write: shortDollars },
		yAxis: valueAxis(time, "seconds", extentOf(values), shortSeconds),
		series: [
			...bandSeries("interval", points, theme.time, seconds),
			lineSeries({
				id: "frontier",
				name: "Nothing is both cheaper and faster",
				points,
				colour: theme.time,
				write: seconds,
				evidence: "estimated",
				dash: "dotted",
				width: 1.5,
			}),
			...[
				dotSeries("measured", "Measured or fitted", dots(true), theme, seconds),
				dotSeries("estimated", "Carried over or estimated", dots(false), theme, seconds, { hollow: true }),
			].filter((series) => series.points.length > 0),
		],
	};
}
