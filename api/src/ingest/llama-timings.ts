import { positive } from "./fields.ts";
import type { Conditions, Item } from "./record.ts";

const TIMING = /\b(prompt eval|eval) time =\s*([\d.]+) ms \/\s*(\d+) (tokens|runs)/;

/** Why the speed of a server request says little about a configuration. */
export const UNKNOWN_LOAD = "how many other requests ran beside this one is not in the file";

interface Timing {
	seconds: number;
	tokens: number;
	/** Lines of a server slot: other slots may have run at the same time. */
	slot: boolean;
	at: string;
}

/**
 * Collects the pair "prompt eval time", "eval time" that llama-cli and llama-server print per request.
 * A server counts the first token, which the prompt pass makes, among its tokens; llama-cli counts "runs".
 */
export class LlamaTimings {
	private prompt: Timing | null = null;

	/** Items that a line completes; null where it is no timing. */
	take(line: string, at: string, conditions: () => Conditions): Item[] | null {
		const match = TIMING.exec(line);
		if (match === null) return null;
		const [, phase, ms, tokens, word] = match;
		const timing = {
			seconds: Number(ms) / 1000,
			tokens: Number(tokens),
			slot: word === "tokens" && /slot|srv/.test(line),
			at,
		};
		if (phase === "prompt eval") {
			this.prompt = timing;
			return promptItems(timing, conditions);
		}
		const steps = word === "runs" ? timing.tokens : timing.tokens - 1;
		const items = stepItems(
			{ ...timing, slot: timing.slot || this.prompt?.slot === true },
			steps,
			this.prompt,
			conditions,
		);
		this.prompt = null;
		return items;
	}
}

function promptItems(timing: Timing, conditions: () => Conditions): Item[] {
	const { at, tokens } = timing;
	if (positive(timing.seconds) === null || tokens < 1)
		return [{ kind: "aside", at, reason: "no prompt was processed: 0 ms" }];
	return [
		{
			kind: "measurement",
			at,
			measurement: {
				...base(timing, timing.seconds, conditions()),
				phase: "prefill",
				tokens,
				cached: 0,
				batch: 1,
			},
		},
	];
}

function stepItems(
	timing: Timing,
	steps: number,
	prompt: Timing | null,
	conditions: () => Conditions,
): Item[] {
	const { at } = timing;
	if (positive(timing.seconds) === null || steps < 1) {
		return [{ kind: "aside", at, reason: "one token has no decode step: the prompt pass makes it" }];
	}
	const context = (prompt?.tokens ?? 0) + (steps - 1) / 2;
	const step = timing.seconds / steps;
	const measurement = {
		...base(timing, step, conditions()),
		phase: "decode" as const,
		batch: 1,
		context,
		generated: steps,
	};
	if (prompt === null)
		measurement.suspicions.push(
			"the prompt before these tokens is not in the file, so neither is the context",
		);
	return [{ kind: "measurement", at, measurement }];
}

function base(timing: Timing, seconds: number, conditions: Conditions) {
	return {
		conditions,
		startedAt: null,
		status: "ok" as const,
		notes: [],
		suspicions: timing.slot ? [UNKNOWN_LOAD] : [],
		seconds: [seconds],
		secondsMean: seconds,
		secondsStd: null,
		repetitions: 1,
		details: {},
	};
}
