import { csvCells } from "./csv.ts";

/** Spellings of each column: lower case, without other signs than letters and digits. */
export type ColumnNames<Column extends string> = Readonly<Record<Column, readonly string[]>>;
export type ColumnPlaces<Column extends string> = Partial<Record<Column, number>>;

const SEPARATORS = ["\t", ";", ","];

/** What sets the cells of a header apart: a tab, a semicolon, else a comma. */
export const separatorOf = (header: string): string =>
	SEPARATORS.find((sign) => header.includes(sign)) ?? ",";

/** Cells of one line, trimmed; none where a quote is never closed. */
export function cellsOf(line: string, separator: string): string[] {
	if (separator === ",") return csvCells(line) ?? [];
	return line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
}

/** Where each column stands, whatever the order and the spelling. */
export function placesOf<Column extends string>(
	header: readonly string[],
	names: ColumnNames<Column>,
): ColumnPlaces<Column> {
	const bare = header.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
	const places: ColumnPlaces<Column> = {};
	for (const column of Object.keys(names) as Column[]) {
		const place = bare.findIndex((name) => names[column].includes(name));
		if (place !== -1) places[column] = place;
	}
	return places;
}

/** "no column gpu_hours; the header has "hours", …. Needed: …" */
export function lackOf(missing: readonly string[], header: readonly string[], needed: string): string {
	const seen = header.map((name) => `"${name.slice(0, 40)}"`).join(", ");
	return `no column ${missing.join(", ")}; the header has ${seen.slice(0, 400)}. Needed: ${needed}`;
}
