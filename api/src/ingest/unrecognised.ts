import { isRecord } from "./fields.ts";
import { UnreadableFile } from "./reading.ts";
import { findJson } from "./text/json.ts";
import { shown } from "./text/text.ts";

/** Kinds of files that are no benchmark, by how their bytes begin as text, and what to do with each. */
const KINDS: readonly [begins: RegExp, kind: string][] = [
	[/^GGUF/, "a GGUF model; its header can be read on the Models page"],
	[/^.{8}\{"__metadata__"/s, "the weights of a model (safetensors)"],
	[/^\uFFFDPNG|^\uFFFD\uFFFD\uFFFD.{0,6}(?:JFIF|Exif)|^GIF8/s, "a picture; send the text that it shows"],
	[/^%PDF-/, "a PDF; send the tool's own result file"],
	[/^\u007FELF|^MZ/, "a program"],
	[/^SQLite format 3/, "an SQLite database; export its table as CSV or JSON"],
	[/^PAR1|^ARROW1/, "a table of columns (Parquet or Arrow); export it as CSV or JSON"],
	[
		/^\s*<(?:!doctype html|html)/i,
		"a web page, perhaps of an error or of a login, in the place of the result",
	],
];

const SEND =
	"Send the tool's own result file (llama-bench -o jsonl, vllm bench serve --save-result, …), " +
	'or write the measurements in the canonical form {"plimsoll": 1, …}.';
/** Characters that are looked at, and the share of them from which on a file is no text. */
const LOOKED_AT = 2048;
const BINARY = 0.05;
const MOST_KEYS = 8;

/** Why no family reads a file: what it seems to be, and what to do; it is quoted only where it is text. */
export function unrecognised(raw: string): UnreadableFile {
	const text = raw.trim();
	if (text === "") return new UnreadableFile("The file is empty.");
	if (text === "[" || text === "{") {
		return new UnreadableFile(
			`The file is only an opening "${text}": the run ended before its first result. Its error stands in the output of stderr, which can be sent too.`,
		);
	}
	return new UnreadableFile(`No known benchmark output was found: ${seemsToBe(raw, text)}. ${SEND}`);
}

function seemsToBe(raw: string, text: string): string {
	const kind = KINDS.find(([begins]) => begins.test(raw))?.[1];
	if (kind !== undefined) return `the file is ${kind}`;
	if (isBinary(raw)) return "the file is binary data and no text";
	const keys = keysOf(text);
	const begins = `it begins: ${shown(raw)} …`;
	if (keys === null) return `the file is text that no known tool prints; ${begins}`;
	const named = keys
		.slice(0, MOST_KEYS)
		.map((key) => shown(key, 40))
		.join(", ");
	const more = keys.length > MOST_KEYS ? ` and ${keys.length - MOST_KEYS} more` : "";
	return `the file is JSON of another kind, with the fields ${named}${more}; ${begins}`;
}

function isBinary(raw: string): boolean {
	const head = raw.slice(0, LOOKED_AT);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: such characters are what tells
	const odd = head.match(/[\u0000-\u0008\u000E-\u001A\u001C-\u001F\u007F\uFFFD]/g)?.length ?? 0;
	return odd > BINARY * head.length;
}

/** Fields of the first JSON object; null: there is none with any. */
function keysOf(text: string): string[] | null {
	const value = findJson(text.slice(0, 65_536))?.value;
	const first = Array.isArray(value) ? value[0] : value;
	const keys = isRecord(first) ? Object.keys(first) : [];
	return keys.length > 0 ? keys : null;
}
