import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const MAIN = resolve(import.meta.dirname, "../../cli/src/main.ts");

export interface CommandOutcome {
	code: number | null;
	signal: NodeJS.Signals | null;
	stdout: string;
	stderr: string;
}

export interface CommandOptions {
	env?: Record<string, string>;
	/** What it reads from its standard input; null: that stays open, for `meanwhile` to write. */
	input?: string | Uint8Array | null;
	cwd?: string;
	/** The program instead of the sources: a built file, another Node. */
	program?: readonly [string, ...string[]];
	/** Sees the process while it runs. */
	meanwhile?: (child: ChildProcess) => unknown;
}

/** Runs `plimsoll` as a process of its own to its end, without the caller's own settings. */
export async function plimsoll(
	given: readonly string[],
	options: CommandOptions = {},
): Promise<CommandOutcome> {
	const { PLIMSOLL_URL: _url, PLIMSOLL_KEY: _key, ...inherited } = process.env;
	const [program, ...first] = options.program ?? [process.execPath, MAIN];
	const child = spawn(program, [...first, ...given], {
		env: { ...inherited, ...options.env },
		...(options.cwd === undefined ? {} : { cwd: options.cwd }),
	});
	let stdout = "";
	let stderr = "";
	child.stdout.on("data", (chunk) => {
		stdout += chunk;
	});
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	child.stdin.on("error", () => {});
	if (options.input !== null) child.stdin.end(options.input ?? "");
	const closed = once(child, "close");
	await options.meanwhile?.(child);
	const [code, signal] = await closed;
	return { code, signal, stdout, stderr };
}
