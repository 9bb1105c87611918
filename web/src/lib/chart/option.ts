import type { Evidence } from "@plimsoll/api/model";
import type { ChartTheme } from "./theme.ts";

/** How an axis is scaled: equal distances are equal factors, or equal differences. */
export type ScaleKind = "log" | "linear";

export interface ChartAxis {
	name: string;
	/** Base unit of its values, as a file of them names it: "seconds", "tokens". */
	unit: string;
	scale: ScaleKind;
	/** Both ends; above zero on a log axis. */
	from: number;
	to: number;
	ticks: readonly number[];
	/** Ticks whose words stand before those of others where there is not room for all. */
	landmarks?: readonly number[];
	/** How a tick is written. */
	write: (value: number) => string;
}

/** A stretch of an axis, shaded and named. */
export interface GroundArea {
	axis: "x" | "y";
	from: number;
	to: number;
	name: string;
	colour: string;
	opacity: number;
	/** Named in the key alone: where dots still to come would take the room of its name, the key would grow under them. */
	keyed?: true;
}

/** A line across the chart: upright where it stands at an x, level where it lies at a y. */
export interface GroundLine {
	axis: "x" | "y";
	at: number;
	/** Empty: the line has no words. */
	name: string;
	colour: string;
	width: number;
}

export type Dash = "solid" | "dashed" | "dotted";
export type DotSymbol = "circle" | "rect" | "triangle" | "diamond";

interface Series {
	/** Unlike that of any other series of the chart. */
	id: string;
	/** What a reader is told that it is. */
	name: string;
	colour: string;
	/** How a value is read out. */
	write: (value: number) => string;
	/** How its values are known, where a point says nothing else. */
	evidence: Evidence;
}

/** How well a value of a series is known. */
interface Known {
	/** Bounds of its 95 % interval; null: not bounded. */
	low?: number | null;
	high?: number | null;
	evidence?: Evidence | null;
}

/** The measurements that a dot stands for. */
export interface DotSource {
	/** Id of the configuration. */
	configuration: string;
	/** Id of one of the measurements; null: not told. */
	measurement: string | null;
}

/** A measured value. */
export interface Dot extends Known {
	x: number;
	y: number;
	/** Measurements behind it. */
	n?: number;
	source?: DotSource | null;
}

export interface LineSeries extends Series {
	kind: "line";
	/** Ascending; `y` null breaks the line. A joint belongs to the neighbouring line and is drawn, not read out. */
	points: readonly ({ x: number; y: number | null; joint?: boolean } & Known)[];
	/** Its name in the key, where it stands after the line that it carries on. */
	keyName?: string;
	dash: Dash;
	/** Pixels. */
	width: number;
	opacity: number;
	/** Keeps a value until the next place instead of going there in a straight line. */
	steps?: boolean;
	/** Written at the line's right end. */
	endLabel?: string;
}

export interface BandSeries extends Series {
	kind: "band";
	points: readonly { x: number; low: number; high: number }[];
	/** Whether it is the interval of a line, whose points have the same bounds. */
	interval: boolean;
	/** Of an interval, left out: a shade. A part of a stack is a body. */
	opacity?: number;
}

export interface DotSeries extends Series {
	kind: "dots";
	points: readonly Dot[];
	symbol: DotSymbol;
	/** Pixels across. */
	size: number;
	/** Whether each dot has an edge that sets it off from what it covers. */
	edged: boolean;
	/** Dots of something else than what the curves show are drawn as outlines. */
	hollow: boolean;
	/** They arrive after the chart: the key has their place from the start. */
	toCome?: boolean;
}

export type ChartSeries = LineSeries | BandSeries | DotSeries;

/** A chart as plain data: what it shows, not how it is drawn. */
export interface ChartOption {
	xAxis: ChartAxis;
	yAxis: ChartAxis;
	/** What lies under the curves: the measured range, limits, what memory does not hold. */
	areas?: readonly GroundArea[];
	lines?: readonly GroundLine[];
	/** Drawn in this order, the last on top; dots stand above all lines. */
	series: readonly ChartSeries[];
	/** A place of the horizontal axis in words: "16,000 prompt tokens". */
	place: (at: number) => string;
	/** What it says where it has no values: "No values" where that is left out. */
	empty?: string;
	/** Room at the right for labels at the ends of lines, pixels. */
	right?: number;
	theme: ChartTheme;
}
