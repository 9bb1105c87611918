import { type Cell, type Column, heading, type Table } from "./tables.ts";

/** How a CSV is written. */
export interface CsvOptions {
	separator: "," | ";" | "\t";
	decimal: "." | ",";
	/** Whether it begins with the mark that makes spreadsheets read UTF-8. */
	bom: boolean;
}

export const PLAIN_CSV: CsvOptions = { separator: ",", decimal: ".", bom: false };
/** Where a comma is the decimal sign: Germany, Russia, France, … */
export const COMMA_CSV: CsvOptions = { separator: ";", decimal: ",", bom: true };

const BOM = "\uFEFF";
/** Digits of a number: those behind are noise of the arithmetic. */
const DIGITS = 12;

/**
 * Tables as one CSV, each under its title, all lines with as many fields as the widest.
 * @source RFC 4180: CRLF, quotes doubled, the same number of fields in every line
 */
export function csvText(
	tables: readonly Pick<Table, "title" | "columns" | "rows">[],
	options: CsvOptions,
): string {
	const [only] = tables;
	if (only && tables.length === 1) return written([headings(only.columns), ...only.rows], options);
	const width = Math.max(1, ...tables.map(({ columns }) => columns.length));
	const padded = (row: readonly Cell[]) => [...row, ...Array<null>(width - row.length).fill(null)];
	const lines = tables.flatMap(({ title, columns, rows }, i) => [
		...(i > 0 ? [[]] : []),
		[title],
		headings(columns),
		...rows,
	]);
	return written(lines.map(padded), options);
}

const headings = (columns: readonly Column[]): Cell[] => columns.map(heading);

const written = (rows: readonly (readonly Cell[])[], options: CsvOptions): string =>
	`${options.bom ? BOM : ""}${rows.map((row) => `${csvLine(row, options)}\r\n`).join("")}`;

/** One line without its end. */
export const csvLine = (row: readonly Cell[], options: CsvOptions): string =>
	row.map((cell) => csvField(cell, options)).join(options.separator);

/** A cell as a field: unknown is empty, numbers are bare, text is quoted where it must be and never runs as a formula. */
export function csvField(cell: Cell, { separator, decimal }: CsvOptions): string {
	if (cell === null) return "";
	if (typeof cell === "number") {
		if (!Number.isFinite(cell)) return "";
		const number = plainNumber(cell).replace(".", decimal);
		return number.includes(separator) ? `"${number}"` : number;
	}
	const safe = startsFormula(cell) ? `'${cell}` : cell;
	const quoted = safe.includes('"') || /[\r\n]/.test(safe) || safe.includes(separator);
	return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Whether a spreadsheet would run a text: it begins like a formula (full-width signs too) and is neither a number nor the
 * dash for "none".
 */
export const startsFormula = (text: string): boolean =>
	/^(\s*[=+\-@＝＋－＠]|[\t\r\n])/u.test(text) && text !== "-" && !NUMBER.test(text);

/** A number to twelve digits, without an exponent. */
export function plainNumber(value: number): string {
	const rounded = Number(value.toPrecision(DIGITS));
	const text = String(rounded);
	if (!text.includes("e-")) return text;
	const places = DIGITS - Math.floor(Math.log10(Math.abs(rounded)));
	return rounded.toFixed(Math.min(100, places)).replace(/0+$/, "");
}
