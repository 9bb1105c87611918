import type { ISql, PendingQuery, Row, Sql, TransactionSql } from "postgres";

/** A connection or a transaction: what a statement can be run on. */
export type Queryable = ISql;

/** A piece of a statement. */
export type Fragment = PendingQuery<Row[]>;

/** The work of a big file takes longer than the deadline of all other statements. */
const LONG_MINUTES = 15;

/** A transaction whose statements may take minutes. */
export async function longTransaction<T>(sql: Sql, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
	const result = await sql.begin(async (tx) => {
		await tx`select set_config('statement_timeout', ${`${LONG_MINUTES}min`}, true)`;
		// In an object, because postgres.js awaits the members of a returned list.
		return { value: await work(tx) };
	});
	return result.value;
}

/** A value for a jsonb parameter; PostgreSQL's jsonb holds neither NUL nor half a surrogate pair. */
export function jsonText(value: unknown): string {
	const text = JSON.stringify(value) ?? "null";
	return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(value, storable) : text;
}

function storable(_key: string, value: unknown): unknown {
	if (typeof value === "string") return plainText(value);
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [plainText(key), inner]));
}

/** Text as PostgreSQL can hold it. */
export function plainText(text: string): string {
	// Through bytes and back: half a surrogate pair becomes the replacement character.
	return Buffer.from(text.replaceAll("\0", "")).toString();
}

/** A timestamp as PostgreSQL prints it, as an ISO instant. */
export function instant(timestamp: string): string {
	return new Date(timestamp).toISOString();
}
