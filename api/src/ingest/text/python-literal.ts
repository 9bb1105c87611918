/** A value that the reader keeps as text because Python alone could build it: `<CUDAGraphMode.FULL: (2, 0)>`. */
interface Opaque {
	opaque: string;
}

/** Deeper dicts stay opaque. */
const MAX_DEPTH = 32;
const WORDS: Record<string, unknown> = {
	True: true,
	False: false,
	None: null,
	inf: Number.POSITIVE_INFINITY,
	"-inf": Number.NEGATIVE_INFINITY,
	nan: null,
};
const KEY = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*))\s*[:=]\s*/y;
const STRING = /[bru]?(?:'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)")/y;
const NUMBER = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /-?[A-Za-z_][\w.]*/y;
const CLOSES: Record<string, string> = { "{": "}", "(": ")", "[": "]", "<": ">" };

/**
 * Pairs of a Python dict or of keyword arguments, as programs print them: `{'a': 1, 'b': None}`,
 * `Namespace(a=1, b='x')`, `model='m', dtype=torch.bfloat16`. Nested dicts are read, other containers are
 * opaque. Reading stops at the closing bracket, or where the text is no pair any more.
 * @param start index of the first pair, behind an opening bracket if there is one
 */
export function pythonPairs(text: string, start: number): Record<string, unknown> {
	return readPairs(text, start, 0).pairs;
}

function readPairs(
	text: string,
	start: number,
	depth: number,
): { pairs: Record<string, unknown>; end: number } {
	const pairs: Record<string, unknown> = {};
	let at = start;
	for (;;) {
		KEY.lastIndex = at;
		const match = KEY.exec(text);
		if (match === null) return { pairs, end: at };
		const key = match[1] ?? match[2] ?? match[3] ?? "";
		const { value, end } = readValue(text, KEY.lastIndex, depth);
		if (key !== "__proto__") pairs[key] = value;
		const separator = /\s*,/y;
		separator.lastIndex = end;
		if (separator.exec(text) === null) return { pairs, end };
		at = separator.lastIndex;
	}
}

function readValue(text: string, at: number, depth: number): { value: unknown; end: number } {
	const first = text[at] ?? "";
	if (first === "{" && depth < MAX_DEPTH) return readDict(text, at, depth + 1);
	if (first in CLOSES) return opaque(text, at, endOfBracket(text, at));
	const string = matchAt(STRING, text, at);
	if (string !== null) return { value: unescaped(string[1] ?? string[2] ?? ""), end: at + string[0].length };
	const word = matchAt(WORD, text, at);
	if (word !== null) return readWord(text, at, word[0]);
	const number = matchAt(NUMBER, text, at);
	if (number === null) return opaque(text, at, endOfValue(text, at));
	return { value: Number(number[0].replaceAll("_", "")), end: at + number[0].length };
}

function readDict(text: string, at: number, depth: number): { value: unknown; end: number } {
	const { pairs, end } = readPairs(text, at + 1, depth);
	const close = /\s*\}/y;
	close.lastIndex = end;
	return close.exec(text) === null
		? opaque(text, at, endOfBracket(text, at))
		: { value: pairs, end: close.lastIndex };
}

/** A word is a constant, a dotted name (`torch.bfloat16`), or the beginning of a call that stays opaque. */
function readWord(text: string, at: number, word: string): { value: unknown; end: number } {
	const end = at + word.length;
	if (text[end] === "(") return opaque(text, at, endOfBracket(text, end));
	return { value: word in WORDS ? WORDS[word] : word, end };
}

function opaque(text: string, from: number, end: number): { value: Opaque; end: number } {
	return { value: { opaque: text.slice(from, end) }, end: Math.max(end, from) };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}

function endOfBracket(text: string, start: number): number {
	const open: string[] = [];
	for (let at = start; at < text.length; at++) {
		const string = text[at] === "'" || text[at] === '"' ? matchAt(STRING, text, at) : null;
		if (string !== null) at += string[0].length - 1;
		else if ((text[at] ?? "") in CLOSES) open.push(CLOSES[text[at] ?? ""] ?? "");
		else if (text[at] === open.at(-1)) open.pop();
		if (open.length === 0) return at + 1;
	}
	return text.length;
}

function endOfValue(text: string, start: number): number {
	const end = /[,)}\]]/g;
	end.lastIndex = start;
	return end.exec(text)?.index ?? text.length;
}

function unescaped(raw: string): string {
	return raw.replace(/\\([\\'"nt])/g, (_, mark: string) =>
		mark === "n" ? "\n" : mark === "t" ? "\t" : mark,
	);
}
