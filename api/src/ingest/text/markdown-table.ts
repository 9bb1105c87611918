/** Markdown tables as terminals print and forums keep them. */

/** Cells of a table line "| a | b |"; null for any other line. */
export function tableCells(line: string): string[] | null {
	const trimmed = line.trim();
	if (trimmed.length < 3 || !trimmed.startsWith("|") || !trimmed.endsWith("|")) return null;
	return trimmed
		.slice(1, -1)
		.split("|")
		.map((cell) => cell.trim());
}

/** "|---|---:|" under a header. */
export function isRule(cells: readonly string[]): boolean {
	return cells.every((cell) => /^:?-+:?$/.test(cell));
}

/** Pieces that a row broken at the width of a terminal is put together from, at most. */
const MAX_PIECES = 6;

/**
 * The lines of a text with table rows that were broken at a terminal's width put together again: a row ends
 * where it has the cells of its header. A row that cannot be completed so was cut and stays as it is.
 * @param isHeader whether cells are the header of a table that is looked for
 */
export function* wholeRows(
	text: string,
	isHeader: (cells: readonly string[]) => boolean,
): Generator<{ line: string; number: number }> {
	const lines = text.split("\n");
	let columns: number | null = null;
	for (let at = 0; at < lines.length; at++) {
		const first = lines[at] ?? "";
		if (!first.trimStart().startsWith("|")) {
			yield { line: first, number: at + 1 };
			continue;
		}
		const row = completeRow(lines, at, columns, isHeader);
		columns = row.columns;
		yield { line: row.line, number: at + 1 };
		at += row.pieces - 1;
	}
}

function completeRow(
	lines: readonly string[],
	at: number,
	columns: number | null,
	isHeader: (cells: readonly string[]) => boolean,
): { line: string; pieces: number; columns: number | null } {
	let line = "";
	for (let pieces = 1; pieces <= MAX_PIECES && at + pieces <= lines.length; pieces++) {
		line += lines[at + pieces - 1];
		const cells = tableCells(line);
		if (cells === null) continue;
		if (isHeader(cells)) return { line, pieces, columns: cells.length };
		if (cells.length === columns) return { line, pieces, columns };
	}
	return { line: lines[at] ?? "", pieces: 1, columns };
}
