import type { Family } from "../family.ts";
import type { Item } from "../record.ts";
import { LlamaBenchRows } from "./bench-row.ts";
import { BrokenRow } from "./broken-row.ts";

const STATEMENT = /^INSERT INTO (?:test|llama_bench)\s*\(/i;
const PARTS = /^INSERT INTO \w+\s*\(([^)]*)\)\s*VALUES\s*\((.*)\);?$/i;

/**
 * llama-bench -o sql: one INSERT a line. Values are not escaped by the tool, so a model path with ' in it
 * breaks the statement for a database; here values end only where the next one begins. Nothing is executed.
 */
export const llamaBenchSql: Family = {
	name: "llama-bench sql",
	detect: ({ text }) =>
		/^\s*CREATE TABLE (?:IF NOT EXISTS )?(?:test|llama_bench)\b/im.test(text) ||
		STATEMENT.test(text.trimStart()),
	lines: () => {
		const rows = new LlamaBenchRows();
		const broken = new BrokenRow((line, at) => insertItem(rows, line, at));
		return {
			line(text, number) {
				const line = text.trim();
				const at = `line ${number}`;
				if (STATEMENT.test(line))
					return PARTS.test(line) ? [...broken.end(), insertItem(rows, line, at)] : broken.begin(text, at);
				const more = broken.goOn(text, (joined) => PARTS.test(joined.trim()));
				return more ?? (line === "" ? [] : rows.noise(line, at));
			},
			end: () => broken.end(),
		};
	},
};

function insertItem(rows: LlamaBenchRows, line: string, at: string): Item {
	const [, names, values] = PARTS.exec(line.trim()) ?? [];
	if (names === undefined || values === undefined) {
		return { kind: "rejected", at, reason: "the statement is not whole: the file was cut here" };
	}
	return rows.columns(
		names.split(",").map((name) => name.trim()),
		sqlValues(values),
		at,
	);
}

function sqlValues(list: string): string[] {
	const inner = list.trim().replace(/^'|'$/g, "");
	return inner.split(/',\s*'/);
}
