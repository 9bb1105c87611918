import { readTokens } from "#lib/tokens.ts";

/** A field of a small form; `at` is its place in what is sent, by which the server names what is wrong. */
export interface EntryField {
	at: string;
	label: string;
	hint?: string;
	placeholder?: string;
	unit?: string;
	/** What is typed is a count of tokens: "24K" is 24,000. */
	tokens?: boolean;
	/** A choice in place of a text; the first is chosen at first. */
	options?: { value: string; label: string }[];
}

export interface EntryError {
	at: string;
	reason: string;
}

/** What is sent for the texts of a form: empty ones say nothing. What is no count is sent as typed, for the server to refuse. */
export function bodyOf(
	fields: readonly EntryField[],
	text: Readonly<Record<string, string>>,
): Record<string, string | number> {
	const said = fields.flatMap(({ at, tokens, options }) => {
		const typed = (text[at] ?? options?.[0]?.value ?? "").trim();
		return typed === "" ? [] : [[at, tokens ? (readTokens(typed) ?? typed) : typed] as const];
	});
	return Object.fromEntries(said);
}
