import type { Family, LineReader } from "../family.ts";
import { emptyConditions, finite } from "../fields.ts";
import type { Item } from "../record.ts";
import { isPossible, type LoggedRequest, requestLogItems } from "../served/request-log.ts";
import { csvCells } from "../text/csv.ts";

const HEADER = /^"?prompt_tokens"?,"?generation_tokens"?,"?ttft"?,/;

/**
 * Per-request CSV of LMBench: seconds, one row per request. All rows of a file are one run; the rate is in
 * the file's name only.
 */
export const lmbench: Family = {
	name: "lmbench csv",
	detect: ({ text }) => HEADER.test(text),
	lines: () => csvReader(),
};

function csvReader(): LineReader {
	const requests: LoggedRequest[] = [];
	let columns: string[] = [];
	let last = 1;
	return {
		*line(line, number) {
			if (line.trim() === "") return;
			last = number;
			if (HEADER.test(line)) columns = csvCells(line) ?? [];
			else {
				const request = requestOf(columns, csvCells(line) ?? []);
				if (request !== null) requests.push(request);
				else yield { kind: "rejected", at: `line ${number}`, reason: "not the times of one request" } as Item;
			}
		},
		*end() {
			if (requests.length === 0) yield { kind: "rejected", at: "file", reason: "a header without rows" };
			else yield* requestLogItems(`lines 2 to ${last}`, requests, emptyConditions(null));
		},
	};
}

/** `ttft` counts from `launch_time`, and `generation_time` from the first token to `finish_time`. */
function requestOf(columns: readonly string[], cells: readonly string[]): LoggedRequest | null {
	if (cells.length !== columns.length) return null;
	const cell = (name: string) => finite(cells[columns.indexOf(name)]);
	const [input, output, ttft] = [cell("prompt_tokens"), cell("generation_tokens"), cell("ttft")];
	const [start, end] = [cell("launch_time"), cell("finish_time")];
	if (input === null || output === null || ttft === null || start === null || end === null) return null;
	const request = { input, output, start, firstToken: start + ttft, end };
	return isPossible(request) ? request : null;
}
