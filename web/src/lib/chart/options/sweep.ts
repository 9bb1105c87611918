import type { Evidence, Sweep } from "@plimsoll/api/model";
import { counted, format, formatSignificant, roundTo } from "#lib/format.ts";
import { countAxis, extentOf, rateAxis, shortSeconds, valueAxis } from "../axis.ts";
import type { ChartOption, GroundArea } from "../option.ts";
import { limitLine, lineSeries, shadedRange } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface SweepChart {
	sweep: Sweep;
	/** How the simulated figures are known. */
	evidence: Evidence;
	/** Longest time that is good, seconds; null: not limited. */
	slo?: number | null;
	theme?: ChartTheme;
}

const seconds = (value: number) => format(value, "seconds").text;
const rate = (value: number) => `${formatSignificant(value)} requests/s`;
/** A rate on an axis, without idle digits. */
const plain = (value: number) => String(roundTo(value, 3));

const placeOf = ({ of }: Sweep) =>
	of === "rate" ? (at: number) => `${rate(at)} offered` : (at: number) => counted(at, "user");

function loadAxis({ of, points }: Sweep) {
	const shown = extentOf(points.map(({ load }) => load));
	return of === "rate"
		? rateAxis("Requests per second offered", "requests/s", shown)
		: countAxis("Users", shown, "users");
}

/** Loads from the saturation on. */
function beyond({ saturation, points }: Sweep, theme: ChartTheme): GroundArea[] {
	const last = points.at(-1)?.load ?? 0;
	if (saturation === null || saturation >= last) return [];
	return [shadedRange({ from: saturation, to: last }, "saturated", theme, theme["limit-soft"])];
}

/** Median and 99 % of a time as the load grows. */
export function sweepTimeOption(
	time: "ttft" | "tpot",
	{ sweep, evidence, slo = null, theme = PAGE_THEME }: SweepChart,
): ChartOption {
	const curve = (share: "p50" | "p99") =>
		sweep.points.map(({ load, outcome }) => ({ x: load, y: outcome[time]?.[share] ?? null }));
	const values = [...curve("p50"), ...curve("p99")].map((p) => p.y);
	return {
		theme,
		place: placeOf(sweep),
		xAxis: loadAxis(sweep),
		yAxis: valueAxis(
			time === "ttft" ? "Time to first token" : "Time per output token",
			time === "ttft" ? "seconds" : "seconds/token",
			extentOf([...values, slo]),
			shortSeconds,
		),
		areas: beyond(sweep, theme),
		lines: slo === null ? [] : [limitLine(slo, `objective ${seconds(slo)}`, theme)],
		series: [
			lineSeries({
				...{ id: "p99", name: "99%", points: curve("p99"), colour: theme.time, write: seconds, evidence },
			}),
			lineSeries({
				id: "p50",
				name: "Median",
				points: curve("p50"),
				colour: theme.time,
				write: seconds,
				evidence,
				dash: "dotted",
			}),
		],
	};
}

/** Requests served, and those within the objectives, as the load grows. */
export function sweepServedOption({ sweep, evidence, theme = PAGE_THEME }: SweepChart): ChartOption {
	const curve = (of: (outcome: Sweep["points"][number]["outcome"]) => number) =>
		sweep.points.map(({ load, outcome }) => ({ x: load, y: of(outcome) }));
	const served = curve((outcome) => outcome.requestsPerSecond);
	const good = curve((outcome) => outcome.goodput.requestsPerSecond);
	return {
		theme,
		place: placeOf(sweep),
		xAxis: loadAxis(sweep),
		yAxis: valueAxis("Requests per second", "requests/s", extentOf(served.map((p) => p.y)), plain, "linear"),
		areas: beyond(sweep, theme),
		series: [
			lineSeries({ id: "served", name: "Served", points: served, colour: theme.ink, write: rate, evidence }),
			lineSeries({
				id: "good",
				name: "Within the objectives",
				points: good,
				colour: theme.good,
				write: rate,
				evidence,
				dash: "dashed",
			}),
		],
	};
}
