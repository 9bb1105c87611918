import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type * as schema from "./schema.ts";

export interface Database {
	/** drizzle over `sql`. */
	orm: PostgresJsDatabase<typeof schema>;
	/**
	 * The postgres.js client itself, for COPY and hand-written statements. int8 arrives as a number (a bigint
	 * beyond 2⁵³), timestamps as UTC text; jsonb parameters are sent as `JSON.stringify(value)`.
	 */
	sql: Sql;
	/** The URL it is connected to, without its password. */
	address: string;
	/** "embedded": our own private server in the data folder; "external": the team's. */
	kind: "embedded" | "external";
	/** Closes connections, and stops the private server where there is one. */
	close(): Promise<void>;
}
