import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppDeps, createApp } from "@plimsoll/api";
import { openDatabase } from "@plimsoll/db";
import { createLog } from "../../api/src/log.ts";
import { freshDatabase } from "./database.ts";

/** The app over a database of its own, called without sockets. */
export interface TestApp {
	app: ReturnType<typeof createApp>;
	deps: AppDeps;
	/** A call to /api/v1, its body read as JSON where it is JSON. */
	call(
		method: string,
		path: string,
		body?: RequestInit["body"],
		headers?: Record<string, string>,
	): Promise<Answer>;
	close(): Promise<void>;
}

export interface Answer {
	status: number;
	headers: Headers;
	// Tests look into answers of every kind; what they expect stands in their assertions.
	// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
	body: any;
}

/** Opens an app on a fresh, migrated database. `deps` replaces parts of what it is made of. */
export async function testApp(deps: Partial<Pick<AppDeps, "access" | "limits">> = {}): Promise<TestApp> {
	const fresh = await freshDatabase();
	const folder = mkdtempSync(join(tmpdir(), "plimsoll-api-"));
	const database = await openDatabase({ url: fresh.url, dataDir: folder });
	const complete: AppDeps = {
		database,
		access: { keysNeeded: false, hosts: [] },
		limits: { maxBodyBytes: 64 * 1024 * 1024, spoolFolder: folder },
		log: createLog("silent"),
		...deps,
	};
	const app = createApp(complete);
	return {
		app,
		deps: complete,
		call: async (method, path, body, headers = {}) => {
			const response = await app.request(`/api/v1${path}`, { method, body: body ?? null, headers });
			return { status: response.status, headers: response.headers, body: await readBody(response) };
		},
		close: async () => {
			await database.close();
			await fresh.drop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

async function readBody(response: Response): Promise<unknown> {
	const json = /\bjson\b/.test(response.headers.get("content-type") ?? "");
	return json ? response.json() : Buffer.from(await response.arrayBuffer());
}

/** A run in the canonical form. */
export function canonical(fields: Record<string, unknown>, measurements: Record<string, unknown>[]): string {
	return JSON.stringify({
		...{ plimsoll: 1, gpu: "H100 SXM 80GB", gpus: 1, model: "llama-3.1-8b", engine: "vllm" },
		...{ weights: "bf16", kv: "bf16", tp: 1 },
		...fields,
		measurements,
	});
}
