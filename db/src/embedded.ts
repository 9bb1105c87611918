import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { type Binaries, findBinaries } from "./binaries.ts";
import {
	type Cluster,
	checkVersion,
	createCluster,
	describeCluster,
	failure,
	NAME,
	prepareFolder,
	runProgram,
} from "./cluster.ts";
import { connect } from "./connection.ts";
import { lockFolder } from "./folder-lock.ts";
import { adoptServer } from "./postmaster.ts";
import { DatabaseProblem } from "./problem.ts";

/** A running private server. */
export interface EmbeddedServer {
	/** With its password. */
	url: string;
	/** Stops it; a server that belongs to another process is left running. */
	stop(): Promise<void>;
}

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
			if (error instanceof DatabaseProblem) throw error;
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
