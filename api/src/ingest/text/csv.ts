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

function closingQuote(line: string, open: number): number {
	let end = line.indexOf('"', open + 1);
	while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
	return end;
}
