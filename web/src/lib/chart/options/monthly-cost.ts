import type { Evidence } from "@plimsoll/api/model";
import { format, formatCount, roundTo } from "#lib/format.ts";
import { extentOf, rateAxis, shortDollars, valueAxis } from "../axis.ts";
import type { ChartOption, Dash } from "../option.ts";
import { bandSeries, type CurvePoint, lineSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

/** Ways to have tokens, each with its own look in every chart of money. */
export type Way = "rent" | "own" | "api";

export const WAY_NAMES: Record<Way, string> = { rent: "Rented", own: "Owned", api: "Hosted model" };

const DASHES: Record<Way, Dash> = { rent: "solid", own: "dashed", api: "dotted" };
const hueOf = (way: Way, theme: ChartTheme): string =>
	({ rent: theme.time, own: theme.memory, api: theme.money })[way];

/** USD against what the horizontal axis counts, ascending, and how they are known. */
export interface WayLine {
	way: Way;
	points: CurvePoint[];
	evidence: Evidence;
}

/** The line of a way with its band. */
export function waySeries(
	{ way, points, evidence }: WayLine,
	theme: ChartTheme,
	write: (usd: number) => string,
) {
	const name = WAY_NAMES[way];
	const colour = hueOf(way, theme);
	return [
		...bandSeries(`${way}:range`, points, colour, write, `${name}, range`),
		lineSeries({ id: way, name, points, colour, write, evidence, dash: DASHES[way] }),
	];
}

interface MonthlyCostChart {
	/** USD of a month against requests of a month, ascending. */
	lines: WayLine[];
	/** Requests of a month that were asked for. */
	volume: number;
	/** Volumes at which two ways cost the same. */
	crossings: { at: number; name: string }[];
	/** Prompt and output tokens of one request. */
	tokensPerRequest: number;
	theme?: ChartTheme;
}

/** "2.63M": a large count on an axis or in a sentence. */
export function shortCount(value: number): string {
	const step = [
		[1e9, "B"],
		[1e6, "M"],
		[1e3, "K"],
	].find(([size]) => value >= 0.9995 * Number(size));
	return step ? `${roundTo(value / Number(step[0]), 3)}${step[1]}` : formatCount(roundTo(value, 3));
}

/** Money of a month as the volume grows: what is rented or owned in steps of a replica, what is hosted by the request. */
export function monthlyCostOption(chart: MonthlyCostChart): ChartOption {
	const { lines, volume, crossings, tokensPerRequest, theme = PAGE_THEME } = chart;
	const dollars = (value: number) => format(value, "USD/month").text;
	const points = lines.flatMap((line) => line.points);
	return {
		theme,
		place: (at) => `${shortCount(at)} requests, ${shortCount(at * tokensPerRequest)} tokens a month`,
		xAxis: {
			...rateAxis("Requests per month", "requests/month", extentOf(points.map(({ x }) => x))),
			write: shortCount,
		},
		yAxis: valueAxis(
			"Cost of a month",
			"USD/month",
			extentOf(points.flatMap(({ y, low, high }) => [y, low, high])),
			shortDollars,
		),
		lines: [
			{ axis: "x", at: volume, name: "asked for", colour: theme["line-strong"], width: 1 },
			...crossings.map(({ at, name }) => ({ axis: "x" as const, at, name, colour: theme.ink, width: 1.5 })),
		],
		series: lines.flatMap((line) => waySeries(line, theme, dollars)),
	};
}
