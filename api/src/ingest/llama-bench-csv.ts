import { csvCells } from "./csv.ts";
import { deviceOfLine } from "./devices.ts";
import type { Family } from "./family.ts";
import { LlamaBenchRows } from "./llama-bench-row.ts";
import { failureOfLine } from "./llama-failures.ts";
import type { Item } from "./record.ts";

const HEADER = /^"?build_commit"?,"?build_number"?,/;

/** llama-bench -o csv: a header of bare names, quoted values. Appended runs repeat the header, perhaps another one. */
export const llamaBenchCsv: Family = {
	name: "llama-bench csv",
	detect: ({ text }) => text.split("\n", 200).some((line) => HEADER.test(line.trim())),
	lines: () => {
		const rows = new LlamaBenchRows();
		let names: string[] | null = null;
		return {
			line(text, number) {
				const line = text.trim();
				if (line === "") return [];
				if (HEADER.test(line)) {
					names = csvCells(line);
					return [];
				}
				const at = `line ${number}`;
				return line.startsWith('"') && names !== null
					? [csvItem(rows, names, line, at)]
					: noise(rows, line, at);
			},
			end: () => [],
		};
	},
};

function csvItem(rows: LlamaBenchRows, names: string[], line: string, at: string): Item {
	const cells = csvCells(line);
	if (cells === null) return { kind: "rejected", at, reason: "a quote is not closed: the line was cut" };
	return rowItem(rows, names, cells, at);
}

/** A row from the names and the values of its columns. */
export function rowItem(rows: LlamaBenchRows, names: string[], cells: string[], at: string): Item {
	if (cells.length !== names.length) {
		return { kind: "rejected", at, reason: `the row has ${cells.length} values for ${names.length} columns` };
	}
	const row: Record<string, unknown> = {};
	for (let column = 0; column < names.length; column++) {
		const name = names[column] ?? "";
		// Empty text of a number means that it was not written.
		row[name] = cells[column];
	}
	return rows.item(row, at);
}

/** What stands between the rows: device names, failures, and nothing else. */
export function noise(rows: LlamaBenchRows, line: string, at: string): Item[] {
	const device = deviceOfLine(line);
	if (device !== null) rows.startup.push(device);
	const failure = failureOfLine(line, at);
	return failure === null ? [] : [failure];
}
