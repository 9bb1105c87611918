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

/** Something that the command started may hold its streams open for ever: after this silence they are left. */
const SILENT_TICKS = 10;
const TICK_MS = 500;

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
		const activity: Activity = { chunks: 0, writing: 0 };
		const passed = Promise.all([
			passOn(child.stdout, process.stdout, kept.stdout, activity),
			passOn(child.stderr, process.stderr, kept.stderr, activity),
		]);
		const [exitCode, signal] = await ended(child, program);
		await Promise.race([passed, silence(activity)]);
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

/** What the streams of a command are doing. */
interface Activity {
	chunks: number;
	/** Chunks that their reader has not taken yet: a pager may let them wait. */
	writing: number;
}

async function passOn(from: Readable, to: Writable, kept: Spool, activity: Activity): Promise<void> {
	// A reader that went away (| head) does not end the benchmark.
	to.on("error", ignore);
	try {
		for await (const chunk of from) {
			activity.chunks++;
			activity.writing++;
			await Promise.all([written(to, chunk), kept.write(chunk)]);
			activity.writing--;
		}
	} catch {
		// Left after the command's end: the rest came from something that it left running.
	}
}

/** Waits until the streams are silent. Counts turns, not time: a slow reader stops this process with the clock on. */
async function silence(activity: Activity): Promise<void> {
	for (let ticks = 0, chunks = activity.chunks; ticks < SILENT_TICKS; ticks++) {
		await sleep(TICK_MS, null, { ref: false });
		if (activity.chunks !== chunks || activity.writing > 0) ticks = 0;
		chunks = activity.chunks;
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
