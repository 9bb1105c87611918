import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	closeSync,
	existsSync,
	fchownSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Binaries, findBinaries } from "./binaries.ts";
import { connect } from "./connection.ts";
import { isAlive, lockFolder } from "./folder-lock.ts";
import { codeOf, DatabaseProblem, messageOf } from "./problem.ts";
import { blockingFolder, type ServerUser, serverUser } from "./server-user.ts";

/** A running private server. */
export interface EmbeddedServer {
	/** With its password. */
	url: string;
	/** Stops it; a server that belongs to another process is left running. */
	stop(): Promise<void>;
}

interface Cluster {
	dataDir: string;
	folder: string;
	passwordFile: string;
	logFile: string;
	user: ServerUser | null;
	say: (line: string) => void;
}

/** Name of both the superuser and the database of the private server. */
const NAME = "plimsoll";
const START_SECONDS = 60;
const STOP_SECONDS = 60;

/** Given on every start, so that a newer Plimsoll changes them for old data too. */
const SETTINGS = {
	listen_addresses: "127.0.0.1",
	// Socket paths are limited to 107 characters, data folders are not: TCP on loopback, with a password.
	unix_socket_directories: "",
	max_connections: "50",
	shared_buffers: "128MB",
	max_wal_size: "2GB",
	fsync: "on",
	// The log is not rotated: nothing in it every few minutes.
	log_checkpoints: "off",
	timezone: "UTC",
	log_timezone: "UTC",
};

/** What postmaster.pid says: process, port, and whether the server accepts connections. */
interface Postmaster {
	pid: number;
	port: number;
	ready: boolean;
}

function describeCluster(dataDir: string, say: (line: string) => void): Cluster {
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

/**
 * Runs one of PostgreSQL's programs as the server's user, in a folder and a locale that always work.
 * Its words go to the log and not through a pipe, which a server started by it would keep open.
 */
async function runProgram(program: string, args: string[], cluster: Cluster): Promise<void> {
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

function readPostmaster({ folder }: Cluster): Postmaster | null {
	try {
		const lines = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
		return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
	} catch (error) {
		if (codeOf(error) === "ENOENT") return null;
		throw error;
	}
}

/** Whether the process is a PostgreSQL; where the system does not tell, it is believed. */
function isPostgres(pid: number): boolean {
	if (!isAlive(pid)) return false;
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres");
	} catch (error) {
		return codeOf(error) === "ENOENT" && !existsSync("/proc/self/cmdline");
	}
}

/**
 * The server that an app killed hard has left running, once it accepts connections.
 * A pid file whose process is gone or is something else is removed: its number was given to another.
 */
async function adoptServer(cluster: Cluster): Promise<Postmaster | null> {
	const deadline = Date.now() + START_SECONDS * 1000;
	for (;;) {
		const postmaster = readPostmaster(cluster);
		if (!postmaster) return null;
		if (!isPostgres(postmaster.pid)) {
			rmSync(join(cluster.folder, "postmaster.pid"), { force: true });
			return null;
		}
		if (postmaster.ready) return postmaster;
		if (Date.now() > deadline) throw new DatabaseProblem(stuck(postmaster, cluster));
		await sleep(50);
	}
}

const stuck = ({ pid }: Postmaster, { logFile }: Cluster) =>
	`The private PostgreSQL (process ${pid}) has been starting or stopping for ${START_SECONDS} s; see ${logFile}.`;

/** Creates the data folder, and makes sure that the server's user can reach its own folder in it. */
function prepareFolder({ dataDir, user }: Cluster): void {
	refuseUnreachable(dataDir, user);
	if (mkdirSync(dataDir, { recursive: true })) chmodSync(dataDir, 0o755);
	refuseUnreachable(dataDir, user);
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

/** Creates the cluster beside its final place and renames it, so that a broken start leaves no half of one. */
async function createCluster(cluster: Cluster, binaries: Binaries): Promise<void> {
	const draft = `${cluster.folder}.draft`;
	const passwordDraft = `${cluster.passwordFile}.draft`;
	rmSync(draft, { recursive: true, force: true });
	mkdirSync(draft, { mode: 0o700 });
	writeFileSync(passwordDraft, randomBytes(24).toString("base64url"), { mode: 0o600 });
	if (cluster.user) {
		for (const path of [draft, passwordDraft]) chownSync(path, cluster.user.uid, cluster.user.gid);
	}
	await runProgram(
		binaries.initdb,
		[
			...["--pgdata", draft, "--username", NAME, "--pwfile", passwordDraft],
			...["--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-instructions"],
		],
		cluster,
	);
	if (cluster.user) chownSync(passwordDraft, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
	renameSync(passwordDraft, cluster.passwordFile);
	renameSync(draft, cluster.folder);
}

function checkVersion({ folder }: Cluster, { major }: Binaries): void {
	const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
	if (found === major) return;
	throw new DatabaseProblem(
		`${folder} holds data of PostgreSQL ${found}, and this Plimsoll brings PostgreSQL ${major}. ` +
			`Start the Plimsoll that wrote it, or move its data with pg_dump and DATABASE_URL.`,
	);
}

/** A TCP port on loopback that nobody listens on at this moment. */
function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once("error", reject);
		probe.listen(0, SETTINGS.listen_addresses, () => {
			const address = probe.address();
			probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
		});
	});
}

