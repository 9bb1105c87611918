import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { addressOf, connect } from "./connection.ts";
import { codeOf, DatabaseProblem } from "./problem.ts";

const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));

/** Key of the advisory lock: "plimsoll" in ASCII, read as one 64-bit number. */
const LOCK = "8100965748541713516";

const INSUFFICIENT_PRIVILEGE = "42501";

/** Milliseconds of the newest migration that the database has seen; null for an empty one. */
async function newestApplied(sql: Sql): Promise<number | null> {
	const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
	if (!table?.present) return null;
	const [row] = await sql`select max(created_at)::float8 as newest from drizzle.__drizzle_migrations`;
	return row?.newest ?? null;
}

/** Milliseconds of the newest migration that this code brings. */
function newestKnown(): number {
	return Math.max(...readMigrationFiles({ migrationsFolder }).map((migration) => migration.folderMillis));
}

async function migrateLocked(sql: Sql, address: string): Promise<void> {
	const applied = await newestApplied(sql);
	if (applied !== null && applied > newestKnown()) {
		throw new DatabaseProblem(
			`The database at ${address} was migrated by a newer Plimsoll ` +
				`(${new Date(applied).toISOString().slice(0, 10)}). Start that version or a later one.`,
		);
	}
	await applyMigrations(drizzle(sql), { migrationsFolder });
}

function explain(error: unknown, url: string): unknown {
	if (codeOf(error) !== INSUFFICIENT_PRIVILEGE && codeOf(causeOf(error)) !== INSUFFICIENT_PRIVILEGE)
		return error;
	const { username, pathname } = new URL(url);
	return new DatabaseProblem(
		`The user of DATABASE_URL may not create tables. As an administrator of that server: ` +
			`GRANT CREATE ON DATABASE ${pathname.slice(1)} TO ${username}; GRANT CREATE ON SCHEMA public TO ${username};`,
	);
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/**
 * Brings the database to the newest migration.
 * Processes that start together wait for one another on an advisory lock; the first does the work.
 * @throws DatabaseProblem where the database is newer than the code or the user lacks the right
 */
export async function migrate(url: string): Promise<void> {
	const sql = connect(url, { connections: 1, statementTimeoutMs: 0 });
	try {
		await sql`select pg_advisory_lock(${LOCK}::int8)`;
		await migrateLocked(sql, addressOf(url));
	} catch (error) {
		throw explain(error, url);
	} finally {
		// Ending the only session releases the lock.
		await sql.end({ timeout: 5 });
	}
}
