import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { notFound } from "../problem.ts";
import { type Page, type PageRequest, readPage } from "./page.ts";
import { instant, type Queryable } from "./sql.ts";

/** Who decides and corrects where no key is needed. */
export const WITHOUT_KEY = "this machine";

/** What a key may do. admin may do everything. */
export const SCOPES = ["ingest", "plan", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export interface Key {
	id: string;
	name: string;
	scopes: Scope[];
	createdAt: string;
	lastUsedAt: string | null;
	revokedAt: string | null;
}

interface KeyRow {
	id: string;
	name: string;
	sha256: string;
	scopes: Scope[];
	created_at: string;
	last_used_at: string | null;
	revoked_at: string | null;
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

const toKey = (row: KeyRow): Key => ({
	id: row.id,
	name: row.name,
	scopes: row.scopes,
	createdAt: instant(row.created_at),
	lastUsedAt: row.last_used_at && instant(row.last_used_at),
	revokedAt: row.revoked_at && instant(row.revoked_at),
});

/** Creates a key. The secret is answered this once; only its hash is kept. */
export async function createKey(
	sql: Queryable,
	{ name, scopes }: { name: string; scopes: readonly Scope[] },
): Promise<Key & { secret: string }> {
	const secret = `plimsoll_${randomBytes(32).toString("base64url")}`;
	const rows = await sql<KeyRow[]>`
		insert into keys (name, sha256, scopes) values (${name}, ${hashOf(secret)}, ${[...scopes]})
		returning *`;
	return { ...toKey(rows[0] as KeyRow), secret };
}

/** The live key of a secret, or null. Notes its use, at most once a minute. */
export async function findKey(sql: Queryable, secret: string): Promise<Key | null> {
	const hash = hashOf(secret);
	const [row] = await sql<KeyRow[]>`select * from keys where sha256 = ${hash} and revoked_at is null`;
	if (!row || !timingSafeEqual(Buffer.from(row.sha256), Buffer.from(hash))) return null;
	await sql`
		update keys set last_used_at = now()
		where id = ${row.id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
	return toKey(row);
}

export function listKeys(sql: Queryable, request: PageRequest): Promise<Page<Key>> {
	return readPage(
		request,
		{
			list: "keys",
			count: async () => (await sql`select count(*) as n from keys`)[0]?.n,
			rows: (after, limit) => sql<KeyRow[]>`
				select * from keys
				where ${after ? sql`(created_at, id) < (${after[0]}::text::timestamptz, ${after[1]}::text::uuid)` : sql`true`}
				order by created_at desc, id desc limit ${limit}`,
			place: (row) => [row.created_at, row.id],
		},
		(rows) => rows.map(toKey),
	);
}

/** Ends a key; it stays in the list with the time of its end. */
export async function revokeKey(sql: Queryable, id: string): Promise<Key> {
	const [row] = await sql<KeyRow[]>`
		update keys set revoked_at = coalesce(revoked_at, now()) where id::text = ${id} returning *`;
	if (!row) throw notFound("Key", id, "GET /keys lists them.");
	return toKey(row);
}
