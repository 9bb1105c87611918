import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type * as schema from "./schema.ts";

export * as schema from "./schema.ts";

export interface Database {
	/** drizzle over `sql`. */
	orm: PostgresJsDatabase<typeof schema>;
	/** The postgres.js client itself, for COPY and hand-written statements. */
	sql: Sql;
	/** The URL it is connected to, without its password. */
	address: string;
	/** "embedded": our own private server in the data folder; "external": the team's. */
	kind: "embedded" | "external";
	/** Closes connections, and stops the private server where there is one. */
	close(): Promise<void>;
}

export interface OpenOptions {
	/** The team's server; left out: the private embedded one in `dataDir`. */
	url?: string;
	/** Absolute path of the data folder. */
	dataDir: string;
	/** Told what is happening, one line each. */
	say?: (line: string) => void;
}

/** Opens the database and brings it to the newest migration, under an advisory lock. */
export declare function openDatabase(options: OpenOptions): Promise<Database>;
