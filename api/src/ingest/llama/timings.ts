import type { Conditions, Item } from "../record.ts";
import { singleReading } from "../single-reading.ts";

const TIMING = /\b(prompt eval|eval) time =\s*([\d.]+) ms \/\s*(\d+) (tokens|runs)/;
const SLOT = /\bid +(\d+) \| task +-?\d+ \|/;
const LAUNCHED = /\bprocessing task\b/;
const RELEASED = /\bstop processing\b/;
const CACHED = /\bcached n_tokens = (\d+)|(?:memory_seq_rm|kv cache rm) \[(\d+), end\)/;

/** Why the speed of a server request says little about a configuration. */
export const UNKNOWN_LOAD = "how many other requests ran beside this one is not in the file";

/** A request in a slot of the server, or the one run of llama-cli. */
interface Request {
	/** Whether its beginning was seen, so that its company is known. */
	launched: boolean;
	/** Whether another slot was busy at any time of it. */
	crowded: boolean;
	/** Prompt tokens taken from the cache. */
	cached: number;
	/** Prompt tokens processed; null: not seen. */
	prompt: number | null;
}

/**
 * Collects the pair "prompt eval time", "eval time" that llama-cli and llama-server print per request.
 * A server counts the first token, which the prompt pass makes, among its tokens; llama-cli counts "runs".
 */
export class LlamaTimings {
	private readonly requests = new Map<string, Request>();

	/** Items that a line completes; null where it is no timing. */
	take(line: string, at: string, conditions: () => Conditions): Item[] | null {
		const slot = SLOT.exec(line)?.[1];
		if (slot !== undefined) this.follow(slot, line);
		const [, phase, ms, tokens, word] = TIMING.exec(line) ?? [];
		if (phase === undefined) return null;
		const request = this.requests.get(slot ?? "") ?? newRequest();
		this.requests.set(slot ?? "", request);
		const seconds = Number(ms) / 1000;
		const doubts = slot === undefined ? [] : doubtsAbout(request);
		if (phase === "prompt eval") {
			request.prompt = Number(tokens);
			return [promptItem(request, seconds, doubts, conditions, at)];
		}
		const steps = word === "runs" ? Number(tokens) : Number(tokens) - 1;
		if (slot === undefined) this.requests.delete("");
		return [stepItem(request, seconds, steps, doubts, conditions, at)];
	}

	private follow(slot: string, line: string): void {
		if (LAUNCHED.test(line)) {
			const busy = [...this.requests.entries()].filter(([other, { launched }]) => launched && other !== slot);
			for (const [, other] of busy) other.crowded = true;
			this.requests.set(slot, { ...newRequest(), launched: true, crowded: busy.length > 0 });
		} else if (RELEASED.test(line)) this.requests.delete(slot);
		const cached = CACHED.exec(line);
		const request = this.requests.get(slot);
		// The first such line is that of the prompt's beginning; later ones follow its chunks.
		if (cached !== null && request?.cached === 0) request.cached = Number(cached[1] ?? cached[2]);
	}
}

function newRequest(): Request {
	return { launched: false, crowded: false, cached: 0, prompt: null };
}

function doubtsAbout({ launched, crowded }: Request): string[] {
	if (!launched) return [UNKNOWN_LOAD];
	return crowded ? ["other slots of the server were busy at the same time"] : [];
}

function promptItem(
	request: Request,
	seconds: number,
	doubts: string[],
	conditions: () => Conditions,
	at: string,
): Item {
	const { prompt, cached } = request;
	if (!(seconds > 0) || prompt === null || prompt < 1)
		return { kind: "aside", at, reason: "no prompt was processed: 0 ms" };
	const measurement = {
		...singleReading(conditions(), seconds, doubts),
		phase: "prefill" as const,
		tokens: prompt,
		cached,
		batch: 1,
	};
	return { kind: "measurement", at, measurement };
}

function stepItem(
	{ prompt, cached }: Request,
	seconds: number,
	steps: number,
	doubts: string[],
	conditions: () => Conditions,
	at: string,
): Item {
	if (!(seconds > 0) || steps < 1) {
		return { kind: "aside", at, reason: "one token has no decode step: the prompt pass makes it" };
	}
	const unplaced = "the prompt before these tokens is not in the file, so neither is the context";
	const suspicions = prompt === null ? [...doubts, unplaced] : doubts;
	const measurement = {
		...singleReading(conditions(), seconds / steps, suspicions),
		phase: "decode" as const,
		batch: 1,
		context: cached + (prompt ?? 0) + (steps - 1) / 2,
		generated: steps,
	};
	return { kind: "measurement", at, measurement };
}
