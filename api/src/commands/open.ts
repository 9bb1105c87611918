import { type Database, DatabaseProblem, openDatabase } from "@plimsoll/db";
import { type Environment, EnvironmentProblem, readEnvironment } from "../environment.ts";

/** Wrong arguments; the message says how the command is called. */
export class Usage extends Error {}

/** Runs a command on the database, beside a running server where there is one, and closes it again. */
export async function runCommand(
	command: (database: Database, environment: Environment) => Promise<void>,
): Promise<void> {
	try {
		const environment = readEnvironment();
		const { databaseUrl, dataDir } = environment;
		const database = await openDatabase({ url: databaseUrl, dataDir, beside: true });
		try {
			await command(database, environment);
		} finally {
			await database.close();
		}
	} catch (error) {
		fail(error);
	}
}

/** Says what went wrong, plainly where it is the caller's to mend, and ends with 1. */
export function fail(error: unknown): never {
	const plain =
		error instanceof Usage || error instanceof EnvironmentProblem || error instanceof DatabaseProblem;
	console.error(plain ? error.message : error);
	process.exit(1);
}
