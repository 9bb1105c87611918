import { isRecord } from "../ingest/fields.ts";
import { jsonValues } from "../ingest/text/json.ts";
import type { InputError } from "../problem.ts";
import { UnreadableTools } from "./tool-list.ts";

/** A document as far as it could be read. */
export interface ReadDocument {
	value: unknown;
	/** Where the text breaks off; null: it is whole. */
	fault: InputError | null;
	/** Objects and arrays that were still open there: they are not whole. */
	open: ReadonlySet<unknown>;
}

const WANTED =
	"paste the answer to an MCP tools/list request, a tools array of an OpenAI request, or an OpenAPI file";

/**
 * Reads JSON, as far as it is sound, or YAML.
 * @throws UnreadableTools that says at which line and character, and what to send
 */
export async function readDocument(text: string): Promise<ReadDocument> {
	const plain = text.replace(/^\uFEFF/, "").trim();
	if (plain === "") throw new UnreadableTools([{ at: "the body", reason: `is empty: ${WANTED}` }]);
	if (/^[[{]/.test(plain)) return readJson(text);
	const streamed = streamedJson(plain);
	return streamed === null ? readYaml(plain) : readJson(streamed);
}

/** The JSON of an event stream, as servers answer over HTTP: "event: message", "data: {…}". null: it is none. */
function streamedJson(text: string): string | null {
	if (!/^(?:event|id|retry|data|):/.test(text)) return null;
	const lines = text.split(/\r?\n/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
	return lines.some((line) => line.startsWith("{")) ? lines.join("\n") : null;
}

/** Answers of a server to several requests may follow each other: the one with tools is meant. */
const holdsTools = ({ value }: { value: unknown }): boolean =>
	Array.isArray(value) ||
	(isRecord(value) &&
		("tools" in value || "paths" in value || (isRecord(value.result) && "tools" in value.result)));

/** So many values are looked at for the one that is meant. */
const MOST_ANSWERS = 100;

function readJson(text: string): ReadDocument {
	const values = [];
	for (const value of jsonValues(text)) if (values.push(value) === MOST_ANSWERS || holdsTools(value)) break;
	const found = values.find(holdsTools) ?? values[0];
	if (found && (found.fault === null || found.value !== undefined)) {
		const { value, open, fault } = found;
		return { value, open, fault: fault === null ? null : brokenAt(fault) };
	}
	try {
		return { value: JSON.parse(text), open: new Set(), fault: null };
	} catch (error) {
		const said = error instanceof Error ? error.message : String(error);
		throw new UnreadableTools([{ at: "the body", reason: `is no JSON: ${said}` }]);
	}
}

/** "unexpected …, in line 3 behind 12 characters" → where and why apart. */
function brokenAt(fault: string): InputError {
	const [, why = fault, line, behind] = /^(.*), in line (\d+) behind (\d+) characters$/s.exec(fault) ?? [];
	const at = line === undefined ? "the body" : `line ${line}, character ${Number(behind) + 1}`;
	return { at, reason: `the JSON breaks here: ${why}. Mend it there; what stands behind it was not read` };
}

/** Aliases that one document may unfold: a few lines of them grow without end. */
const MOST_ALIASES = 1000;

async function readYaml(text: string): Promise<ReadDocument> {
	const { LineCounter, parseDocument } = await import("yaml");
	const lineCounter = new LineCounter();
	const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: "silent" });
	const [error] = document.errors;
	if (error) {
		const { line, col } = lineCounter.linePos(error.pos[0]);
		const at = `line ${line}, character ${col}`;
		throw new UnreadableTools([{ at, reason: `neither JSON nor YAML: ${error.message}` }]);
	}
	const value = unfold(() => document.toJS({ maxAliasCount: MOST_ALIASES }));
	if (typeof value !== "object" || value === null)
		throw new UnreadableTools([{ at: "the body", reason: `holds no list: ${WANTED}` }]);
	return { value, fault: null, open: new Set() };
}

function unfold(read: () => unknown): unknown {
	try {
		return read();
	} catch (error) {
		const said = error instanceof Error ? error.message : String(error);
		throw new UnreadableTools([{ at: "the body", reason: `the YAML cannot be unfolded: ${said}` }]);
	}
}
