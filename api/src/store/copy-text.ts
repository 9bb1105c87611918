import { jsonText } from "./sql.ts";

/** Cells of PostgreSQL's COPY text format. A row is its cells joined by tabs and ended by a newline. */

const SPECIAL = /[\\\t\n\r\0]/;
const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" };
const NULL = "\\N";

export function textCell(text: string | null): string {
	if (text === null) return NULL;
	return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r\0]/g, (mark) => ESCAPES[mark] ?? mark) : text;
}

/** A finite number, else null: "not known" is never NaN in the database. */
export function numberCell(value: number | null): string {
	return value !== null && Number.isFinite(value) ? String(value) : NULL;
}

export function numbersCell(values: readonly number[]): string {
	return values.length === 0 ? NULL : `{${values.join(",")}}`;
}

export function textsCell(texts: readonly string[]): string {
	if (texts.length === 0) return NULL;
	const quoted = texts.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`);
	return textCell(`{${quoted.join(",")}}`);
}

export function booleanCell(value: boolean): string {
	return value ? "t" : "f";
}

export function jsonCell(value: unknown): string {
	return value === null ? NULL : textCell(jsonText(value));
}
