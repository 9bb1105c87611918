import type { Family } from "../family.ts";
import { csvCells } from "../text/csv.ts";
import { LlamaBenchRows } from "./bench-row.ts";

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
				if (names === null || !isRow(line, names)) return rows.noise(line, at);
				return [rows.csvLine(names, line, at)];
			},
			end: () => [],
		};
	},
};

/** The tool quotes every value; a spreadsheet that saved the file again does not. */
function isRow(line: string, names: readonly string[]): boolean {
	return line.startsWith('"') || csvCells(line)?.length === names.length;
}
