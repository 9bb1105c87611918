import { formatCount } from "#lib/format.ts";
import type { ChartOption, ChartSeries } from "./option.ts";
import { CHART_FONT, type ChartTheme } from "./theme.ts";

interface Parts {
	xAxis: ChartOption["xAxis"];
	yAxis: ChartOption["yAxis"];
	series: ChartSeries[];
	theme: ChartTheme;
	/** Where the cursor is, in words. */
	place: (at: number) => string;
	/** Room at the right for labels at the ends of lines, pixels. */
	right?: number;
}

/** How each option names a place of its horizontal axis. */
const placeNames = new WeakMap<ChartOption, (at: number) => string>();

/** A place of the horizontal axis in words: "16,000 prompt tokens". */
export const placeName = (option: ChartOption, at: number): string =>
	placeNames.get(option)?.(at) ?? formatCount(at);

/** Puts axes and series into one option: no animation, the page's font. */
export function frame({ xAxis, yAxis, series, theme, place, right = 16 }: Parts): ChartOption {
	const option: ChartOption = {
		animation: false,
		textStyle: { fontFamily: CHART_FONT, color: theme.ink },
		grid: { left: 8, right, top: 32, bottom: 28, outerBoundsMode: "same", outerBoundsContain: "axisLabel" },
		xAxis,
		yAxis,
		series,
	};
	placeNames.set(option, place);
	return option;
}
