import type { ChartOption, ChartSeries } from "./option.ts";
import { readingAt } from "./readings.ts";
import { CHART_FONT, type ChartTheme } from "./theme.ts";

interface Parts {
	xAxis: ChartOption["xAxis"];
	yAxis: ChartOption["yAxis"];
	series: ChartSeries[];
	theme: ChartTheme;
	/** Heading of the tooltip: where the cursor is. */
	place: (at: number) => string;
	/** Room at the right for labels at the ends of lines, pixels. */
	right?: number;
}

const ENTITIES: Record<string, string> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

/** What the tooltip says at a place, as HTML; every text in it is escaped. */
function tooltipHtml(option: ChartOption, at: number, place: (at: number) => string): string {
	const rows = readingAt(option, at).lines.map(
		({ name, text }) => `<tr><td>${escaped(name)}</td><td><b>${escaped(text)}</b></td></tr>`,
	);
	return `<table class="chart-reading"><caption>${escaped(place(at))}</caption>${rows.join("")}</table>`;
}

/** Puts axes and series into one option: no animation, the page's font, one tooltip along the horizontal axis. */
export function frame({ xAxis, yAxis, series, theme, place, right = 16 }: Parts): ChartOption {
	const option: ChartOption = {
		animation: false,
		textStyle: { fontFamily: CHART_FONT, color: theme.ink },
		grid: { left: 8, right, top: 32, bottom: 28, outerBoundsMode: "same", outerBoundsContain: "axisLabel" },
		xAxis,
		yAxis,
		series,
	};
	option.tooltip = {
		trigger: "axis",
		confine: true,
		transitionDuration: 0,
		backgroundColor: theme.surface,
		borderColor: theme["line-strong"],
		borderWidth: 1,
		padding: [8, 12],
		textStyle: { color: theme.ink, fontSize: 13 },
		axisPointer: {
			type: "line",
			animation: false,
			lineStyle: { color: theme["line-strong"], type: "dashed" },
		},
		formatter: (params) => {
			const first = Array.isArray(params) ? params[0] : params;
			const at = (first as { axisValue?: unknown } | undefined)?.axisValue;
			return typeof at === "number" ? tooltipHtml(option, at, place) : "";
		},
	};
	return option;
}
