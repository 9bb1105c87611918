import { EVIDENCE, type Evidence } from "@plimsoll/api/model";
import type { ChartOption, ChartSeries, DotSource } from "./option.ts";

/** One value of a chart with all that is known of it. */
export interface Detail {
	/** Place on the horizontal axis. */
	at: number;
	/** Name of its series. */
	name: string;
	/** In the base unit of the vertical axis; null: an interval that no line runs through. */
	value: number | null;
	/** Bounds of its interval; null: not bounded. */
	low: number | null;
	high: number | null;
	evidence: Evidence;
	/** Measurements behind it; null: not a measured value. */
	n: number | null;
	source: DotSource | null;
	/** How its values are read out. */
	write: (value: number) => string;
}

function detailsOfSeries({ name, write, evidence, ...series }: ChartSeries): Detail[] {
	const common = { name, write, n: null, source: null };
	if (series.kind === "band") {
		if (series.interval) return [];
		return series.points.map(({ x, low, high }) => ({
			...{ ...common, at: x, value: null, low, high, evidence },
		}));
	}
	const dots = series.kind === "dots" ? series.points : null;
	if (dots)
		return dots.map(({ x, y, low = null, high = null, n = 1, source = null, ...dot }) => ({
			...{ ...common, at: x, value: y, low, high, n, source, evidence: dot.evidence ?? evidence },
		}));
	const line = series.kind === "line" ? series.points : [];
	return line.flatMap(({ x, y, joint, low = null, high = null, ...point }) =>
		y === null || joint
			? []
			: [{ ...common, at: x, value: y, low, high, evidence: point.evidence ?? evidence }],
	);
}

/** Every value of a chart, by place and then in the order of its series. */
export function detailsOf({ series }: ChartOption): Detail[] {
	return series.flatMap(detailsOfSeries).sort((a, b) => a.at - b.at);
}

/** How the values of a chart are known, from strong to weak, each once. */
export function groundsOf(option: ChartOption): Evidence[] {
	const found = new Set(detailsOf(option).map(({ evidence }) => evidence));
	return EVIDENCE.filter((evidence) => found.has(evidence));
}

/** "121 ms – 136 ms", "from 121 ms, no upper end"; null: it has no interval. */
export function intervalOf({ low, high, write }: Pick<Detail, "low" | "high" | "write">): string | null {
	if (low === null && high === null) return null;
	if (high === null) return `from ${write(low ?? 0)}, no upper end`;
	if (low === null) return `up to ${write(high)}`;
	return `${write(low)} – ${write(high)}`;
}
