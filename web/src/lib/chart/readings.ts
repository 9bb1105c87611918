import type { ChartOption, ChartSeries } from "./option.ts";

/** What a chart says at one place of its horizontal axis. */
export interface Reading {
	at: number;
	lines: { name: string; text: string }[];
}

/** The table behind a chart: one row per place of the horizontal axis, one column per named series. */
export interface ChartTable {
	columns: string[];
	rows: { at: number; cells: string[] }[];
}

/** One entry of a chart's key. */
export interface KeyEntry {
	name: string;
	kind: "line" | "dot" | "band";
	colour: string;
	dash: "solid" | "dashed" | "dotted";
	/** Shape of the dots; null for lines and bands. */
	symbol: string | null;
}

interface Item {
	at: number;
	/** All dimensions of the item. */
	values: number[];
	index: number;
}

/** The series of an option, as a list. */
export function seriesOf(option: ChartOption): ChartSeries[] {
	const { series } = option;
	if (!series) return [];
	return (Array.isArray(series) ? series : [series]) as ChartSeries[];
}

/** Series that a reader is told about: those with a name. Helpers, such as the foot of a band, have none. */
const named = (option: ChartOption) => seriesOf(option).filter((s) => s.name !== undefined);

function itemsOf(series: ChartSeries): Item[] {
	const data = Array.isArray(series.data) ? series.data : [];
	return data.flatMap((entry, index) => {
		const value = entry && typeof entry === "object" && "value" in entry ? entry.value : entry;
		if (!Array.isArray(value) || typeof value[0] !== "number" || typeof value[1] !== "number") return [];
		return [{ at: value[0], values: value as number[], index }];
	});
}

function textOf(series: ChartSeries, item: Item): string {
	const write = series.tooltip?.valueFormatter;
	return write ? write(item.values, item.index) : String(item.values.at(-1));
}

function columnsOf(option: ChartOption): Map<string, Map<number, string>> {
	const columns = new Map<string, Map<number, string>>();
	for (const series of named(option)) {
		const name = String(series.name);
		const column = columns.get(name) ?? new Map<number, string>();
		for (const item of itemsOf(series)) {
			const text = textOf(series, item);
			const before = column.get(item.at);
			column.set(item.at, before && before !== text ? `${before}, ${text}` : text);
		}
		columns.set(name, column);
	}
	return columns;
}

/** Every place of the horizontal axis at which a named series has a value, ascending. */
export function placesOf(option: ChartOption): number[] {
	const places = new Set(named(option).flatMap((s) => itemsOf(s).map((item) => item.at)));
	return [...places].sort((a, b) => a - b);
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

/** What every named series says at `at`. */
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
	const name = String(series.name);
	if (series.type === "scatter") {
		const { symbol, itemStyle } = series;
		return { name, kind: "dot", colour: String(itemStyle?.color), dash: "solid", symbol: String(symbol) };
	}
	const { areaStyle, lineStyle } = series as Extract<ChartSeries, { type?: "line" }>;
	if (areaStyle) return { name, kind: "band", colour: String(areaStyle.color), dash: "solid", symbol: null };
	const dash = lineStyle?.type === "dashed" || lineStyle?.type === "dotted" ? lineStyle.type : "solid";
	return { name, kind: "line", colour: String(lineStyle?.color), dash, symbol: null };
}

/** The chart's key: each distinct name and look once. */
export function keyOf(option: ChartOption): KeyEntry[] {
	const entries = named(option)
		.filter((s) => itemsOf(s).length > 0)
		.map(keyEntry);
	const look = (e: KeyEntry) => JSON.stringify(e);
	return entries.filter((e, i) => entries.findIndex((other) => look(other) === look(e)) === i);
}
