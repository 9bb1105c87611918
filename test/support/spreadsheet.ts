import { strFromU8, unzipSync } from "fflate";

/** What a cell holds: "" is a text without letters, null an empty cell. */
type Value = number | string | boolean | null;
/** A range is its cells in order. */
type Operand = Value | Value[];

interface StoredCell {
	value: Value;
	formula: string | null;
}

const unescaped = (xml: string): string =>
	xml
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", '"')
		.replaceAll("&apos;", "'")
		.replaceAll("&amp;", "&");

function storedCell(attributes: string, inner: string): StoredCell {
	const formula = /<f>(.*?)<\/f>/s.exec(inner)?.[1];
	const text = /<t[^>]*>(.*?)<\/t>/s.exec(inner)?.[1];
	const raw = /<v>(.*?)<\/v>/s.exec(inner)?.[1];
	const words = text ?? (/ t="str"/.test(attributes) ? (raw ?? "") : undefined);
	return {
		value: words !== undefined ? unescaped(words) : raw === undefined ? null : Number(raw),
		formula: formula === undefined ? null : unescaped(formula),
	};
}

const TOKEN =
	/\s*("(?:[^"]|"")*"|\d+\.?\d*(?:e[+-]?\d+)?|<=|>=|<>|[-+*/(),:=<>!]|'[^']*'|\$?[A-Za-z_][\w.$]*)/iy;
const CELL = /^\$?([A-Z]+)\$?(\d+)$/;

/**
 * A workbook whose formulas are worked out here, by the rules of spreadsheets and not by the code that wrote them.
 * Knows what the reports' formulas use: arithmetic, comparisons, ranges, names, IF, COUNT, ISNUMBER, MIN, MAX, SUMPRODUCT, HYPERLINK.
 */
export class Spreadsheet {
	private readonly sheets = new Map<string, Map<string, StoredCell>>();
	private readonly names = new Map<string, string>();
	private known = new Map<string, Value>();

	constructor(book: Uint8Array) {
		const files = unzipSync(book);
		const text = (path: string) => strFromU8(files[path] ?? new Uint8Array());
		const workbook = text("xl/workbook.xml");
		for (const [i, [, name = ""]] of [...workbook.matchAll(/<sheet name="([^"]+)"/g)].entries()) {
			const cells = text(`xl/worksheets/sheet${i + 1}.xml`).matchAll(
				/<c r="([A-Z]+\d+)"([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
			);
			const stored = [...cells].map(
				([, at = "", attributes = "", inner = ""]) => [at, storedCell(attributes, inner)] as const,
			);
			this.sheets.set(unescaped(name), new Map(stored));
		}
		for (const [, name = "", to = ""] of workbook.matchAll(/<definedName name="([^"]+)"[^>]*>(.*?)</g))
			this.names.set(name, unescaped(to));
	}

	/** Puts a number into the cell of a name. */
	enter(name: string, value: number): void {
		const [, sheet = "", cell = ""] = /^'?([^'!]+)'?!(.*)$/.exec(this.names.get(name) ?? "") ?? [];
		const stored = this.sheets.get(sheet)?.get(cell.replaceAll("$", ""));
		if (!stored) throw new RangeError(`the workbook has no name ${name}`);
		Object.assign(stored, { value, formula: null });
		this.known = new Map();
	}

	/** A cell as it comes out. */
	at(sheet: string, cell: string): Value {
		const key = `${sheet}!${cell}`;
		const before = this.known.get(key);
		if (before !== undefined) return before;
		const stored = this.sheets.get(sheet)?.get(cell);
		const value =
			stored === undefined
				? null
				: stored.formula === null
					? stored.value
					: one(new Reading(this, sheet, stored.formula).all());
		this.known.set(key, value);
		return value;
	}

	/** Cells with a formula, with the value that they came with. */
	formulas(): { sheet: string; cell: string; cached: Value }[] {
		return [...this.sheets].flatMap(([sheet, cells]) =>
			[...cells].flatMap(([cell, { formula, value }]) =>
				formula === null ? [] : [{ sheet, cell, cached: value }],
			),
		);
	}

	/** Rows of a sheet as they come out, by the letters of their columns. */
	rows(sheet: string): Record<string, Value>[] {
		const rows = new Map<number, Record<string, Value>>();
		for (const cell of this.sheets.get(sheet)?.keys() ?? []) {
			const [, column = "", row = ""] = CELL.exec(cell) ?? [];
			rows.set(Number(row), { ...rows.get(Number(row)), [column]: this.at(sheet, cell) });
		}
		return [...rows.values()];
	}

	refersTo(name: string): string | undefined {
		return this.names.get(name);
	}
}

const one = (operand: Operand): Value => (Array.isArray(operand) ? (operand[0] ?? null) : operand);
const many = (operand: Operand): Value[] => (Array.isArray(operand) ? operand : [operand]);

/** A text in a sum is an error in a spreadsheet; here too. */
function number(value: Value): number {
	if (typeof value === "string") throw new TypeError(`"${value}" is no number`);
	return Number(value);
}

