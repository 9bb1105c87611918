import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "@plimsoll/api";
import { type Database, openDatabase } from "@plimsoll/db";
import { createLog } from "../../api/src/log.ts";

/** An app on a private PostgreSQL of its own, for one bench run. */
export interface Place {
	database: Database;
	app: ReturnType<typeof createApp>;
	close(): Promise<void>;
}

export async function openPlace(): Promise<Place> {
	const folder = mkdtempSync(join(tmpdir(), "plimsoll-bench-"));
	// PostgreSQL never runs as root: where the bench does, an unprivileged user must be able to enter.
	chmodSync(folder, 0o755);
	const database = await openDatabase({ dataDir: folder });
	const app = createApp({
		database,
		access: { keysNeeded: false, hosts: [] },
		limits: { maxBodyBytes: 2 ** 30, spoolFolder: folder },
		log: createLog("silent"),
	});
	return {
		database,
		app,
		close: async () => {
			await database.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** Posts a body and gives the answer; throws where it was refused, so that no figure rests on a failure. */
export async function postRun(
	place: Place,
	body: string | Uint8Array<ArrayBuffer>,
	query = "",
): Promise<{ accepted: number; configurations: { id: string }[] }> {
	const response = await place.app.request(`/api/v1/runs${query}`, { method: "POST", body });
	if (response.status !== 201) throw new Error(`POST /runs: ${response.status} ${await response.text()}`);
	return (await response.json()) as { accepted: number; configurations: { id: string }[] };
}

/** The value at a share of the sorted values, nearest rank. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
export const rate = (count: number, ms: number): string =>
	`${Math.round((count / ms) * 1000).toLocaleString("en")}/s`;
