import type { z } from "zod";

/** An issue of a validation, with the value that was found. */
type Issue = z.core.$ZodRawIssue;

/** What may stand in a place, by the names of the schemas. */
const KINDS: Record<string, string> = {
	string: "text",
	number: "a number",
	int: "a whole number",
	bigint: "a whole number",
	boolean: "true or false",
	array: "a list",
	tuple: "a list",
	object: "an object {…}",
	record: "an object {…}",
	null: "null",
	date: "a date",
};

const FORMATS: Record<string, string> = {
	datetime: "a time like 2026-11-30T09:12:00Z",
	date: "a day like 2026-11-30",
	url: "a web address",
	uuid: "an id like 0b7a1c0e-5d1f-4a53-9a0e-2f6a4d1c8b11",
	email: "an e-mail address",
};

/**
 * What is wrong with an input, in a sentence's rest that follows its place: what is allowed there and what was found.
 * @returns undefined: the words of the validation itself stand
 */
export function inputInWords(issue: Issue): string | undefined {
	const allowed = allowedBy(issue);
	if (allowed === null) return undefined;
	const input = inputOf(issue);
	return input === undefined
		? `is missing; it must be ${allowed}`
		: `must be ${allowed}, not ${found(input)}`;
}

/** The value in the place that is named: of objects told apart by a field, that field. */
function inputOf(issue: Issue): unknown {
	if (issue.code !== "invalid_union" || typeof issue.discriminator !== "string") return issue.input;
	return (issue.input as Record<string, unknown> | undefined)?.[issue.discriminator];
}

function allowedBy(issue: Issue): string | null {
	switch (issue.code) {
		case "invalid_type":
			return KINDS[issue.expected] ?? null;
		case "invalid_value":
			return oneOf(issue.values);
		case "invalid_format":
			return FORMATS[issue.format] ?? null;
		case "too_small":
			return limited(issue.origin, issue.inclusive ? "at least" : "more than", issue.minimum);
		case "too_big":
			return limited(issue.origin, issue.inclusive ? "at most" : "less than", issue.maximum);
		case "not_multiple_of":
			return `a multiple of ${issue.divisor}`;
		case "invalid_union":
			return unionOf(issue);
		default:
			return null;
	}
}

function limited(origin: string, bound: string, limit: number | bigint): string {
	const one = Number(limit) === 1;
	if (origin === "string") return `text of ${bound} ${limit} ${one ? "character" : "characters"}`;
	if (origin === "array" || origin === "set")
		return `a list of ${bound} ${limit} ${one ? "entry" : "entries"}`;
	return `${bound} ${limit}`;
}

/** Of several allowed forms; of objects told apart by a field, the values of that field. */
function unionOf(issue: Extract<Issue, { code: "invalid_union" }>): string | null {
	if (Array.isArray(issue.options)) return oneOf(issue.options as unknown[]);
	const forms = issue.errors.map(([first]) => (first ? allowedBy(first as Issue) : null));
	return forms.some((form) => form === null) ? null : [...new Set(forms)].join(" or ");
}

function oneOf(values: readonly unknown[]): string {
	const words = values.map((value) => (typeof value === "string" ? `“${value}”` : String(value)));
	return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const LONGEST = 40;

function found(input: unknown): string {
	if (typeof input === "string") return `the text “${shortened(input)}”`;
	if (typeof input === "number" || typeof input === "bigint") {
		return Number.isFinite(Number(input)) ? `the number ${input}` : "something that is no number";
	}
	if (typeof input === "boolean" || input === null) return String(input);
	if (Array.isArray(input)) return input.length === 0 ? "an empty list" : "a list";
	return "an object {…}";
}

function shortened(text: string): string {
	const clean = text.replace(/[^\P{C}]/gu, "\uFFFD");
	return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
}
