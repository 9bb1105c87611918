import type { LoadAnswer } from "@plimsoll/api/model";
import type { LoadTask, LoadTold } from "./load-worker.ts";

/** Simulations in a thread of the browser: the latest question is answered, one before it is given up. */
export class LoadRun {
	/** How far the running one is, 0…1; null: none runs. */
	share = $state<number | null>(null);
	/** The last answer; it stays while the next is worked out. */
	answer = $state.raw<LoadAnswer | null>(null);
	failure = $state<string | null>(null);
	/** Whether the reader gave the last one up. */
	cancelled = $state(false);
	#worker: Worker | null = null;
	/** As `share` says, for those who must not be told when it changes. */
	#busy = false;

	/** Simulates; what runs is given up. */
	start(task: LoadTask): void {
		this.stop();
		this.cancelled = false;
		this.failure = null;
		this.share = 0;
		this.#busy = true;
		this.#worker ??= this.#open();
		this.#worker.postMessage(task);
	}

	/** Gives up what runs: a thread cannot be asked to stop, only ended. */
	cancel(): void {
		if (!this.#busy) return;
		this.stop();
		this.cancelled = true;
	}

	/** Ends what runs without a word. */
	stop(): void {
		if (!this.#busy) return;
		this.#worker?.terminate();
		this.#worker = null;
		this.#end();
	}

	fail(reason: string): void {
		this.stop();
		this.failure = reason;
	}

	#end(): void {
		this.#busy = false;
		this.share = null;
	}

	close(): void {
		this.#worker?.terminate();
		this.#worker = null;
	}

	#open(): Worker {
		const worker = new Worker(new URL("./load-worker.ts", import.meta.url), { type: "module" });
		worker.onmessage = ({ data }: MessageEvent<LoadTold>) => this.#hear(data);
		worker.onerror = () => this.fail("The simulator could not be started in this browser.");
		return worker;
	}

	#hear(told: LoadTold): void {
		if ("share" in told) this.share = told.share;
		else {
			this.#end();
			if ("answer" in told) this.answer = told.answer;
			else this.failure = told.problem;
		}
	}
}
