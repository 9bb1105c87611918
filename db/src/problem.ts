/** The database cannot be opened; the message says why and what to do, and is meant to be printed alone. */
export class DatabaseProblem extends Error {
	override readonly name = "DatabaseProblem";
}

/** The `code` of a system or PostgreSQL error ("ENOENT", "42501"), else "". */
export function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message || codeOf(error) || error.name : String(error);
}
