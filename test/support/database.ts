import { inject } from "vitest";
import type {} from "./global-setup.ts";
import { createDatabase, databaseUrl, dropDatabase } from "./server.ts";

export interface TestDatabase {
	/** With its password: give it to openDatabase, or to an app as DATABASE_URL. */
	url: string;
	drop(): Promise<void>;
}

async function newDatabase(template?: string): Promise<TestDatabase> {
	const server = inject("server");
	const name = await createDatabase(server.url, "plimsoll_test", template);
	return { url: databaseUrl(server.url, name), drop: () => dropDatabase(server.url, name) };
}

/**
 * A migrated database without rows for the calling test file alone, on the server of the test run.
 * At the top of a file: `const database = await freshDatabase(); afterAll(database.drop);`
 */
export const freshDatabase = (): Promise<TestDatabase> => newDatabase(inject("server").template);

/** The same without any tables, for tests of the migrations themselves. */
export const emptyDatabase = (): Promise<TestDatabase> => newDatabase();
