import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { checkItem, readOrRefuse } from "../support/item-check.ts";
import { type FileReading, sharedFolder } from "../support/reading.ts";

const folder = sharedFolder("formats", process.env.PLIMSOLL_FORMATS);
const files = folder === null ? [] : [...filesUnder(folder)].sort();

function* filesUnder(path: string): Generator<string> {
	for (const name of readdirSync(path)) {
		const child = join(path, name);
		if (statSync(child).isDirectory()) yield* filesUnder(child);
		else yield child;
	}
}

/** Rows that a file of one object a line, or of one request a line, shows to anybody who counts lines. */
function rowsShown(path: string, text: string): number | null {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	if (path.endsWith(".jsonl")) return lines.filter((line) => /^\s*\{.*\}\s*$/.test(line)).length;
	return /^prompt_tokens,generation_tokens/.test(lines[0] ?? "") ? lines.length - 1 : null;
}

/** Rows that a reading accounts for: each item, and in one run of many requests each request. */
function rowsRead({ items }: FileReading): number {
	const rows = items.filter((item) => item.kind !== "note" && item.kind !== "memory").length;
	const [first] = items.flatMap((item) =>
		item.kind === "measurement" ? [item.measurement.details.requests] : [],
	);
	return typeof first === "number" ? rows - 1 + first : rows;
}

describe.skipIf(folder === null)(
	folder === null ? "every file (skipped: no shared data)" : "every file",
	() => {
		it.each(files.map((path) => [relative(folder ?? "", path), path]))("%s", async (_, path) => {
			const bytes = readFileSync(path);
			const reading = await readOrRefuse(bytes);
			if (reading === null) return;
			expect(reading.format).not.toBe("");
			// A file that was recognised says something: nothing is accepted and then vanishes.
			expect(reading.items.length).toBeGreaterThan(0);
			for (const item of reading.items) checkItem(item);
			const shown = rowsShown(path, bytes.toString("utf8"));
			if (shown !== null) expect(rowsRead(reading)).toBeGreaterThanOrEqual(shown);
			// In whatever pieces the bytes arrive, the same comes out.
			const again = await readOrRefuse(bytes, 4093);
			expect(again?.format).toBe(reading.format);
			expect(again?.counts).toEqual(reading.counts);
		});
	},
);
