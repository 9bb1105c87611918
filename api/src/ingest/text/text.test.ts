import { describe, expect, it } from "vitest";
import { csvCells, csvOffset, csvRows } from "./csv.ts";
import { cleanText, Decoder, LineSplitter, lineCleaner, shown } from "./text.ts";

describe("Decoder", () => {
	const decoded = (...chunks: number[][]) => {
		const decoder = new Decoder();
		return chunks.map((bytes) => decoder.write(Uint8Array.from(bytes))).join("") + decoder.end();
	};

	it("takes letters apart at any byte", () => {
		const bytes = [...new TextEncoder().encode("±é日")];
		for (let at = 1; at < bytes.length; at++)
			expect(decoded(bytes.slice(0, at), bytes.slice(at))).toBe("±é日");
	});

	it("reads UTF-16 of both orders, with its mark or without", () => {
		expect(decoded([0xff, 0xfe, 0x41, 0, 0xb1, 0])).toBe("A±");
		expect(decoded([0xfe, 0xff, 0, 0x41, 0, 0xb1])).toBe("A±");
		expect(decoded([0x41, 0, 0x42, 0, 0xb1, 0])).toBe("AB±");
		expect(decoded([0xef, 0xbb, 0xbf, 0x41])).toBe("A");
	});

	it("shows bytes that are no text as such instead of failing", () => {
		expect(decoded([0x41, 0xff, 0xb1, 0x42])).toBe("A\uFFFD\uFFFDB");
	});
});

describe("LineSplitter", () => {
	it("puts lines together over any pieces, and numbers them", () => {
		const text = "one\r\ntwo\n\nfour";
		for (const size of [1, 2, 3, 5, 100]) {
			const splitter = new LineSplitter();
			const lines: string[] = [];
			for (let at = 0; at < text.length; at += size) lines.push(...splitter.write(text.slice(at, at + size)));
			lines.push(...splitter.end());
			expect(lines).toEqual(["one", "two", "", "four"]);
			expect(splitter.number).toBe(5);
		}
	});
});

describe("cleanText", () => {
	it("removes a service's name only where each line carries it", () => {
		expect(cleanText("vllm-1  | a\nvllm-1  | b\n")).toBe("a\nb\n");
		expect(cleanText("vllm-1  | a\nno prefix\n")).toBe("vllm-1  | a\nno prefix\n");
	});

	it("leaves table rows and comparisons alone", () => {
		const table = "| model | t/s |\n| a | 1 |\nx > y\n";
		expect(cleanText(table)).toBe(table);
	});

	it("removes quoting, nested too, and colours", () => {
		expect(cleanText("> > | a |\n>\n> b\n")).toBe("| a |\n\nb\n");
		expect(lineCleaner("")("\u001b[1;32mok\u001b[0m \u001b]0;title\u0007done")).toBe("ok done");
	});
});

it("shows the beginning of any bytes on one line", () => {
	expect(shown("a\n\tb\u0000c\u001b[0m", 20)).toBe("a b\uFFFDc\uFFFD[0m");
});

describe("csvCells", () => {
	it("reads quotes, doubled quotes and empty cells", () => {
		expect(csvCells('"a","b ""c"", d","",1')).toEqual(["a", 'b "c", d', "", "1"]);
		expect(csvCells("a, b ,,c")).toEqual(["a", "b", "", "c"]);
		expect(csvCells('"a","b')).toBeNull();
	});

	it("finds the place of a cell", () => {
		const line = '"a","b "", c",1,"d"';
		expect([0, 1, 2, 3].map((column) => line.slice(csvOffset(line, column)))).toEqual([
			line,
			'"b "", c",1,"d"',
			'1,"d"',
			'"d"',
		]);
	});
});

describe("csvRows", () => {
	it("reads rows whose quoted cells hold commas, quotes and line ends", () => {
		expect([...csvRows('Metric,avg\n"a, ""b""\nc",1\n\n,\nlast, x ')]).toEqual([
			["Metric", "avg"],
			['a, "b"\nc', "1"],
			["", ""],
			["last", "x"],
		]);
	});

	it("swallows nothing where a quote is never closed", () => {
		expect([...csvRows('a,"b\nc,d\n')]).toEqual([
			["a", '"b'],
			["c", "d"],
		]);
	});
});
