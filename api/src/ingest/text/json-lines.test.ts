import { describe, expect, it } from "vitest";
import type { Item } from "../record.ts";
import { jsonLineReader } from "./json-lines.ts";

const ROWS = [1, 2, 3, 4].map((n) =>
	JSON.stringify({ n, name: `model, "${n}"`, samples: [n, 10], of: { a: n } }),
);

/** "n @ line" for each row that was given, and the place of each that was rejected. */
function read(text: string): { rows: string[]; rejected: string[] } {
	const rows: string[] = [];
	const reader = jsonLineReader({
		row(row, at) {
			rows.push(`${row.n} @ ${at}`);
			return [];
		},
	});
	const items: Item[] = text.split("\n").flatMap((line, index) => [...reader.line(line, index + 1)]);
	items.push(...(reader.end?.() ?? []));
	return { rows, rejected: items.flatMap((item) => (item.kind === "rejected" ? [item.at] : [])) };
}

const lineThree = (line: string): string => ROWS.with(2, line).join("\n");
const [ONE = "", , THREE = "", FOUR = ""] = ROWS;

describe("a row cut before its newline", () => {
	it("is rejected alone, wherever it was cut: the next line is a row of its own", () => {
		for (let length = 1; length < THREE.length; length++) {
			expect(read(lineThree(THREE.slice(0, length))), THREE.slice(0, length)).toEqual({
				rows: ["1 @ line 1", "2 @ line 2", "4 @ line 4"],
				rejected: ["line 3"],
			});
		}
	});

	it("takes no other row with it when the rows behind it are cut or faulty too", () => {
		const cut = '{"n":3,"name":"mod';
		expect(read([ONE, cut, cut, FOUR].join("\n"))).toEqual({
			rows: ["1 @ line 1", "4 @ line 4"],
			rejected: ["line 2", "line 3"],
		});
		expect(read([ONE, cut, '{"n":9,"name":what}', FOUR].join("\n"))).toEqual({
			rows: ["1 @ line 1", "4 @ line 4"],
			rejected: ["line 2", "line 3"],
		});
	});

	it("is told from the next row also with log lines between, and with a bare nan in that row", () => {
		expect(read(`{"n":3,"name":"mod\nmain: a log line\n${FOUR}`)).toEqual({
			rows: ["4 @ line 3"],
			rejected: ["line 1"],
		});
		expect(read('{"n":3,"name":"mod\n{"n":4,"name":-nan}')).toEqual({
			rows: ["4 @ line 2"],
			rejected: ["line 1"],
		});
	});
});

describe("several objects on one line", () => {
	it("are rows each, named by their number on the line", () => {
		expect(read(`${ONE}${THREE} ${FOUR}\n`)).toEqual({
			rows: ["1 @ line 1", "3 @ line 1, object 2", "4 @ line 1, object 3"],
			rejected: [],
		});
	});

	it("are kept where one among them is cut", () => {
		expect(read(`{"n":3,"name":"mod${ONE}${FOUR}\n`)).toEqual({
			rows: ["1 @ line 1, object 2", "4 @ line 1, object 3"],
			rejected: ["line 1"],
		});
		expect(read(`${ONE}{"n":3,"name":"mod\n${FOUR}`)).toEqual({
			rows: ["1 @ line 1", "4 @ line 2"],
			rejected: ["line 1, object 2"],
		});
	});
});

it("the end of a row whose beginning is missing is rejected, a log line that ends alike is not", () => {
	expect(read(`odel, 3","samples":[3], "of":{"a":3}}\n${FOUR}`)).toEqual({
		rows: ["4 @ line 2"],
		rejected: ["line 1"],
	});
	expect(read(`main: settings {"a": 3, "b": 4}\n${FOUR}`).rejected).toEqual([]);
});

describe("a row broken at the width of a terminal", () => {
	it("is joined wherever it was broken, unless the next line is an object by itself", () => {
		for (let length = 1; length < THREE.length; length++) {
			const broken = `${THREE.slice(0, length)}\n${THREE.slice(length)}`;
			expect(read(lineThree(broken)), broken).toEqual({
				rows: ["1 @ line 1", "2 @ line 2", "3 @ line 3", "4 @ line 5"],
				rejected: [],
			});
		}
	});

	it("is joined from many lines", () => {
		const wrapped = ROWS.map((row) => row.replace(/(.{9})(?=.)/g, "$1\n")).join("\n");
		const { rows, rejected } = read(wrapped);
		expect(rows.map((row) => row[0])).toEqual(["1", "2", "3", "4"]);
		expect(rejected).toEqual([]);
	});
});
