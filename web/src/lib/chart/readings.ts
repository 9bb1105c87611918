import type { ChartOption, ChartSeries, Dash, DotSymbol } from "./option.ts";

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
}

interface Item {
	at: number;
	text: string;
}

/** What a series says, place by place. */
function itemsOf(series: ChartSeries): Item[] {
	const { kind, points, write } = series;
	if (kind === "band")
		return points.map(({ x, low, high }) => ({ at: x, text: `${write(low)} – ${write(high)}` }));
	return points.flatMap(({ x, y }) => (y === null ? [] : [{ at: x, text: write(y) }]));
}

/** The places at which a series has a value. */
function placesOfSeries({ kind, points }: ChartSeries): number[] {
	const known = kind === "line" ? points.filter(({ y }) => y !== null) : points;
	return known.map(({ x }) => x);
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
	return { name, kind, colour, dash, symbol: kind === "dots" ? series.symbol : null };
}

/** The chart's key: each distinct name and look once. */
export function keyOf(option: ChartOption): KeyEntry[] {
	const entries = option.series.filter((s) => placesOfSeries(s).length > 0).map(keyEntry);
	const look = (e: KeyEntry) => JSON.stringify(e);
	return entries.filter((e, i) => entries.findIndex((other) => look(other) === look(e)) === i);
}
