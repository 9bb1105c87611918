import { describe, expect, it } from "vitest";
import { CUT, findJson, jsonValues, readJson, readJsonLine } from "./json.ts";

describe("readJson", () => {
	it("reads what JSON.parse reads, to the character behind it", () => {
		const text = '  {"a": [1, -2.5e3, true, null, "x\\n\\u00e9"]} rest';
		expect(readJson(text)).toMatchObject({
			value: { a: [1, -2500, true, null, "x\né"] },
			end: text.indexOf(" rest"),
			fault: null,
		});
	});

	it.each<[string, unknown]>([
		["NaN", null],
		["nan", null],
		["-nan", null],
		["-nan(ind)", null],
		["Infinity", Number.POSITIVE_INFINITY],
		["inf", Number.POSITIVE_INFINITY],
		["-inf", Number.NEGATIVE_INFINITY],
		["-Infinity", Number.NEGATIVE_INFINITY],
	])("reads a bare %s in the place of a value", (word, value) => {
		expect(readJson(`{"a": ${word}, "b": "${word}"}`)).toMatchObject({
			value: { a: value, b: word },
			fault: null,
		});
	});

	it("keeps the whole members of a cut value and marks what was open", () => {
		const { value, open, fault } = readJson('[{"a": 1}, {"b": 2, "c": [3, 4');
		expect(value).toEqual([{ a: 1 }, { b: 2, c: [3] }]);
		expect(fault).toBe(CUT);
		const [whole, cut] = value as object[];
		expect([open.has(whole), open.has(cut), open.has(value)]).toEqual([false, true, true]);
	});

	it("does not take the beginning of a cut number for the number", () => {
		expect(readJson('{"a": 1, "b": 12').value).toEqual({ a: 1 });
		expect(readJson('{"a": 1, "b": tru').value).toEqual({ a: 1 });
		for (const cut of ["12.", "1.5e", "1e-", "-"]) {
			expect(readJson(`{"a": 1, "b": ${cut}`)).toMatchObject({ value: { a: 1 }, fault: CUT });
		}
	});

	it("puts strings and numbers together that a terminal broke at its width", () => {
		expect(readJson('{"na\nme": "ab\ncd", "n": 12\n34}').value).toEqual({ name: "abcd", n: 1234 });
	});

	it("refuses brackets that would overflow the stack, at once", () => {
		const deep = "[".repeat(100_000);
		expect(readJson(deep).fault).toMatch(/nest deeper/);
		expect(readJson(deep + "]".repeat(100_000)).fault).toMatch(/nest deeper/);
		expect(readJson('{"a":'.repeat(100_000)).fault).toMatch(/nest deeper/);
	});

	it("takes the last of equal keys and leaves __proto__ alone", () => {
		expect(readJson('{"a": 1, "a": NaN, "b": 2, "b": 3}').value).toEqual({ a: null, b: 3 });
		const { value } = readJson('{"__proto__": {"x": NaN}, "a": nan}');
		expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
	});
});

describe("findJson", () => {
	it("passes over log lines that begin with brackets", () => {
		const log = "[2026-01-02 03:04:05] start\n[1/8] pulling\n[A-triton-bs16] x\n{'python': 1}\n[1, 2, 3]\n";
		expect(findJson(log)).toBeNull();
		expect(findJson(`${log}  [{"a": 1}]\nend`)).toMatchObject({
			value: [{ a: 1 }],
			start: log.length + 2,
			fault: null,
		});
	});

	it("reads value after value, with and without line ends between them", () => {
		const values = [...jsonValues('{"a": 1}\n{"b":\n2}{"c": 3}\nnoise\n[{"d": 4}, {"e": nul')];
		expect(values.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }, [{ d: 4 }, {}]]);
		expect(values.map(({ fault }) => fault)).toEqual([
			...[null, null, null],
			`${CUT}, in line 5 behind 20 characters`,
		]);
	});

	it("says of each cut value where it ends", () => {
		const faults = (text: string) => [...jsonValues(text)].map(({ fault }) => fault);
		// The first is cut behind `{"a": 1,`, eight characters; the last one behind `  "b`, four.
		expect(faults('x\n{"a": 1,\n\n{"a": 2}\n{\n  "b\n')).toEqual([
			`${CUT}, in line 2 behind 8 characters`,
			null,
			`${CUT}, in line 6 behind 4 characters`,
		]);
		expect(faults('{"a": 1,\n"b": ?}')).toEqual(['unexpected "?}", in line 2 behind 4 characters']);
	});

	it("needs no more than linear time for many values and many candidates", () => {
		const rows = '{"a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}\n'.repeat(20_000);
		expect([...jsonValues(rows)]).toHaveLength(20_000);
		expect([...jsonValues('{"a": "x"\n{"a": "y"}\n'.repeat(2000))]).toHaveLength(4000);
		expect(findJson("[2026-01-02] x\n".repeat(50_000))).toBeNull();
	});
});

it("readJsonLine tells cut lines from log lines", () => {
	expect(readJsonLine('{"a": 1}').fault).toBeNull();
	expect(readJsonLine('{"a": 1, "b').fault).toBe(CUT);
	expect(readJsonLine("{python: 1}").fault).toMatch(/unexpected/);
});
