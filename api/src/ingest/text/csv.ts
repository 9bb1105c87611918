const DELIMITER = /[,\n]/g;

/** Cells of one CSV line: values may be quoted, "" is a quote inside quotes. null: a quote is never closed. */
export function csvCells(line: string): string[] | null {
	if (!line.includes('"')) return line.split(",").map((cell) => cell.trim());
	const cells: string[] = [];
	let at = 0;
	for (;;) {
		if (line[at] !== '"') {
			const comma = line.indexOf(",", at);
			cells.push(line.slice(at, comma === -1 ? line.length : comma).trim());
			if (comma === -1) return cells;
			at = comma + 1;
			continue;
		}
		const end = closingQuote(line, at);
		if (end === -1) return null;
		const quoted = line.slice(at + 1, end);
		cells.push(quoted.includes('""') ? quoted.replaceAll('""', '"') : quoted);
		if (line[end + 1] !== ",") return end + 1 >= line.length ? cells : null;
		at = end + 2;
	}
}

/** Where cell number `column` (0-based) begins in a line that csvCells reads. */
export function csvOffset(line: string, column: number): number {
	let at = 0;
	for (let passed = 0; passed < column; passed++) {
		const from = line[at] === '"' ? closingQuote(line, at) : at;
		at = line.indexOf(",", from) + 1;
	}
	return at;
}

/** Rows of a whole CSV text; quoted cells may hold line ends. A quote that is never closed is a letter. */
export function* csvRows(text: string): Generator<string[]> {
	let cells: string[] = [];
	for (let at = 0; at <= text.length; ) {
		const { value, end } = cellAt(text, at);
		cells.push(value);
		at = end + 1;
		if (text[end] === ",") continue;
		if (cells.length > 1 || value !== "") yield cells;
		cells = [];
	}
}

/** The cell that begins at `at`, and the place of the comma or line end behind it. */
function cellAt(text: string, at: number): { value: string; end: number } {
	const close = text[at] === '"' ? closingQuote(text, at) : -1;
	const end = cellEnd(text, close === -1 ? at : close + 1);
	if (close === -1) return { value: text.slice(at, end).trim(), end };
	return { value: text.slice(at + 1, close).replaceAll('""', '"') + text.slice(close + 1, end).trim(), end };
}

function cellEnd(text: string, from: number): number {
	DELIMITER.lastIndex = from;
	return DELIMITER.exec(text)?.index ?? text.length;
}

function closingQuote(line: string, open: number): number {
	let end = line.indexOf('"', open + 1);
	while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
	return end;
}
