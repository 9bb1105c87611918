import type { Evidence } from "@plimsoll/api/model";
import type { Extent } from "./axis.ts";
import type {
	BandSeries,
	ChartSeries,
	Dash,
	Dot,
	DotSeries,
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
	/** How it is known; left out: as the whole line is. */
	evidence?: Evidence | null;
	/** Whether it is there to be drawn only. */
	joint?: boolean;
}

/** A place on the curve of a law, with how it is known there; null where it has no value. */
export interface LawPoint extends CurvePoint {
	evidence: Evidence | null;
}

type Write = (value: number) => string;

interface Line {
	id: string;
	name: string;
	points: CurvePoint[];
	colour: string;
	write: Write;
	evidence: Evidence;
	dash?: Dash;
	width?: number;
	opacity?: number;
	steps?: boolean;
	endLabel?: string;
	keyName?: string;
}

/** A plain line. */
export function lineSeries({ points, ...line }: Line): LineSeries {
	return {
		kind: "line",
		...{ dash: "solid", width: 2, opacity: 1 },
		...line,
		points,
	};
}

const KNOWN: readonly (Evidence | null)[] = ["arithmetic", "measured", "fitted"];

/** Neighbours on a curve that are known in the same way. */
interface Stretch {
	/** null: as well as the measurements tell. */
	weakness: Evidence | null;
	points: LawPoint[];
}

function stretchesOf(points: readonly LawPoint[]): Stretch[] {
	const stretches: Stretch[] = [];
	for (const point of points) {
		const last = stretches.at(-1);
		// Where there is no value, there is nothing to be known: the stretch goes on.
		const weakness =
			point.y === null && last ? last.weakness : KNOWN.includes(point.evidence) ? null : point.evidence;
		if (last && last.weakness === weakness) last.points.push(point);
		else stretches.push({ weakness, points: [point] });
	}
	return stretches;
}

/**
 * A law: solid where it was measured, dashed beyond, dotted where it is carried over or estimated. A weaker part takes
 * the nearest point of the stronger one with it, so that the line does not break.
 */
export function lawSeries(
	line: Omit<Line, "dash" | "points" | "evidence"> & { points: LawPoint[] },
): ChartSeries[] {
	const stretches = stretchesOf(line.points);
	const main = stretches.findIndex(({ weakness }) => weakness === null);
	// In the key the weaker parts stand after the part that they carry on, where that can be seen.
	const carriesOn = (stretches[main]?.points.length ?? 0) > 1;
	const joint = (point: LawPoint) => ({ ...point, joint: true });
	const { endLabel, ...rest } = line;
	const drawn = stretches.map(({ weakness, points }, i) => {
		const [before, after] = [stretches[i - 1], stretches[i + 1]];
		return lineSeries({
			...rest,
			...(endLabel !== undefined && !after ? { endLabel } : {}),
			id: i === Math.max(0, main) ? line.id : `${line.id}:${i}`,
			name: weakness === null ? line.name : `${line.name}, ${weakness}`,
			...(weakness !== null && carriesOn ? { keyName: weakness } : {}),
			points: [
				...(before && takes(weakness, before.weakness) ? before.points.slice(-1).map(joint) : []),
				...points,
				...(after && !takes(after.weakness, weakness) ? after.points.slice(0, 1).map(joint) : []),
			],
			evidence: weakness ?? "fitted",
			dash: weakness === null ? "solid" : weakness === "extrapolated" ? "dashed" : "dotted",
		});
	});
	return drawn.sort((a, b) => Number(b.dash === "solid") - Number(a.dash === "solid"));
}

/** Whether a later stretch of a curve reaches back to the one before: where the later is the weaker. */
const takes = (later: Evidence | null, before: Evidence | null): boolean => before === null || later !== null;

/** The part of a measured range in which a law is known by the measurements; null: nowhere. */
export function knownRange(points: readonly LawPoint[], range: Extent | null): Extent | null {
	const known = points.filter(({ y, evidence }) => y !== null && KNOWN.includes(evidence));
	const [first, last] = [known.at(0), known.at(-1)];
	if (!range || !first || !last) return null;
	const [from, to] = [Math.max(range.from, first.x), Math.min(range.to, last.x)];
	return to > from ? { from, to } : null;
}

/** The 95 % band of a curve, where it has one; the curve's own points have the same bounds. */
export function bandSeries(
	id: string,
	points: CurvePoint[],
	colour: string,
	write: Write,
	name = "95% interval",
): BandSeries[] {
	const known = points.flatMap(({ x, low, high }) => (low != null && high != null ? [{ x, low, high }] : []));
	if (known.length === 0) return [];
	return [{ kind: "band", id, name, points: known, interval: true, evidence: "fitted", colour, write }];
}

const MANY_DOTS = 400;

/** Measured dots; above some hundreds they are small and without edges. */
export function dotSeries(
	id: string,
	name: string,
	dots: Dot[],
	theme: ChartTheme,
	write: Write,
	look: Partial<Pick<DotSeries, "colour" | "symbol" | "hollow" | "evidence" | "toCome">> = {},
): DotSeries {
	const many = dots.length > MANY_DOTS;
	return {
		kind: "dots",
		...{ id, name, write, points: dots },
		...{ colour: theme.ink, symbol: "circle", hollow: false, evidence: "measured", ...look },
		...{ size: many ? 4 : 7, edged: !many },
	};
}

/** "Measured", or what else the dots were measured with: "Measured with nothing cached". */
export const measuredName = (name: string, otherwise: string | null): string =>
	otherwise === null ? name : `${name} ${otherwise}`;

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

/** Where prompts were measured, shown on the charts beside theirs; nothing where none were. */
export const promptsMeasured = (range: Extent | null, theme: ChartTheme): GroundArea[] =>
	range ? [{ ...shadedRange(range, "prompts measured", theme), keyed: true }] : [];
