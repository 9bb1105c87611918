import { type Stats, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";

/** The user that the private server runs as, where that is not the user of this process. */
export interface ServerUser {
	uid: number;
	gid: number;
}

/** "nobody" on every common system: owns nothing, may nothing. */
export const NOBODY: ServerUser = { uid: 65534, gid: 65534 };

/**
 * PostgreSQL refuses to run as root. For root: the owner of an existing cluster, else nobody.
 * For everybody else null: the server runs as the process itself.
 */
export function serverUser(clusterFolder: string): ServerUser | null {
	if (process.geteuid?.() !== 0) return null;
	const owner = statSync(clusterFolder, { throwIfNoEntry: false });
	return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY;
}

/** Whether the system knows the user of this process by name: a container may run under any number. */
export function hasAccount(): boolean {
	try {
		userInfo();
		return true;
	} catch {
		return false;
	}
}

function mayEnter(folder: Stats, user: ServerUser): boolean {
	if (folder.uid === user.uid) return (folder.mode & 0o100) !== 0;
	if (folder.gid === user.gid) return (folder.mode & 0o010) !== 0;
	return (folder.mode & 0o001) !== 0;
}

/** The first folder on the way to `path` that the user may not enter; null: the way is free. */
export function blockingFolder(path: string, user: ServerUser): string | null {
	const folder = resolve(path);
	const above = dirname(folder) === folder ? null : blockingFolder(dirname(folder), user);
	if (above !== null) return above;
	const stats = statSync(folder, { throwIfNoEntry: false });
	return stats?.isDirectory() && !mayEnter(stats, user) ? folder : null;
}
