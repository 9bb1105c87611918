import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hasChromium } from "./browser.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const READY = /ready at (http:\/\/\S+)/;
const READY_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 15_000;

/** A whole Plimsoll of its own: one process, its private database, the examples inside. */
export interface Dashboard {
	/** Without a slash at the end. */
	url: string;
	stop(): Promise<void>;
}

/** Names the folder that a first start left, with schema and examples: a copy of it starts in half the time. */
const STARTED_ONCE = "PLIMSOLL_TEST_STARTED_ONCE";

async function emptyFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "plimsoll-e2e-"));
	// Run by root, PostgreSQL works as another user, who must be able to enter.
	await chmod(folder, 0o755);
	return folder;
}

/** Before all tests: starts the product once, as a user would, and keeps its data for all starts that follow. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
	if (!hasChromium) return undefined;
	const dataDir = await emptyFolder();
	const first = await startIn(dataDir, true);
	await first.stop();
	process.env[STARTED_ONCE] = dataDir;
	return () => rm(dataDir, { recursive: true, force: true });
}

/** Starts the product with its examples on a free port and a data folder of its own. `examples` false: an empty one. */
export async function startDashboard({ examples = true } = {}): Promise<Dashboard> {
	const dataDir = await emptyFolder();
	const started = process.env[STARTED_ONCE];
	// Owners and modes too: PostgreSQL refuses a folder that others may read.
	if (examples && started) execFileSync("cp", ["-a", `${started}/.`, dataDir]);
	const dashboard = await startIn(dataDir, examples);
	return {
		url: dashboard.url,
		async stop() {
			await dashboard.stop();
			await rm(dataDir, { recursive: true, force: true });
		},
	};
}

async function startIn(dataDir: string, examples: boolean): Promise<Dashboard> {
	if (!existsSync(join(ROOT, "web/build/handler.js")))
		throw new Error("The dashboard is not built: run `npm run build` first");
	const { DATABASE_URL: _, ...inherited } = process.env;
	const server = spawn(process.execPath, ["api/src/server.ts"], {
		cwd: ROOT,
		env: { ...inherited, PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir, EXAMPLES: examples ? "on" : "off" },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	const url = await new Promise<string>((ready, fail) => {
		const timer = setTimeout(
			() => fail(new Error(`The server was not ready in time:\n${said}`)),
			READY_WITHIN_MS,
		);
		const hear = (chunk: Buffer) => {
			said += chunk.toString();
			const address = READY.exec(said)?.[1];
			if (!address) return;
			clearTimeout(timer);
			ready(address.replace(/\/$/, ""));
		};
		server.stdout.on("data", hear);
		server.stderr.on("data", hear);
		server.once("exit", (code) => fail(new Error(`The server ended with ${code}:\n${said}`)));
	}).catch(async (error) => {
		server.kill("SIGKILL");
		await rm(dataDir, { recursive: true, force: true });
		throw error;
	});
	// A server that ends before it is told to would otherwise show only as refused connections.
	const complain = (code: number | null, signal: string | null) =>
		console.error(`The server ended by itself (${code ?? signal}):\n${said}`);
	server.once("exit", complain);
	return {
		url,
		async stop() {
			server.off("exit", complain);
			const ended = once(server, "exit");
			server.kill("SIGTERM");
			const timer = setTimeout(() => server.kill("SIGKILL"), STOP_WITHIN_MS);
			if (server.exitCode === null) await ended;
			clearTimeout(timer);
		},
	};
}
