import type { ChartOption, ChartSeries } from "./option.ts";
import { seriesOf } from "./readings.ts";

/** A stretch of the horizontal axis, or of the vertical one, with its name. */
export interface GroundArea {
	axis: "x" | "y";
	from: number;
	to: number;
	name: string;
	colour: string;
	opacity: number;
}

/** A line across the chart: upright where it stands at an x, level where it lies at a y. */
export interface GroundLine {
	axis: "x" | "y";
	at: number;
	name: string;
	colour: string;
	width: number;
}

type Line = Extract<ChartSeries, { type?: "line" }>;
type End = { xAxis?: unknown; yAxis?: unknown; name?: unknown };

function placeOf(end: End): { axis: "x" | "y"; at: number } | null {
	if (typeof end.xAxis === "number") return { axis: "x", at: end.xAxis };
	return typeof end.yAxis === "number" ? { axis: "y", at: end.yAxis } : null;
}

function areasOf({ markArea }: Line): GroundArea[] {
	return (markArea?.data ?? []).flatMap((pair) => {
		const [start, end] = pair as [End, End];
		const [from, to] = [placeOf(start), placeOf(end)];
		if (!from || !to) return [];
		return {
			axis: from.axis,
			from: from.at,
			to: to.at,
			name: String(start.name ?? ""),
			colour: String(markArea?.itemStyle?.color ?? ""),
			opacity: Number(markArea?.itemStyle?.opacity ?? 1),
		};
	});
}

function linesOf({ markLine }: Line): GroundLine[] {
	const { lineStyle, label } = markLine ?? {};
	const named = label?.show !== false && typeof label?.formatter === "string";
	return (markLine?.data ?? []).flatMap((end) => {
		const place = placeOf(end as End);
		if (!place) return [];
		const name = named ? String(label.formatter) : "";
		return { ...place, name, colour: String(lineStyle?.color ?? ""), width: Number(lineStyle?.width ?? 1) };
	});
}

/**
 * What lies under the curves of an option: its marked areas and lines. They are drawn by the page itself, because the
 * library's own marks would be a tenth of the script that the first page loads.
 */
export function groundOf(option: ChartOption): { areas: GroundArea[]; lines: GroundLine[] } {
	const carriers = seriesOf(option).filter((series): series is Line => series.type === "line");
	return { areas: carriers.flatMap(areasOf), lines: carriers.flatMap(linesOf) };
}

type Axis = ChartOption["xAxis"] | ChartOption["yAxis"];

/** Both ends of an axis as far as the option says them. */
export function endsOf(axis: Axis): { min: number | null; max: number | null } {
	const { min, max } = (Array.isArray(axis) ? axis[0] : axis) ?? {};
	const known = (end: unknown) => (typeof end === "number" ? end : null);
	return { min: known(min), max: known(max) };
}
