import type { ChartOption, ChartSeries, Dash, DotSeries, DotSymbol, LineSeries } from "./option.ts";

/** What a chart says at one place of its horizontal axis. */
export interface Reading {
	at: number;
	lines: { name: string; text: string }[];
}

/** The table behind a chart: one row per place of the horizontal axis, one column per name of a series. */
export interface ChartTable {
	columns: string[];
	rows: { at: number; cells: string[] }[];
}

/** One entry of a chart's key. */
export interface KeyEntry {
	name: string;
	kind: ChartSeries["kind"];
	colour: string;
	dash: Dash;
	/** Shape of the dots; null for lines and bands. */
	symbol: DotSymbol | null;
	hollow: boolean;
}

interface Item {
	at: number;
	text: string;
}

/** Places of a line or of dots that have a value of their own. */
function read({ points }: LineSeries | DotSeries): { x: number; y: number }[] {
	const all: readonly { x: number; y: number | null; joint?: boolean }[] = points;
	return all.flatMap(({ x, y, joint }) => (y === null || joint ? [] : [{ x, y }]));
}

/** What a series says, place by place. */
function itemsOf(series: ChartSeries): Item[] {
	const { write } = series;
	if (series.kind === "band")
		return series.points.map(({ x, low, high }) => ({ at: x, text: `${write(low)} – ${write(high)}` }));
	return read(series).map(({ x, y }) => ({ at: x, text: write(y) }));
}

/** The places at which a series has a value. */
function placesOfSeries(series: ChartSeries): number[] {
	return (series.kind === "band" ? series.points : read(series)).map(({ x }) => x);
}

function columnsOf(option: ChartOption): Map<string, Map<number, string>> {
	const columns = new Map<string, Map<number, string>>();
	for (const series of option.series) {
		const column = columns.get(series.name) ?? new Map<number, string>();
		for (const { at, text } of itemsOf(series)) {
			const before = column.get(at);
			column.set(at, before && before !== text ? `${before}, ${text}` : text);
		}
		columns.set(series.name, column);
	}
	return columns;
}

/** Every place of the horizontal axis at which a series has a value, ascending. */
export function placesOf(option: ChartOption): number[] {
	return [...new Set(option.series.flatMap(placesOfSeries))].sort((a, b) => a - b);
}

/** The place that has a value and is nearest to `at`, by factor where both are above zero; null where there is none. */
export function nearestPlace(places: readonly number[], at: number): number | null {
	const far = (place: number) =>
		at > 0 && place > 0 ? Math.abs(Math.log(place / at)) : Math.abs(place - at);
	return places.reduce<number | null>(
		(best, place) => (best === null || far(place) < far(best) ? place : best),
		null,
	);
}

/** What every series says at `at`. */
export function readingAt(option: ChartOption, at: number): Reading {
	const lines = [...columnsOf(option)].flatMap(([name, column]) => {
		const text = column.get(at);
		return text === undefined ? [] : [{ name, text }];
	});
	return { at, lines };
}

/** The table behind a chart. */
export function tableOf(option: ChartOption): ChartTable {
	const columns = columnsOf(option);
	const rows = placesOf(option).map((at) => ({
		at,
		cells: [...columns.values()].map((column) => column.get(at) ?? ""),
	}));
	return { columns: [...columns.keys()], rows };
}

function keyEntry(series: ChartSeries): KeyEntry {
	const { kind, name, colour } = series;
	const dash = kind === "line" ? series.dash : "solid";
	const { symbol, hollow } = kind === "dots" ? series : { symbol: null, hollow: false };
	return { name: (kind === "line" && series.keyName) || name, kind, colour, dash, symbol, hollow };
}

/** A line through one place alone cannot be seen; dots that are still to come will be. */
const isSeen = (series: ChartSeries): boolean =>
	(series.kind === "dots" && series.toCome === true) ||
	(placesOfSeries(series).length > 0 && !(series.kind === "line" && series.points.length < 2));

/** The chart's key: each distinct name and look once. */
export function keyOf(option: ChartOption): KeyEntry[] {
	const entries = option.series.filter(isSeen).map(keyEntry);
	const look = (e: KeyEntry) => JSON.stringify(e);
	return entries.filter((e, i) => entries.findIndex((other) => look(other) === look(e)) === i);
}
