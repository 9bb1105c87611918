import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ending } from "./conditions.ts";
import type { Spool } from "./spool.ts";

/** A program that cannot be started. */
export class NotStarted extends Error {
	override readonly name = "NotStarted";
	/** What a shell would end with: 127 not found, 126 not executable. */
	readonly exitCode: number;

	constructor(program: string, error: NodeJS.ErrnoException) {
		const missing = error.code === "ENOENT";
		super(missing ? `${program}: not found on the PATH` : `${program}: cannot be started (${error.message})`);
		this.exitCode = missing ? 127 : 126;
	}
}

/** Something that the command started may hold its streams open for ever; what it prints is no benchmark. */
const AFTERGLOW_MS = 5_000;

/** Where a command's output goes besides the terminal. */
export interface Kept {
	stdout: Spool;
	stderr: Spool;
}

/**
 * Runs a command with this process's standard input; its output passes through unchanged and is kept.
 * @throws NotStarted
 */
export async function runChild(
	[program, ...given]: readonly [string, ...string[]],
	kept: Kept,
): Promise<Ending> {
	const child = spawn(program, given, { stdio: ["inherit", "pipe", "pipe"] });
	const release = forwardSignals(child);
	try {
		const passed = Promise.all([
			passOn(child.stdout, process.stdout, kept.stdout),
			passOn(child.stderr, process.stderr, kept.stderr),
		]);
		const [exitCode, signal] = await ended(child, program);
		await Promise.race([passed, sleep(AFTERGLOW_MS, null, { ref: false })]);
		child.stdout.destroy();
		child.stderr.destroy();
		return { exitCode, signal };
	} finally {
		release();
	}
}

async function ended(child: ChildProcess, program: string): Promise<[number | null, NodeJS.Signals | null]> {
	try {
		const [exitCode, signal] = await once(child, "exit");
		return [exitCode, signal];
	} catch (error) {
		throw new NotStarted(program, error as NodeJS.ErrnoException);
	}
}

async function passOn(from: Readable, to: Writable, kept: Spool): Promise<void> {
	// A reader that went away (| head) does not end the benchmark.
	to.on("error", ignore);
	try {
		for await (const chunk of from) await Promise.all([written(to, chunk), kept.write(chunk)]);
	} catch {
		// Cut after the command's end: the rest came from something it left running.
	}
}

const ignore = () => {};

function written(to: Writable, chunk: Uint8Array): Promise<void> {
	return new Promise((resolve) => to.write(chunk, () => resolve()));
}

/** What a terminal's keys send; it sends them to the command too. */
const FROM_KEYS: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];

/**
 * Keeps this process alive until the command has ended, and hands signals on to it. A terminal has done so
 * already: a second Ctrl-C would make many programs drop their results.
 */
function forwardSignals(child: ChildProcess): () => void {
	const isTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
	const handlers = [...FROM_KEYS, "SIGTERM" as const, "SIGHUP" as const].map((signal) => {
		const handler = () => {
			if (!isTerminal || !FROM_KEYS.includes(signal)) child.kill(signal);
		};
		return [signal, handler] as const;
	});
	for (const [signal, handler] of handlers) process.on(signal, handler);
	return () => {
		for (const [signal, handler] of handlers) process.off(signal, handler);
	};
}
