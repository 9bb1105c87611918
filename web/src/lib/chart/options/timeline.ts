import type { Evidence, Timeline } from "@plimsoll/api/model";
import { counted, format, formatCount } from "#lib/format.ts";
import { extentOf, timeAxis, valueAxis } from "../axis.ts";
import type { ChartOption } from "../option.ts";
import { limitLine, lineSeries } from "../series.ts";
import { type ChartTheme, PAGE_THEME } from "../theme.ts";

interface TimelineChart {
	timeline: Timeline;
	/** How the simulated figures are known. */
	evidence: Evidence;
	/** Most sequences, or tokens, that the engine holds; null: no limit is known. */
	limit: number | null;
	theme?: ChartTheme;
}

const moment = (at: number) => `after ${format(at, "seconds").text}`;
const xy = (xs: readonly number[], ys: readonly number[]) => xs.map((x, i) => ({ x, y: ys[i] ?? null }));
/** A limit far above everything would press the lines flat. */
const near = (limit: number | null, most: number) => (limit !== null && limit <= 4 * most ? limit : null);

/** Sequences that run and requests that wait, over the run. */
export function queueOption({ timeline, evidence, limit, theme = PAGE_THEME }: TimelineChart): ChartOption {
	const { seconds, running, waiting } = timeline;
	const most = extentOf([...running, ...waiting]).to;
	const shown = near(limit, most);
	return {
		theme,
		place: moment,
		xAxis: timeAxis("Time since the first request", seconds.at(-1) ?? 1),
		yAxis: valueAxis("Requests", "requests", extentOf([most, shown]), formatCount, "linear"),
		lines: shown === null ? [] : [limitLine(shown, counted(shown, "place"), theme)],
		series: [
			lineSeries({
				id: "running",
				name: "Running",
				points: xy(seconds, running),
				colour: theme.time,
				write: formatCount,
				evidence,
			}),
			lineSeries({
				id: "waiting",
				name: "Waiting",
				points: xy(seconds, waiting),
				colour: theme.warn,
				write: formatCount,
				evidence,
				dash: "dashed",
			}),
		],
	};
}

/** Tokens in the cache, over the run. */
export function cacheOption({ timeline, evidence, limit, theme = PAGE_THEME }: TimelineChart): ChartOption {
	const { seconds, kvTokens } = timeline;
	const most = extentOf(kvTokens).to;
	const shown = near(limit, most);
	const tokens = (value: number) => format(value, "tokens").text;
	return {
		theme,
		place: moment,
		xAxis: timeAxis("Time since the first request", seconds.at(-1) ?? 1),
		yAxis: valueAxis("Cached tokens", "tokens", extentOf([most, shown]), formatCount, "linear"),
		lines: shown === null ? [] : [limitLine(shown, `cache holds ${formatCount(shown)}`, theme)],
		series: [
			lineSeries({
				id: "kv",
				name: "Cached tokens",
				points: xy(seconds, kvTokens),
				colour: theme.memory,
				write: tokens,
				evidence,
			}),
		],
	};
}
