import type { Run } from "#lib/records/record.ts";
import { hasWords } from "#lib/records/walk.ts";

/** What the address asks the list for; an empty text asks for nothing. */
export interface RunFilter {
	/** Words to be found in file name, label, format, configurations or attribution. */
	q: string;
	format: string;
	origin: string;
}

export function filterOf(query: URLSearchParams): RunFilter {
	const of = (key: string) => query.get(key)?.trim() ?? "";
	return { q: of("q"), format: of("format"), origin: of("origin") };
}

export function isEmpty({ q, format, origin }: RunFilter): boolean {
	return !q && !format && !origin;
}

export function matches(run: Run, { q, format, origin }: RunFilter): boolean {
	if (format && run.format !== format) return false;
	if (origin && run.origin !== origin) return false;
	const configurations = run.configurations.map(({ label }) => label);
	return hasWords(q, [run.fileName, run.label, run.format, run.attribution, ...configurations]);
}