/** Cell by cell where either side is a range. */
function each(a: Operand, b: Operand, of: (a: Value, b: Value) => Value): Operand {
	if (!Array.isArray(a) && !Array.isArray(b)) return of(a, b);
	const length = Math.max(many(a).length, many(b).length);
	const cell = (operand: Operand, i: number) => (Array.isArray(operand) ? (operand[i] ?? null) : operand);
	return Array.from({ length }, (_, i) => of(cell(a, i), cell(b, i)));
}

const OPERATIONS: Record<string, (a: Value, b: Value) => Value> = {
	"+": (a, b) => number(a) + number(b),
	"-": (a, b) => number(a) - number(b),
	"*": (a, b) => number(a) * number(b),
	"/": (a, b) => number(a) / number(b),
	"=": (a, b) => a === b,
	"<": (a, b) => number(a) < number(b),
	">": (a, b) => number(a) > number(b),
	"<=": (a, b) => number(a) <= number(b),
	">=": (a, b) => number(a) >= number(b),
};
/** Weakest first. */
const LEVELS = [
	["=", "<", ">", "<=", ">="],
	["+", "-"],
	["*", "/"],
];

/** One formula being read from left to right. */
class Reading {
	private readonly book: Spreadsheet;
	private readonly sheet: string;
	private readonly tokens: string[];
	private next = 0;

	constructor(book: Spreadsheet, sheet: string, formula: string) {
		this.book = book;
		this.sheet = sheet;
		this.tokens = [...formula.matchAll(new RegExp(TOKEN.source, "giy"))].map(([, token = ""]) => token);
		if (this.tokens.join("") !== formula.replaceAll(/\s/g, "") && !formula.includes('"'))
			throw new SyntaxError(`cannot read ${formula}`);
	}

	all(): Operand {
		const value = this.level(0);
		if (this.next < this.tokens.length) throw new SyntaxError(`left over: ${this.tokens.slice(this.next)}`);
		return value;
	}

	private take(token: string): boolean {
		if (this.tokens[this.next] !== token) return false;
		this.next += 1;
		return true;
	}

	private level(depth: number): Operand {
		const operators = LEVELS[depth];
		if (!operators) return this.operand();
		let left = this.level(depth + 1);
		for (;;) {
			const operator = this.tokens[this.next] ?? "";
			const of = operators.includes(operator) ? OPERATIONS[operator] : undefined;
			if (!of) return left;
			this.next += 1;
			left = each(left, this.level(depth + 1), of);
		}
	}

	private operand(): Operand {
		if (this.take("-")) return each(0, this.operand(), (a, b) => number(a) - number(b));
		if (this.take("(")) {
			const value = this.level(0);
			this.take(")");
			return value;
		}
		const token = this.tokens[this.next] ?? "";
		this.next += 1;
		if (token.startsWith('"')) return token.slice(1, -1).replaceAll('""', '"');
		if (/^\d/.test(token)) return Number(token);
		if (this.tokens[this.next] === "(") return this.call(token.toUpperCase());
		if (token.startsWith("'")) {
			this.take("!");
			return this.cells(token.slice(1, -1), this.tokens[this.next++] ?? "");
		}
		if (CELL.test(token)) return this.cells(this.sheet, token);
		const refersTo = this.book.refersTo(token);
		if (refersTo === undefined) throw new SyntaxError(`no name ${token}`);
		return new Reading(this.book, this.sheet, refersTo).all();
	}

	private cells(sheet: string, from: string): Operand {
		const [, column = "", first = ""] = CELL.exec(from) ?? [];
		if (!this.take(":")) return this.book.at(sheet, column + first);
		const [, , last = ""] = CELL.exec(this.tokens[this.next++] ?? "") ?? [];
		return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) =>
			this.book.at(sheet, column + (Number(first) + i)),
		);
	}

	private call(name: string): Operand {
		this.take("(");
		if (name === "IF") return this.branch();
		const given: Operand[] = [];
		while (!this.take(")")) {
			given.push(this.level(0));
			this.take(",");
		}
		const values = given.flatMap(many);
		const numbers = values.filter((value): value is number => typeof value === "number");
		switch (name) {
			case "HYPERLINK":
				return one(given[0] ?? null);
			case "COUNT":
				return numbers.length;
			case "ISNUMBER":
				return Array.isArray(given[0])
					? given[0].map((value) => typeof value === "number")
					: typeof given[0] === "number";
			case "MIN":
				return Math.min(...numbers);
			case "MAX":
				return Math.max(...numbers);
			case "SUMPRODUCT":
				return values.reduce<number>((sum, value) => sum + number(value), 0);
			default:
				throw new SyntaxError(`no function ${name}`);
		}
	}

	/** Only the branch that is taken is worked out. */
	private branch(): Operand {
		const holds = one(this.level(0)) === true;
		this.take(",");
		const then = holds ? this.level(0) : this.skipped();
		this.take(",");
		const otherwise = holds ? this.skipped() : this.level(0);
		this.take(")");
		return holds ? then : otherwise;
	}

	private skipped(): null {
		for (let depth = 0; this.next < this.tokens.length; this.next += 1) {
			const token = this.tokens[this.next];
			if (depth === 0 && (token === "," || token === ")")) return null;
			if (token === "(") depth += 1;
			if (token === ")") depth -= 1;
		}
		return null;
	}
}
