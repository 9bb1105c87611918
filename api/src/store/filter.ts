import { createHash } from "node:crypto";
import type { Fragment, Queryable } from "./sql.ts";

/** What a list is narrowed to; undefined asks for nothing. */
export type Filter = Record<string, string | undefined>;

/** Name of a narrowed list in its cursors: a cursor of the same list under another filter is refused. */
export function filteredList(list: string, filter: Filter): string {
	const given = Object.entries(filter).filter(([, value]) => value !== undefined);
	if (given.length === 0) return list;
	// Short whatever was asked: the words of a search would make a cursor longer than the API takes.
	const asked = createHash("sha256").update(JSON.stringify(given.sort())).digest("base64url").slice(0, 16);
	return `${list} ${asked}`;
}

/** Conditions that all have to hold. */
export const allOf = (sql: Queryable, conditions: readonly Fragment[]): Fragment =>
	conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql`true`);

/** A column that equals a value, where one is asked for. */
export const equals = (sql: Queryable, column: string, value: string | undefined): Fragment =>
	value === undefined ? sql`true` : sql`${sql(column)} = ${value}`;

/** Every word of a search as a pattern for `like`, in lower case; a word's own % and _ are no wildcards. */
export function wordPatterns(q: string | undefined): string[] {
	const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
	return [...new Set(words)].map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
}

/** What a configuration is called and made of, as text to search; `c` is its row. */
export const configurationText = (sql: Queryable): Fragment => sql`
	lower(concat_ws(E'\n', c.label, c.conditions->>'gpu', c.gpu_id, c.conditions->>'model', c.model_id,
		c.conditions->>'engine', c.conditions->>'engineVersion', c.conditions->>'weights', c.attribution))`;
