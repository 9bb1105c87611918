import { randomBytes } from "node:crypto";
import { connect } from "../../db/src/connection.ts";

/** The same server's URL with another database. */
export function databaseUrl(serverUrl: string, database: string): string {
	const url = new URL(serverUrl);
	url.pathname = `/${database}`;
	return url.href;
}

async function administer(serverUrl: string, statement: string): Promise<void> {
	const sql = connect(serverUrl, { connections: 1 });
	try {
		await sql.unsafe(statement);
	} finally {
		await sql.end({ timeout: 5 });
	}
}

/** Creates a database with a name of its own that begins with `prefix`; returns the name. */
export async function createDatabase(serverUrl: string, prefix: string, template?: string): Promise<string> {
	const name = `${prefix}_${randomBytes(6).toString("hex")}`;
	const source = template ? ` template ${template}` : "";
	await administer(serverUrl, `create database ${name}${source}`);
	return name;
}

/** Drops a database even where connections to it were left open. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
	await administer(serverUrl, `drop database if exists ${name} with (force)`);
}
