import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a file is there and may be run. */
export function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** Every program of that name on the PATH, in its order. */
export function programsOnPath(name: string): string[] {
	const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
	return [...new Set(folders.map((folder) => join(folder, name)))].filter(isProgram);
}
