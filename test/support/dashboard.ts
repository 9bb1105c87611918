import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

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

/** Starts the product as a user would, on a free port and an empty data folder. `examples` false: an empty one. */
export async function startDashboard({ examples = true } = {}): Promise<Dashboard> {
	if (!existsSync(join(ROOT, "web/build/handler.js")))
		throw new Error("The dashboard is not built: run `npm run build` first");
	const dataDir = await mkdtemp(join(tmpdir(), "plimsoll-e2e-"));
	// Run by root, PostgreSQL works as another user, who must be able to enter.
	await chmod(dataDir, 0o755);
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
			await rm(dataDir, { recursive: true, force: true });
		},
	};
}
