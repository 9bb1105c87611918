/** Words that a spreadsheet would take for a formula begin with one of these. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

type CsvCell = string | number | null | undefined;

function written(value: CsvCell): string {
	if (value === null || value === undefined) return "";
	if (typeof value === "number") return String(value);
	const text = FORMULA.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180, decimal points): nothing for what is not known, and no text that a spreadsheet would run. */
export const csvOf = (rows: readonly (readonly CsvCell[])[]): string =>
	rows.map((row) => `${row.map(written).join(",")}\r\n`).join("");
