import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Answer } from "./post.ts";

/** A place and what is said about it. */
interface Issue {
	at: string;
	reason: string;
}

/** What of POST /runs' answer is told on. */
export interface StoredRun {
	id: string;
	duplicate: boolean;
	format: string;
	accepted: number;
	failed: number;
	rejected: Issue[];
	rejectedCount: number;
	asideCount: number;
	notes: string[];
	/** What was recorded beside it; null: nothing. */
	conditions: Record<string, unknown> | null;
	configurations: { id: string; label: string }[];
}

/** Why nothing was stored. */
export interface Refusal {
	/** Of HTTP; null: there was no answer. */
	status: number | null;
	title: string;
	detail: string;
	errors: Issue[];
}

/** What became of one file. */
export type Outcome =
	| {
			kind: "stored" | "duplicate";
			run: StoredRun;
			/** Conditions that stood otherwise with a run that was there. */
			corrected?: string[];
	  }
	| { kind: "refused" | "unreachable" | "forbidden"; refusal: Refusal };

/** Reads what the server said to a posted file. */
export function judge(answer: Answer): Outcome {
	const body = parse(answer.text);
	const { status } = answer;
	if ((status === 200 || status === 201) && isStoredRun(body))
		return { kind: body.duplicate ? "duplicate" : "stored", run: body };
	return judgeRefusal(answer);
}

/** @param before words that the refusal's own follow */
export function judgeRefusal(answer: Answer, before = ""): Outcome {
	const body = parse(answer.text);
	const { status } = answer;
	const { detail, ...rest } = refusalOf(answer, body);
	const refusal = { ...rest, detail: before + detail };
	if (status === 401 || status === 403) return { kind: "forbidden", refusal };
	return { kind: isAboutTheFile(status, body) ? "refused" : "unreachable", refusal };
}

/** Nothing answered, or the file could not be read to its end. */
export function lost(kind: "unreachable" | "refused", detail: string): Outcome {
	const title = kind === "unreachable" ? "No answer" : "Not read";
	return { kind, refusal: { status: null, title, detail, errors: [] } };
}

/** The exit code of one file. */
export function exitCodeOf(outcome: Outcome, strict: boolean): ExitCode {
	if ("refusal" in outcome) return EXIT[outcome.kind];
	return strict && outcome.run.rejectedCount > 0 ? EXIT.rejectedRows : EXIT.stored;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStoredRun(body: unknown): body is StoredRun {
	return (
		isRecord(body) &&
		typeof body.id === "string" &&
		["rejected", "notes", "configurations"].every((name) => Array.isArray(body[name]))
	);
}

/** A planner says itself what is wrong with a file; a 404 or a page of some other server is not about it. */
function isAboutTheFile(status: number, body: unknown): boolean {
	const final = [404, 408, 409, 421, 429].includes(status);
	return isProblem(body) && status >= 400 && status < 500 && !final;
}

function isProblem(body: unknown): body is Record<string, unknown> & { title: string } {
	return isRecord(body) && typeof body.title === "string";
}

function refusalOf({ status, headers }: Answer, body: unknown): Refusal {
	if (isProblem(body)) {
		const errors = Array.isArray(body.errors) ? (body.errors as Issue[]) : [];
		return { status, title: body.title, detail: String(body.detail ?? ""), errors };
	}
	const moved = status >= 300 && status < 400 && headers.location;
	const detail = moved
		? `The address leads to ${headers.location}; give that one as --url.`
		: "This is not the answer of a Plimsoll planner; check --url.";
	return { status, title: "Unexpected answer", detail, errors: [] };
}
