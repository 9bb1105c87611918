import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { isAlive } from "./folder-lock.ts";
import { codeOf, DatabaseProblem } from "./problem.ts";

/** A server that is busy starting or stopping is waited for this long. */
const PATIENCE_SECONDS = 60;

/** What postmaster.pid says: process, port, and whether the server accepts connections. */
export interface Postmaster {
	pid: number;
	port: number;
	ready: boolean;
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
export async function adoptServer(cluster: Cluster): Promise<Postmaster | null> {
	const deadline = Date.now() + PATIENCE_SECONDS * 1000;
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
	`The private PostgreSQL (process ${pid}) has been starting or stopping for ${PATIENCE_SECONDS} s; see ${logFile}.`;
