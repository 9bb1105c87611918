import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { LoadAnswer } from "../model/index.ts";
import { invalidInput, Problem } from "../problem.ts";
import type { Task } from "./worker.ts";

/** What a worker tells. */
type Told = { share: number } | { answer: LoadAnswer } | { problem: string; wrong: boolean };

/** Simulations at the same time: one core is left to everybody else. */
const AT_ONCE = Math.max(1, availableParallelism() - 1);
/** Simulations that may wait for their turn; more are sent away. */
const MOST_WAITING = 8;
const LONGEST_MS = 60_000;
const TOO_LONG = `It takes more than ${LONGEST_MS / 1000} s: ask for fewer requests or without a sweep.`;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Simulates a load in a worker thread; one whose caller goes away is ended.
 * @param told called now and then with the share that is done
 * @throws Problem 400 for a load that cannot be, 503 where too many are waiting or it takes too long
 */
export async function simulate(
	task: Task,
	signal: AbortSignal,
	told: (share: number) => void = () => {},
): Promise<LoadAnswer> {
	await turn(signal);
	try {
		return await inWorker(task, signal, told);
	} finally {
		running--;
		waiting.shift()?.();
	}
}

/** Waits until one of the places is free. */
async function turn(signal: AbortSignal): Promise<void> {
	if (running >= AT_ONCE) {
		if (waiting.length >= MOST_WAITING)
			throw new Problem(503, "Busy", `${AT_ONCE} simulations run and ${MOST_WAITING} wait; try again soon.`);
		await new Promise<void>((resolve, reject) => {
			waiting.push(resolve);
			signal.addEventListener("abort", () => {
				const at = waiting.indexOf(resolve);
				if (at !== -1) waiting.splice(at, 1);
				reject(cancelled());
			});
		});
	}
	running++;
}

const cancelled = () => new Problem(503, "Cancelled", "The caller went away.");

/** A worker that has answered waits for the next task: starting one takes longer than most simulations. */
let idle: Worker | null = null;
const IDLE_MS = 60_000;

function takeWorker(): Worker {
	const worker = idle ?? new Worker(new URL("./worker.ts", import.meta.url));
	idle = null;
	worker.ref();
	return worker;
}

function keepWorker(worker: Worker): void {
	// All listeners would take those along that Node itself needs.
	for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
	if (idle !== null) return void worker.terminate();
	idle = worker;
	worker.unref();
	setTimeout(() => {
		if (idle !== worker) return;
		idle = null;
		void worker.terminate();
	}, IDLE_MS).unref();
}

async function inWorker(task: Task, signal: AbortSignal, told: (share: number) => void): Promise<LoadAnswer> {
	const worker = takeWorker();
	try {
		const answer = await answerOf(worker, task, signal, told);
		keepWorker(worker);
		return answer;
	} catch (error) {
		await worker.terminate();
		throw error;
	}
}

function answerOf(
	worker: Worker,
	task: Task,
	signal: AbortSignal,
	told: (share: number) => void,
): Promise<LoadAnswer> {
	const ended = new AbortController();
	return new Promise<LoadAnswer>((resolve, reject) => {
		const stop = () => reject(cancelled());
		const tooLong = setTimeout(() => reject(new Problem(503, "Too long", TOO_LONG)), LONGEST_MS);
		ended.signal.addEventListener("abort", () => clearTimeout(tooLong));
		signal.addEventListener("abort", stop, { signal: ended.signal });
		worker.on("message", (message: Told) => {
			if ("share" in message) told(message.share);
			else if ("answer" in message) resolve(message.answer);
			else if (message.wrong) reject(invalidInput([{ at: "workload", reason: message.problem }]));
			else reject(new Error(message.problem));
		});
		worker.on("error", reject);
		worker.on("exit", () => reject(new Error("the simulation ended without an answer")));
		if (signal.aborted) stop();
		else worker.postMessage(task);
	}).finally(() => ended.abort());
}
