import { drizzle } from "drizzle-orm/postgres-js";
import { addressOf, connect } from "./connection.ts";
import type { Database } from "./database.ts";
import { startEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";
import { codeOf, DatabaseProblem, messageOf } from "./problem.ts";
import * as schema from "./schema.ts";

export type { Database } from "./database.ts";
export { type ExampleFile, exampleFiles } from "./examples.ts";
export { DatabaseProblem } from "./problem.ts";
export { SEEDED_SERIES, seedCatalogs } from "./seed.ts";
export { summariseTrace, type TraceSummary } from "./traces.ts";
export { schema };

export interface OpenOptions {
	/** The team's server; left out: the private embedded one in `dataDir`. */
	url?: string | undefined;
	/** Absolute path of the data folder. */
	dataDir: string;
	/** Told what is happening, one line each. */
	say?: (line: string) => void;
	/**
	 * For a command that may run while the app does: work on the app's private server, and leave it running.
	 * Without it a second process on one data folder is refused.
	 */
	beside?: boolean;
}

/** How long statements in flight may still take when the database is closed. */
const CLOSE_SECONDS = 5;

/** Opens the database and brings it to the newest migration, under an advisory lock. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
	if (options.url) {
		requireAddress(options.url);
		return openAt(options.url, "external", async () => {});
	}
	const server = await startEmbedded(options.dataDir, options.say ?? (() => {}), options.beside);
	try {
		return await openAt(server.url, "embedded", server.stop);
	} catch (error) {
		await server.stop();
		throw error;
	}
}

async function openAt(url: string, kind: Database["kind"], stop: () => Promise<void>): Promise<Database> {
	await migrate(url).catch((error: unknown) => {
		throw explain(error, url);
	});
	const sql = connect(url);
	return {
		orm: drizzle(sql, { schema }),
		sql,
		address: addressOf(url),
		kind,
		close: () => sql.end({ timeout: CLOSE_SECONDS }).finally(stop),
	};
}

/** Refuses what is no PostgreSQL address, without repeating it: it may hold a password. */
function requireAddress(url: string): void {
	const parsed = URL.parse(url);
	if (parsed && /^postgres(ql)?:$/.test(parsed.protocol) && parsed.hash === "") return;
	throw new DatabaseProblem(
		"DATABASE_URL is not an address like postgres://user:password@host:5432/database " +
			"(special characters in the password are written as %40 and the like).",
	);
}

/** Says what is wrong with an address in words; other failures pass unchanged. */
function explain(error: unknown, url: string): unknown {
	const advice: Record<string, string> = {
		ECONNREFUSED: "nothing listens there; start PostgreSQL or correct the address",
		ENOTFOUND: "the host is not known",
		CONNECT_TIMEOUT: "no answer; check host, port and firewall",
		"28P01": "user or password is wrong",
		"28000": "the server does not let this user in",
		"3D000": "there is no such database; create it with CREATE DATABASE",
		"57P03": "the server is starting up or shutting down; try again",
	};
	const hint = advice[codeOf(error)];
	if (!hint) return error;
	return new DatabaseProblem(
		`DATABASE_URL (${addressOf(url)}) cannot be used: ${hint} (${messageOf(error)}).`,
	);
}
