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

/** Longest piece count that a row broken at the width of a terminal is put together from. */
const MAX_PIECES = 6;

/**
 * Lines with table rows that were broken at a terminal's width put together again: a row begins with | and
 * goes on until it ends with |. A row that never ends, or that another row follows, was cut and stays as it is.
 * The numbers of the lines are kept.
 */
export function* wholeRows(text: string): Generator<{ line: string; number: number }> {
	const lines = text.split("\n");
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at] ?? "";
		const pieces = brokenRow(lines, at);
		yield { line: pieces === 1 ? line : lines.slice(at, at + pieces).join(""), number: at + 1 };
		at += pieces - 1;
	}
}

/** How many lines from `at` on make one table row; 1 for whole rows, cut rows and other lines. */
function brokenRow(lines: readonly string[], at: number): number {
	const first = lines[at]?.trim() ?? "";
	if (!first.startsWith("|") || first.endsWith("|")) return 1;
	for (let pieces = 2; pieces <= MAX_PIECES; pieces++) {
		const next = lines[at + pieces - 1]?.trim() ?? "";
		if (next === "" || next.startsWith("| ") || next.startsWith("|-")) return 1;
		if (next.endsWith("|")) return pieces;
	}
	return 1;
}