/** Says what failed with the last words of the log, which name the cause. */
function failure(what: string, error: unknown, { folder, logFile }: Cluster): string {
	const words = readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join(" · ");
	return `The private PostgreSQL in ${folder} ${what} (${messageOf(error)}). Last words of ${logFile}: ${words}`;
}

async function startServer(cluster: Cluster, binaries: Binaries): Promise<number> {
	for (let attempt = 1; ; attempt++) {
		const port = await freePort();
		try {
			const options = Object.entries({ ...SETTINGS, port }).map(([key, value]) => `-c ${key}=${value}`);
			await runProgram(
				binaries.pg_ctl,
				[
					...["start", "--pgdata", cluster.folder, "--log", cluster.logFile],
					...["--wait", "--timeout", String(START_SECONDS), "--silent", "--options", options.join(" ")],
				],
				cluster,
			);
			return port;
		} catch (error) {
			// The port may have been taken between the look and the start.
			if (attempt < 3) continue;
			throw new DatabaseProblem(failure("does not start", error, cluster));
		}
	}
}

async function stopServer(cluster: Cluster, binaries: Binaries): Promise<void> {
	await runProgram(
		binaries.pg_ctl,
		[
			...["stop", "--pgdata", cluster.folder, "--mode", "fast"],
			...["--wait", "--timeout", String(STOP_SECONDS), "--silent"],
		],
		cluster,
	);
}

function urlOf(cluster: Cluster, port: number, database: string): string {
	const password = readFileSync(cluster.passwordFile, "utf8").trim();
	return `postgres://${NAME}:${password}@${SETTINGS.listen_addresses}:${port}/${database}`;
}

async function createDatabase(url: string): Promise<void> {
	const sql = connect(url, { connections: 1 });
	try {
		const [found] = await sql`select 1 from pg_database where datname = ${NAME}`;
		if (!found) await sql.unsafe(`create database ${NAME}`);
	} finally {
		await sql.end({ timeout: 5 });
	}
}

async function bringUp(cluster: Cluster): Promise<EmbeddedServer> {
	const binaries = await findBinaries(cluster.dataDir, cluster.user);
	if (!existsSync(cluster.folder)) {
		cluster.say(`Creating a private PostgreSQL ${binaries.major} in ${cluster.folder}`);
		await createCluster(cluster, binaries).catch((error: unknown) => {
			throw new DatabaseProblem(failure("cannot be created", error, cluster));
		});
	}
	checkVersion(cluster, binaries);
	const left = await adoptServer(cluster);
	if (left) cluster.say(`Adopting the private PostgreSQL left running as process ${left.pid}`);
	const port = left?.port ?? (await startServer(cluster, binaries));
	await createDatabase(urlOf(cluster, port, "postgres"));
	return { url: urlOf(cluster, port, NAME), stop: () => stopServer(cluster, binaries) };
}

/** The server of the live process that holds the lock, for a command that works beside it. */
async function joinServer(cluster: Cluster, heldBy: number): Promise<EmbeddedServer> {
	const postmaster = existsSync(cluster.passwordFile) ? await adoptServer(cluster) : null;
	if (!postmaster)
		throw new DatabaseProblem(`Plimsoll (process ${heldBy}) is just starting or stopping; try again.`);
	return { url: urlOf(cluster, postmaster.port, NAME), stop: async () => {} };
}

/**
 * Starts the private server of a data folder, or adopts the one left there by an app that was killed.
 * @param beside work beside a running app on its server instead of refusing
 * @throws DatabaseProblem where another process uses the folder or no server can run in it
 */
export async function startEmbedded(
	dataDir: string,
	say: (line: string) => void,
	beside = false,
): Promise<EmbeddedServer> {
	const cluster = describeCluster(dataDir, say);
	prepareFolder(cluster);
	const lock = await lockFolder(dataDir);
	if ("heldBy" in lock) {
		if (beside) return joinServer(cluster, lock.heldBy);
		throw new DatabaseProblem(
			`Another Plimsoll (process ${lock.heldBy}) is already running on ${dataDir}. ` +
				`Stop it, or give this one a folder of its own with DATA_DIR.`,
		);
	}
	try {
		const server = await bringUp(cluster);
		return { url: server.url, stop: () => server.stop().finally(lock.release) };
	} catch (error) {
		lock.release();
		throw error;
	}
}
