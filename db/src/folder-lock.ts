import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "./problem.ts";

/** Who uses a data folder. `started` tells a process from a later one with the same number; null: unknown. */
interface Holder {
	pid: number;
	started: string | null;
}

export interface FolderLock {
	release(): void;
}

/** Folders locked by this very process, whose pid alone would look like a leftover of an earlier container. */
const held = new Set<string>();

/** Whether a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return codeOf(error) === "EPERM";
	}
}

/** Boot and clock tick at which a process started, where the system tells (Linux). */
function startOf(pid: number): string | null {
	try {
		const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
		// The name in parentheses may hold spaces; field 22 of the file is the 20th after it.
		const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
			.replace(/^.*\) /s, "")
			.split(" ");
		return `${boot} ${fields[19]}`;
	} catch {
		return null;
	}
}

/** Who the lock file names; read twice, because its owner may be just about to write it. */
async function readHolder(file: string): Promise<Holder | null> {
	for (const patience of [100, 0]) {
		try {
			return JSON.parse(readFileSync(file, "utf8"));
		} catch {
			await sleep(patience);
		}
	}
	return null;
}

function isLive(holder: Holder, file: string): boolean {
	if (holder.pid === process.pid) return held.has(file);
	if (!isAlive(holder.pid)) return false;
	return holder.started === null || holder.started === startOf(holder.pid);
}

/**
 * Takes the lock of a data folder for this process.
 * @returns the lock, or the pid of the live process that holds it
 */
export async function lockFolder(dataDir: string): Promise<FolderLock | { heldBy: number }> {
	const file = join(dataDir, "plimsoll.lock");
	const me: Holder = { pid: process.pid, started: startOf(process.pid) };
	for (;;) {
		try {
			writeFileSync(file, JSON.stringify(me), { flag: "wx", mode: 0o644 });
			held.add(file);
			return { release: () => releaseLock(file) };
		} catch (error) {
			if (codeOf(error) !== "EEXIST") throw error;
		}
		const holder = await readHolder(file);
		if (holder && isLive(holder, file)) return { heldBy: holder.pid };
		rmSync(file, { force: true });
	}
}

function releaseLock(file: string): void {
	if (held.delete(file)) rmSync(file, { force: true });
}
