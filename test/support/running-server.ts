import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

export interface Outcome {
	code: number | null;
	stdout: string;
	stderr: string;
}

export interface RunningServer {
	url: string;
	port: number;
	pid: number;
	/** What it has printed so far. */
	printed(): string;
	/** Sends a signal and waits for the end. */
	stop(signal?: NodeJS.Signals): Promise<Outcome>;
	ended: Promise<Outcome>;
}

type Settings = Record<string, string>;

/** The caller's environment without the product's settings, then the given ones; a free port by default. */
function environmentOf(settings: Settings): NodeJS.ProcessEnv {
	const { DATABASE_URL: _url, PORT: _port, HOST: _host, DATA_DIR: _dir, ...rest } = process.env;
	return { ...rest, PORT: "0", ...settings };
}

function collect(child: ChildProcess): { outcome: Promise<Outcome>; printed(): string } {
	let stdout = "";
	let stderr = "";
	child.stdout?.on("data", (chunk) => {
		stdout += chunk;
	});
	child.stderr?.on("data", (chunk) => {
		stderr += chunk;
	});
	const outcome = once(child, "close").then(([code]) => ({ code, stdout, stderr }));
	return { outcome, printed: () => stdout };
}

/** Runs a script of the project to its end. */
export function runScript(script: string, args: string[], settings: Settings): Promise<Outcome> {
	const child = spawn(process.execPath, [resolve(root, script), ...args], { env: environmentOf(settings) });
	return collect(child).outcome;
}

/**
 * Starts the server as a process of its own and waits until it says that it is ready.
 * @throws Error with all it printed where it ends before
 */
export async function startServer(settings: Settings): Promise<RunningServer> {
	const child = spawn(process.execPath, [resolve(root, "api/src/server.ts")], {
		env: environmentOf(settings),
	});
	const { outcome, printed } = collect(child);
	const ready = new Promise<string>((found) => {
		child.stdout.on("data", () => {
			const address = /ready at (http:\S+)/.exec(printed())?.[1];
			if (address) found(address);
		});
	});
	const failed = outcome.then(({ stdout, stderr }): never => {
		throw new Error(`the server ended before it was ready:\n${stdout}${stderr}`);
	});
	const url = await Promise.race([ready, failed]);
	failed.catch(() => {});
	return {
		url,
		port: Number(new URL(url).port),
		pid: child.pid ?? Number.NaN,
		printed,
		stop: (signal = "SIGTERM") => {
			child.kill(signal);
			return outcome;
		},
		ended: outcome,
	};
}
