import { SAID_OF_RUN, type SaidOfRun } from "@plimsoll/api/model";

/** What may hold names with their values; the others are texts. */
const OF_NAMES: ReadonlySet<SaidOfRun> = new Set(["sampling", "prompts", "tools"]);

type Scalar = string | number | boolean;
const PAIR = /^\s*([^=,{}[\]"]+?)\s*=\s*([^=,{}[\]"]*?)\s*$/;

/** What is recorded as a person writes it: a text as it is, names as "temperature=0, seed=7", what is deeper as JSON. */
export function writtenOf(value: unknown): string {
	if (value === undefined || value === null) return "";
	if (typeof value === "string") return value;
	if (typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
	const written = Object.entries(value)
		.map(([name, inner]) => `${name}=${inner}`)
		.join(", ");
	return sameAs(read(written), value) ? written : JSON.stringify(value);
}

/** What a person wrote: null where the field is empty; what cannot be read as names or JSON is sent as the text it is. */
export function saidIn(field: SaidOfRun, written: string): unknown {
	const text = written.trim();
	if (text === "") return null;
	return OF_NAMES.has(field) ? (read(text) ?? text) : text;
}

/** The fields that were written otherwise than they stand, to be sent as a correction. */
export function correctionOf(
	standing: Readonly<Record<string, unknown>> | null,
	written: Readonly<Record<string, string>>,
): Partial<Record<SaidOfRun, unknown>> {
	const changed = SAID_OF_RUN.flatMap((field) => {
		const now = written[field];
		return now === undefined || now.trim() === writtenOf(standing?.[field]).trim()
			? []
			: [[field, saidIn(field, now)] as const];
	});
	return Object.fromEntries(changed);
}

/** Names with values, as pairs or as a JSON object; null: it is neither. */
function read(text: string): Record<string, unknown> | null {
	if (text.startsWith("{")) return parsed(text);
	const pairs = text.split(",").map((part) => PAIR.exec(part));
	if (pairs.some((pair) => pair === null)) return null;
	return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", scalar(pair?.[2] ?? "")]));
}

function scalar(text: string): Scalar {
	if (text === "true" || text === "false") return text === "true";
	return /^-?\d+(\.\d+)?(e-?\d+)?$/i.test(text) ? Number(text) : text;
}

function parsed(text: string): Record<string, unknown> | null {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

const sameAs = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
