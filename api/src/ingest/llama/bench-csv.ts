import type { Family, LineReader } from "../family.ts";
import type { Item } from "../record.ts";
import { csvCells } from "../text/csv.ts";
import { LlamaBenchRows } from "./bench-row.ts";
import { BrokenRow } from "./broken-row.ts";

const HEADER = /^"?build_commit"?,"?build_number"?,/;
/** Every header ends in these columns. */
const SPEED = /avg_ts"?,"?stddev_ts"?\s*$/;
/** The beginning of a row: commit and build number. */
const ROW = /^"(?:[0-9a-f]{6,12}|unknown)","\d+",/;

/** llama-bench -o csv: a header of bare names, quoted values. Appended runs repeat the header, perhaps another one. */
export const llamaBenchCsv: Family = {
	name: "llama-bench csv",
	detect: ({ text }) => text.split("\n", 200).some((line) => HEADER.test(line.trim())),
	lines: () => new CsvReader(),
};

class CsvReader implements LineReader {
	private readonly rows = new LlamaBenchRows();
	private readonly broken = new BrokenRow((line, at) => this.read(line, at));
	private names: string[] | null = null;
	/** A header that has not come to its last columns yet: a terminal broke it. */
	private header: string | null = null;

	line(text: string, number: number): Iterable<Item> {
		const line = text.trim();
		const at = `line ${number}`;
		if (HEADER.test(line)) return this.begin(text);
		if (this.header !== null && !ROW.test(line)) return this.begin(this.header + text);
		if (ROW.test(line)) return this.row(text, at);
		const more = this.broken.goOn(text, (joined) => this.isWhole(joined.trim()));
		if (more !== null || line === "") return more ?? [];
		return this.names !== null && isRow(line, this.names)
			? [this.rows.csvLine(this.names, line, at)]
			: this.rows.noise(line, at);
	}

	end(): Iterable<Item> {
		return this.broken.end();
	}

	private row(text: string, at: string): Iterable<Item> {
		const item = this.read(text, at);
		// Counting the cells again takes long: only rows that could not be read may be broken ones.
		if (item.kind === "rejected" && !this.isWhole(text.trim())) return this.broken.begin(text, at);
		return [...this.broken.end(), item];
	}

	private begin(header: string): Iterable<Item> {
		this.names = csvCells(header.trim());
		this.header = SPEED.test(header) ? null : header;
		return this.broken.end();
	}

	private read(line: string, at: string): Item {
		return this.rows.csvLine(this.names ?? [], line.trim(), at);
	}

	private isWhole(line: string): boolean {
		return csvCells(line)?.length === this.names?.length;
	}
}

/** The tool quotes every value; a spreadsheet that saved the file again does not. */
function isRow(line: string, names: readonly string[]): boolean {
	return line.startsWith('"') || csvCells(line)?.length === names.length;
}
