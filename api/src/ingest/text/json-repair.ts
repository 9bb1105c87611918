/** Reads JSON as far as it goes: what is cut, has bare NaN, or was broken at the width of a terminal. */

export interface JsonReading {
	/** What was read; containers that the text cut hold their complete members. undefined: nothing. */
	value: unknown;
	/** Index of the first character after the value; of a cut one where the text ends, else where reading stopped. */
	end: number;
	/** Containers that were still open when reading stopped; empty for a whole value. */
	open: ReadonlySet<unknown>;
	/** Why reading stopped early; null for a whole value. */
	fault: string | null;
}

export const MAX_DEPTH = 256;
export const NOTHING_OPEN: ReadonlySet<unknown> = new Set();
/** The fault of a value that is sound as far as it goes. */
export const CUT = "the text ends inside the value";
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What may stand between the beginning of a number and the end of a text that was cut inside it. */
const CUT_NUMBER = /(?:\.|[eE][+-]?)?$/y;
const REST = /[\d.eE+-]+/y;
/** A word, perhaps broken at the width of a terminal. */
const spelled = (word: string) => [...word].join("\\n?");
const WORD = new RegExp(
	`[+-]?(?:${spelled("true")}|${spelled("false")}|${spelled("null")}|${spelled("nan")}(?:\\([a-z0-9_]*\\))?|` +
		`${spelled("inf")}(?:\\n?${spelled("inity")})?)(?![\\w])`,
	"iy",
);
export const BLANK = /[\s\uFEFF]*/y;

/** Index of the closing quote of the string that begins at `start`; the length of the text where it is cut. */
export function endOfString(text: string, start: number): number {
	let end = text.indexOf('"', start + 1);
	while (end !== -1 && escaped(text, end)) end = text.indexOf('"', end + 1);
	return end === -1 ? text.length : end;
}

function escaped(text: string, quote: number): boolean {
	// A line end in a string is a terminal's: the mark before it belongs to what follows.
	const before = text[quote - 1] === "\n" ? quote - 2 : quote - 1;
	let slashes = 0;
	while (text.charCodeAt(before - slashes) === 92) slashes++;
	return slashes % 2 === 1;
}

class Stop extends Error {}

export class RepairingReader {
	private at: number;
	private readonly text: string;
	private readonly open: unknown[] = [];
	private root: unknown;

	constructor(text: string, start: number) {
		this.text = text;
		this.at = start;
	}

	read(): JsonReading {
		try {
			this.root = this.value();
			return { value: this.root, end: this.at, open: NOTHING_OPEN, fault: null };
		} catch (stop) {
			if (!(stop instanceof Stop)) throw stop;
			const end = stop.message === CUT ? this.text.length : this.at;
			return { value: this.open[0], end, open: new Set(this.open), fault: stop.message };
		}
	}

	private value(): unknown {
		this.blank();
		const next = this.text[this.at];
		if (next === undefined) throw new Stop(CUT);
		if (next === "{") return this.object();
		if (next === "[") return this.array();
		if (next === '"') return this.string();
		return this.number() ?? this.word();
	}

	private object(): Record<string, unknown> {
		const result: Record<string, unknown> = {};
		this.enter(result);
		for (let first = true; !this.closes("}", first); first = false) {
			this.blank();
			if (this.text[this.at] === undefined) throw new Stop(CUT);
			if (this.text[this.at] !== '"') throw this.unexpected();
			const key = this.string();
			this.expect(":");
			const value = this.member(result, key);
			if (key !== "__proto__") result[key] = value;
		}
		this.open.pop();
		return result;
	}

	private array(): unknown[] {
		const result: unknown[] = [];
		this.enter(result);
		for (let first = true; !this.closes("]", first); first = false) {
			result.push(this.member(result, String(result.length)));
		}
		this.open.pop();
		return result;
	}

	/** A member whose own container is cut still belongs to its parent, marked as open. */
	private member(parent: Record<string, unknown> | unknown[], key: string): unknown {
		const depth = this.open.length;
		try {
			return this.value();
		} catch (stop) {
			const child = this.open[depth];
			if (child !== undefined && key !== "__proto__") Object.assign(parent, { [key]: child });
			throw stop;
		}
	}

	private enter(container: unknown): void {
		this.at++;
		this.open.push(container);
		if (this.open.length > MAX_DEPTH) throw new Stop(`brackets nest deeper than ${MAX_DEPTH} levels`);
	}

	/** Passes the separator before the next member; true when the container ended instead. */
	private closes(bracket: string, first: boolean): boolean {
		this.blank();
		if (this.text[this.at] === bracket) {
			this.at++;
			return true;
		}
		if (first) return false;
		this.expect(",");
		this.blank();
		// A trailing comma, as hand-edited files have.
		if (this.text[this.at] !== bracket) return false;
		this.at++;
		return true;
	}

	private string(): string {
		const start = this.at;
		const end = endOfString(this.text, start);
		if (end === this.text.length) throw new Stop(CUT);
		this.at = end + 1;
		const quoted = this.text.slice(start, end + 1);
		try {
			// A line end is not allowed in a string: a terminal put it there.
			return JSON.parse(quoted.includes("\n") ? quoted.replaceAll("\n", "") : quoted);
		} catch {
			return quoted.slice(1, -1);
		}
	}

	private number(): number | undefined {
		NUMBER.lastIndex = this.at;
		const match = NUMBER.exec(this.text);
		if (match === null) return undefined;
		this.at = NUMBER.lastIndex;
		CUT_NUMBER.lastIndex = this.at;
		// "12" at the very end may be the beginning of "123", "12." is that of "12.3".
		if (this.open.length > 0 && CUT_NUMBER.test(this.text)) throw new Stop(CUT);
		return this.brokenNumber(match[0]);
	}

	/** A number that a terminal broke at its width: digits right behind the line end can be nothing else. */
	private brokenNumber(start: string): number {
		let digits = start;
		while (this.text[this.at] === "\n" && /[\d.eE+-]/.test(this.text[this.at + 1] ?? "")) {
			REST.lastIndex = this.at + 1;
			digits += REST.exec(this.text)?.[0] ?? "";
			this.at = REST.lastIndex;
		}
		const value = Number(digits);
		if (Number.isNaN(value)) throw new Stop(`unexpected ${JSON.stringify(digits)}`);
		return value;
	}

	private word(): boolean | number | null {
		WORD.lastIndex = this.at;
		const match = WORD.exec(this.text);
		if (match === null) throw this.unexpected();
		this.at = WORD.lastIndex;
		return meaning(match[0].replaceAll("\n", "").toLowerCase());
	}

	private expect(mark: string): void {
		this.blank();
		if (this.text[this.at] === undefined) throw new Stop(CUT);
		if (this.text[this.at] !== mark) throw this.unexpected();
		this.at++;
	}

	private blank(): void {
		BLANK.lastIndex = this.at;
		BLANK.test(this.text);
		this.at = BLANK.lastIndex;
	}

	private unexpected(): Stop {
		const rest = this.text.slice(this.at, this.at + 24);
		// "nul", "-na", "tru" at the end are cut words, not garbage.
		if (this.at + rest.length === this.text.length && /^[+-]?[a-z]*$/i.test(rest)) return new Stop(CUT);
		return new Stop(`unexpected ${JSON.stringify(rest)}`);
	}
}

function meaning(word: string): boolean | number | null {
	if (word === "true") return true;
	if (word === "false") return false;
	if (/^\+?inf/.test(word)) return Number.POSITIVE_INFINITY;
	return word.startsWith("-inf") ? Number.NEGATIVE_INFINITY : null;
}
