import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../../db/src/embedded.ts";
import { migrate } from "../../db/src/migrate.ts";
import { createDatabase, databaseUrl, dropDatabase } from "./server.ts";

declare module "vitest" {
	export interface ProvidedContext {
		/** A PostgreSQL server on which tests create databases, and a migrated database to copy. */
		server: { url: string; template: string };
	}
}

interface TestServer {
	url: string;
	stop(): Promise<void>;
}

/** A private server in a folder of the system's temporary one, which an unprivileged user can reach too. */
async function startServer(): Promise<TestServer> {
	const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-test-"));
	chmodSync(dataDir, 0o755);
	const remove = () => rmSync(dataDir, { recursive: true, force: true });
	const server = await startEmbedded(dataDir, () => {}).catch((error: unknown) => {
		remove();
		throw error;
	});
	return { url: server.url, stop: () => server.stop().finally(remove) };
}

/** One server for a whole test run: TEST_DATABASE_URL where it is set, else the embedded one. */
export async function setup(project: TestProject) {
	const given = process.env.TEST_DATABASE_URL;
	const server = given ? { url: given, stop: async () => {} } : await startServer();
	const template = await createDatabase(server.url, "plimsoll_template");
	await migrate(databaseUrl(server.url, template));
	project.provide("server", { url: server.url, template });
	return async () => {
		await dropDatabase(server.url, template);
		await server.stop();
	};
}
