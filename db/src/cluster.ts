import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
	accessSync,
	chmodSync,
	chownSync,
	closeSync,
	constants,
	fchownSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { DatabaseProblem, messageOf } from "./problem.ts";
import { blockingFolder, hasAccount, NOBODY, type ServerUser, serverUser } from "./server-user.ts";

/** The files of a private server, and the user it runs as. */
export interface Cluster {
	dataDir: string;
	folder: string;
	passwordFile: string;
	logFile: string;
	user: ServerUser | null;
	say: (line: string) => void;
}

/** Name of both the superuser and the database of the private server. */
export const NAME = "plimsoll";

export function describeCluster(dataDir: string, say: (line: string) => void): Cluster {
	const folder = join(dataDir, "postgres");
	return {
		dataDir,
		folder,
		passwordFile: join(dataDir, "postgres-password"),
		logFile: join(dataDir, "postgres.log"),
		user: serverUser(folder),
		say,
	};
}

/** Creates the data folder, and makes sure that the server's user can reach its own folder in it. */
export function prepareFolder({ dataDir, folder, user }: Cluster): void {
	refuseUnreachable(dataDir, user);
	try {
		if (mkdirSync(dataDir, { recursive: true })) chmodSync(dataDir, 0o755);
		accessSync(dataDir, constants.W_OK);
	} catch (error) {
		throw new DatabaseProblem(
			`DATA_DIR (${dataDir}) cannot be written by this user (${messageOf(error)}). ` +
				`Set DATA_DIR to a folder of this user.`,
		);
	}
	refuseUnreachable(dataDir, user);
	refuseForeign(folder, user);
}

/** An ordinary user cannot run a cluster that belongs to somebody else: one that root once started, for instance. */
function refuseForeign(folder: string, user: ServerUser | null): void {
	const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
	const me = process.geteuid?.();
	if (user || owner === undefined || me === undefined || owner === me) return;
	throw new DatabaseProblem(
		`${folder} belongs to user ${owner}, and this is user ${me}. Start Plimsoll as root or as that user, ` +
			`or give the data folder to this one with chown -R.`,
	);
}

function refuseUnreachable(dataDir: string, user: ServerUser | null): void {
	const blocked = user && blockingFolder(dataDir, user);
	if (!blocked) return;
	throw new DatabaseProblem(
		`DATA_DIR (${dataDir}) cannot be used: PostgreSQL never runs as root, so it is started as user ` +
			`${user.uid}, and that user may not enter ${blocked}. Set DATA_DIR to a folder that every user ` +
			`can reach, for example DATA_DIR=/var/lib/plimsoll, or start Plimsoll as an ordinary user.`,
	);
}

/**
 * Runs one of PostgreSQL's programs as the server's user, in a folder and a locale that always work.
 * Its words go to the log and not through a pipe, which a server started by it would keep open.
 */
export async function runProgram(program: string, args: string[], cluster: Cluster): Promise<void> {
	const log = openSync(cluster.logFile, "a", 0o600);
	if (cluster.user) fchownSync(log, cluster.user.uid, cluster.user.gid);
	const child = spawn(program, args, {
		...cluster.user,
		cwd: cluster.dataDir,
		env: { ...process.env, LC_ALL: "C", PGDATA: undefined, PGOPTIONS: undefined },
		stdio: ["ignore", log, log],
		windowsHide: true,
	});
	try {
		const [code] = await once(child, "exit");
		if (code !== 0) throw new Error(`${basename(program)} ended with ${code}`);
	} finally {
		closeSync(log);
	}
}

/** Creates the cluster beside its final place and renames it, so that a broken start leaves no half of one. */
export async function createCluster(cluster: Cluster, binaries: Binaries): Promise<void> {
	const draft = `${cluster.folder}.draft`;
	const passwordDraft = `${cluster.passwordFile}.draft`;
	rmSync(draft, { recursive: true, force: true });
	mkdirSync(draft, { mode: 0o700 });
	writeFileSync(passwordDraft, randomBytes(24).toString("base64url"), { mode: 0o600 });
	if (cluster.user) {
		for (const path of [draft, passwordDraft]) chownSync(path, cluster.user.uid, cluster.user.gid);
	}
	const initdb = [
		...[binaries.initdb, "--pgdata", draft, "--username", NAME, "--pwfile", passwordDraft],
		...["--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-instructions"],
	];
	if (cluster.user || hasAccount()) await runProgram(initdb[0] as string, initdb.slice(1), cluster);
	else await runAsNobody(initdb, cluster);
	if (cluster.user) chownSync(passwordDraft, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
	renameSync(passwordDraft, cluster.passwordFile);
	renameSync(draft, cluster.folder);
}

/**
 * initdb looks its user up and refuses one without an account, as containers run under (the server itself does not
 * ask). In a user namespace this user is called nobody, which has one; outside it all files are still this user's.
 */
async function runAsNobody(program: string[], cluster: Cluster): Promise<void> {
	const asNobody = [`--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`];
	try {
		await runProgram("unshare", ["--user", ...asNobody, "--", ...program], cluster);
	} catch {
		const me = process.geteuid?.();
		throw new DatabaseProblem(
			`The private PostgreSQL can only be created by a user with an account, and user ${me} has no line in ` +
				`/etc/passwd. Start the container as a user that has one (node, nobody), give this one a line ` +
				`(echo "plimsoll:x:${me}:${process.getegid?.()}::/:/bin/false" >> /etc/passwd), or set DATABASE_URL to a PostgreSQL of your own.`,
		);
	}
}

/** Refuses data of another major version, which these programs cannot open. */
export function checkVersion({ folder }: Cluster, { major }: Binaries): void {
	const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
	if (found === major) return;
	throw new DatabaseProblem(
		`${folder} holds data of PostgreSQL ${found}, and this Plimsoll brings PostgreSQL ${major}. ` +
			`Start the Plimsoll that wrote it, or move its data with pg_dump and DATABASE_URL.`,
	);
}

/** Says what failed with the last words of the log, which name the cause. */
export function failure(what: string, error: unknown, { folder, logFile }: Cluster): string {
	const words = readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join(" · ");
	return `The private PostgreSQL in ${folder} ${what} (${messageOf(error)}). Last words of ${logFile}: ${words}`;
}
