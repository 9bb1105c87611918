import { csvCells } from "./csv.ts";
import type { Family } from "./family.ts";
import { LlamaBenchRows } from "./llama-bench-row.ts";
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
					: rows.noise(line, at);
			},
			end: () => [],
		};
	},
};

function csvItem(rows: LlamaBenchRows, names: string[], line: string, at: string): Item {
	const cells = csvCells(line);
	if (cells === null) return { kind: "rejected", at, reason: "a quote is not closed: the line was cut" };
	return rows.columns(names, cells, at);
}
