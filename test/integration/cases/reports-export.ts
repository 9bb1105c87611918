import { decimalOf } from "@plimsoll/api/model";
import {
	COMMA_CSV,
	csvField,
	csvLine,
	csvText,
	PLAIN_CSV,
	startsFormula,
} from "../../../api/src/report/csv.ts";
import type { Cell } from "../../../api/src/report/tables.ts";
import type { Input, Topic } from "./case.ts";

/** What the files of a report do with texts, numbers and what is not known. */
export const reportsExport: Topic = (input, field) => {
	if (input.has("cells"))
		return (input.raw.cells as Cell[]).map((cell) => typeof cell === "string" && startsFormula(cell));
	if (input.has("row")) {
		const options = input.text("locale") === "de" ? COMMA_CSV : PLAIN_CSV;
		const row = input.numbers("row");
		const written = csvText([{ title: "", columns: [], rows: [row] }], options);
		return { line: csvLine(row, options), bom: written.startsWith("\uFEFF") }[field];
	}
	if (input.has("texts")) {
		const values = input.texts("texts").map(decimalOf);
		return { values, ambiguous: values.map((value) => value === null) }[field];
	}
	if (input.has("header")) return priced(input, field);
	if (input.has("values"))
		return (input.raw.values as unknown[]).map((value) =>
			csvField(value === null ? null : Number(value), PLAIN_CSV),
		);
	return rounded(input, field);
};

/** The unit stands in the heading. */
function priced(input: Input, field: string): unknown {
	const [, label = "", unit = ""] = /^(.*) \((.*)\)$/.exec(input.text("header")) ?? [];
	const columns = [{ key: "price", label, unit, kind: "money" as const }];
	const [header = "", cell] = csvText(
		[{ title: "", columns, rows: [[input.number("value")]] }],
		PLAIN_CSV,
	).split("\r\n");
	return { cell, header_has_currency: header.includes("EUR") }[field];
}

/** Sums are rounded after adding. */
function rounded(input: Input, field: string): unknown {
	const parts = [input.number("k_mib"), input.number("v_mib")];
	const shown = (mib: number) => mib.toFixed(2);
	return { total: shown(parts.reduce((a, b) => a + b)), parts: parts.map(shown) }[field];
}
