import type { LineSeriesOption, ScatterSeriesOption } from "echarts/types/dist/echarts";
import type { Extent } from "./axis.ts";
import type { ChartSeries } from "./option.ts";
import type { ChartTheme } from "./theme.ts";

/** A place on a curve. `y` null breaks the line; low and high are its 95 % band. */
export interface CurvePoint {
	x: number;
	y: number | null;
	low?: number | null;
	high?: number | null;
}

/** A measured dot. */
export interface Dot {
	x: number;
	y: number;
	/** Measurements behind it. */
	n?: number;
}

type Write = (value: number) => string;

/** The value read out is the last of an item's dimensions. */
const reads = (write: Write) => ({
	valueFormatter: (value: unknown) => write(Number(Array.isArray(value) ? value.at(-1) : value)),
});

const quiet = { silent: true, symbol: "none", animation: false, emphasis: { disabled: true } } as const;

interface Line {
	id: string;
	name: string;
	points: CurvePoint[];
	colour: string;
	write: Write;
	dash?: "solid" | "dashed" | "dotted";
	width?: number;
	opacity?: number;
	/** Written at the line's right end, moved down by some pixels so that it keeps clear of others. */
	endLabel?: { text: string; down: number };
}

/** A plain line. */
export function lineSeries({
	id,
	name,
	points,
	colour,
	write,
	dash = "solid",
	width = 2,
	opacity = 1,
	endLabel,
}: Line): LineSeriesOption {
	return {
		...quiet,
		type: "line",
		id,
		name,
		data: points.map(({ x, y }) => [x, y]),
		z: 3,
		lineStyle: { color: colour, width, type: dash, opacity },
		itemStyle: { color: colour },
		...(endLabel ? { endLabel: endLabelOf(endLabel, colour) } : {}),
		tooltip: reads(write),
	};
}

function endLabelOf({ text, down }: NonNullable<Line["endLabel"]>, color: string) {
	return { show: true, formatter: text, color, distance: 8, offset: [0, down] };
}

const inside = ({ from, to }: Extent, { x }: CurvePoint) => x >= from && x <= to;

/**
 * A law: solid where it was measured, dashed beyond. The dashed parts take the nearest point inside with them,
 * so that the line does not break.
 */
export function lawSeries(line: Omit<Line, "dash">, range: Extent | null): ChartSeries[] {
	const { points } = line;
	const first = range ? points.findIndex((p) => inside(range, p)) : -1;
	if (!range || first < 0)
		return [lineSeries({ ...line, dash: "dashed", name: `${line.name}, beyond the measured` })];
	const last = points.findLastIndex((p) => inside(range, p));
	const beyond = (id: string, part: CurvePoint[], endLabel?: Line["endLabel"]) => {
		const { endLabel: _, ...rest } = line;
		const name = `${line.name}, beyond the measured`;
		return lineSeries({ ...rest, ...(endLabel ? { endLabel } : {}), id, name, points: part, dash: "dashed" });
	};
	const ends = last === points.length - 1;
	const { endLabel, ...rest } = line;
	return [
		lineSeries({ ...rest, ...(ends && endLabel ? { endLabel } : {}), points: points.slice(first, last + 1) }),
		...(first > 0 ? [beyond(`${line.id}:before`, points.slice(0, first + 1))] : []),
		...(ends ? [] : [beyond(`${line.id}:after`, points.slice(last), endLabel)]),
	];
}

/** The 95 % band of a curve: its height stacked on its foot, which is drawn invisibly and has no name. */
export function bandSeries(
	id: string,
	points: CurvePoint[],
	colour: string,
	write: Write,
	name = "95% interval",
): ChartSeries[] {
	const known = points.filter(
		(p): p is CurvePoint & { low: number; high: number } => p.low != null && p.high != null,
	);
	if (known.length === 0) return [];
	const stacked = {
		...quiet,
		type: "line",
		stack: id,
		stackStrategy: "all",
		lineStyle: { width: 0, opacity: 0 },
	} as const;
	return [
		{ ...stacked, id: `${id}:foot`, data: known.map(({ x, low }) => [x, low]) },
		{
			...stacked,
			id,
			name,
			z: 1,
			data: known.map(({ x, low, high }) => [x, high - low, low, high]),
			areaStyle: { color: colour, opacity: 0.16 },
			itemStyle: { color: colour },
			tooltip: {
				// The library asks for single numbers too, for a text of its own that is never shown.
				valueFormatter: (value: unknown) => {
					const [, , low, high] = Array.isArray(value) ? value : [];
					return typeof low === "number" && typeof high === "number" ? `${write(low)} – ${write(high)}` : "";
				},
			},
		},
	];
}

const MANY_DOTS = 400;

/** Measured dots. Above some hundreds they are drawn as one path, which a slider can redraw in time. */
export function dotSeries(
	id: string,
	name: string,
	dots: Dot[],
	theme: ChartTheme,
	write: Write,
	look: { colour?: string; symbol?: string; size?: number } = {},
): ScatterSeriesOption {
	const colour = look.colour ?? theme.ink;
	return {
		type: "scatter",
		id,
		name,
		data: dots.map(({ x, y }) => [x, y]),
		symbol: look.symbol ?? "circle",
		symbolSize: look.size ?? (dots.length > MANY_DOTS ? 4 : 8),
		z: 4,
		large: dots.length > MANY_DOTS,
		largeThreshold: MANY_DOTS,
		animation: false,
		emphasis: { disabled: true },
		itemStyle: {
			color: colour,
			borderColor: theme.surface,
			borderWidth: dots.length > MANY_DOTS ? 0 : 1.5,
			opacity: 1,
		},
		tooltip: reads(write),
	};
}

/** A limit or an objective: a horizontal line with its name on it. */
export function limitLine(
	at: number,
	label: string,
	theme: ChartTheme,
): NonNullable<LineSeriesOption["markLine"]> {
	return {
		silent: true,
		animation: false,
		symbol: "none",
		lineStyle: { color: theme.limit, type: "solid", width: 1.5 },
		label: {
			position: "insideStartTop",
			formatter: label,
			color: theme.limit,
			fontSize: 12,
			fontWeight: 600,
			textBorderColor: theme.surface,
			textBorderWidth: 3,
		},
		data: [{ yAxis: at }],
	};
}

/** A stretch of the horizontal axis, shaded and named. */
export function shadedRange(
	range: Extent,
	label: string,
	theme: ChartTheme,
	colour: string = theme["accent-soft"],
): NonNullable<LineSeriesOption["markArea"]> {
	return {
		silent: true,
		animation: false,
		itemStyle: { color: colour, opacity: 0.55 },
		label: {
			show: true,
			position: ["50%", 6],
			align: "center",
			verticalAlign: "top",
			color: theme["ink-soft"],
			fontSize: 12,
		},
		data: [[{ name: label, xAxis: range.from }, { xAxis: range.to }]],
	};
}

/** Carries marks that belong to the chart and not to a curve: it draws nothing of its own. */
export function groundSeries(marks: Pick<LineSeriesOption, "markArea" | "markLine">): ChartSeries {
	// Said even where there are none: a redrawn chart keeps what it is not told to drop.
	const none = { markArea: { data: [] }, markLine: { data: [] } };
	return { ...quiet, type: "line", id: "ground", data: [], z: 0, ...none, ...marks };
}
