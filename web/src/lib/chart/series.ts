import type { Extent } from "./axis.ts";
import type {
	BandSeries,
	ChartSeries,
	Dash,
	DotSeries,
	DotSymbol,
	GroundArea,
	GroundLine,
	LineSeries,
} from "./option.ts";
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

interface Line {
	id: string;
	name: string;
	points: CurvePoint[];
	colour: string;
	write: Write;
	dash?: Dash;
	width?: number;
	opacity?: number;
	steps?: boolean;
	endLabel?: string;
}

/** A plain line. */
export function lineSeries({ points, ...line }: Line): LineSeries {
	return {
		kind: "line",
		...{ dash: "solid", width: 2, opacity: 1 },
		...line,
		points: points.map(({ x, y }) => ({ x, y })),
	};
}

const inside = ({ from, to }: Extent, { x }: CurvePoint) => x >= from && x <= to;

/**
 * A law: solid where it was measured, dashed beyond. The dashed parts take the nearest point inside with them,
 * so that the line does not break.
 */
export function lawSeries(line: Omit<Line, "dash" | "endLabel">, range: Extent | null): ChartSeries[] {
	const { points } = line;
	const name = `${line.name}, beyond the measured`;
	const beyond = (id: string, part: CurvePoint[]) =>
		lineSeries({ ...line, id, name, points: part, dash: "dashed" });
	const first = range ? points.findIndex((p) => inside(range, p)) : -1;
	if (!range || first < 0) return [beyond(line.id, points)];
	const last = points.findLastIndex((p) => inside(range, p));
	return [
		lineSeries({ ...line, points: points.slice(first, last + 1) }),
		...(first > 0 ? [beyond(`${line.id}:before`, points.slice(0, first + 1))] : []),
		...(last < points.length - 1 ? [beyond(`${line.id}:after`, points.slice(last))] : []),
	];
}

/** The 95 % band of a curve, where it has one. */
export function bandSeries(
	id: string,
	points: CurvePoint[],
	colour: string,
	write: Write,
	name = "95% interval",
): BandSeries[] {
	const known = points.flatMap(({ x, low, high }) => (low != null && high != null ? [{ x, low, high }] : []));
	return known.length === 0 ? [] : [{ kind: "band", id, name, points: known, colour, write }];
}

const MANY_DOTS = 400;

/** Measured dots; above some hundreds they are small and without edges. */
export function dotSeries(
	id: string,
	name: string,
	dots: Dot[],
	theme: ChartTheme,
	write: Write,
	look: { colour?: string; symbol?: DotSymbol } = {},
): DotSeries {
	const many = dots.length > MANY_DOTS;
	return {
		kind: "dots",
		...{ id, name, write },
		points: dots.map(({ x, y }) => ({ x, y })),
		...{ colour: theme.ink, symbol: "circle", ...look },
		...{ size: many ? 4 : 7, edged: !many },
	};
}

/** A limit or an objective: a level line with its name on it. */
export function limitLine(at: number, name: string, theme: ChartTheme): GroundLine {
	return { axis: "y", at, name, colour: theme.limit, width: 1.5 };
}

/** A stretch of the horizontal axis, shaded and named. */
export function shadedRange(
	range: Extent,
	name: string,
	theme: ChartTheme,
	colour: string = theme["accent-soft"],
): GroundArea {
	return { axis: "x", from: range.from, to: range.to, name, colour, opacity: 0.55 };
}
