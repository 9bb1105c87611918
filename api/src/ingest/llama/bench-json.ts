import type { Family } from "../family.ts";
import { isRecord } from "../fields.ts";
import type { Item } from "../record.ts";
import { type JsonReading, jsonValues } from "../text/json.ts";
import { cutRow, jsonLineReader } from "../text/json-lines.ts";
import { LlamaBenchRows } from "./bench-row.ts";

const SPEEDS = ["avg_ts", "avg_ns", "samples_ns"];
const SHAPES = ["n_prompt", "n_gen", "test"];

/** A row of llama-bench, whole or cut: its first fields or its speed betray it. */
function isBenchRow(value: unknown): boolean {
	if (!isRecord(value)) return false;
	if ("build_commit" in value && !("timings" in value)) return true;
	return SPEEDS.some((name) => name in value) && SHAPES.some((name) => name in value);
}

/** llama-bench -o jsonl: one row a line; runs of different builds and models may follow each other. */
export const llamaBenchJsonl: Family = {
	name: "llama-bench jsonl",
	detect: ({ json, jsonLines }) => jsonLines && isBenchRow(json),
	lines: () => {
		const rows = new LlamaBenchRows();
		return jsonLineReader({
			known: (line, at) => rows.repeatedJson(line, at),
			row: (row, at, line) => (isBenchRow(row) ? [rows.jsonLine(row, line, at)] : [foreign(at)]),
			noise: (line, at) => rows.noise(line, at),
		});
	},
};

/** llama-bench -o json: a list of rows, without its closing bracket when the run was killed. */
export const llamaBenchJson: Family = {
	name: "llama-bench json",
	detect: ({ json }) => isBenchRow(Array.isArray(json) ? json[0] : json),
	*document(text) {
		const rows = new LlamaBenchRows();
		let from = 0;
		let list = 0;
		for (const reading of jsonValues(text)) {
			yield* noiseLines(rows, text.slice(from, reading.start));
			yield* listItems(rows, reading, list === 0 ? "" : `list ${list + 1} `);
			from = reading.end;
			list++;
		}
		yield* noiseLines(rows, text.slice(from));
	},
};

function* listItems(rows: LlamaBenchRows, reading: JsonReading, list: string): Generator<Item> {
	const { value, open, fault } = reading;
	const members: unknown[] = Array.isArray(value) ? value : [value];
	for (const [index, member] of members.entries()) {
		const at = `${list}row ${index + 1}`;
		if (open.has(member)) yield cutRow(at, fault);
		else if (!isRecord(member) || !isBenchRow(member)) yield foreign(at);
		else yield rows.item(member, at, fault === null ? "ok" : "partial");
	}
	if (fault !== null) {
		yield {
			kind: "note",
			text: `The list is not closed (${fault}): the run was killed or failed. Whole rows were kept.`,
		};
	}
}

function foreign(at: string): Item {
	return { kind: "rejected", at, reason: "no llama-bench row: it has no avg_ns, avg_ts or n_prompt" };
}

function* noiseLines(rows: LlamaBenchRows, text: string): Generator<Item> {
	const lines = text.split("\n").filter((line) => line.trim() !== "" && line.trim() !== ",");
	for (const line of lines) yield* rows.noise(line, "beside the rows");
	if (lines.length > 0)
		yield { kind: "note", text: `${lines.length} lines that are no JSON were passed over.` };
}
