import type { Model } from "#lib/records/record.ts";
import { hasWords } from "#lib/records/walk.ts";

/** What the address asks the catalog for; an empty text asks for nothing. */
export interface ModelFilter {
	/** Words to be found in name, family and sources. */
	q: string;
	origin: string;
}

export const ORIGINS = [
	{ value: "user", label: "added here" },
	{ value: "seed", label: "came with Plimsoll" },
];

export function filterOf(query: URLSearchParams): ModelFilter {
	const of = (key: string) => query.get(key)?.trim() ?? "";
	return { q: of("q"), origin: of("origin") };
}

export const isEmpty = ({ q, origin }: ModelFilter): boolean => !q && !origin;

export function matches(model: Model, { q, origin }: ModelFilter): boolean {
	if (origin && model.origin !== origin) return false;
	return hasWords(q, [model.id, model.name, model.family, ...model.sources.map(({ label }) => label)]);
}
