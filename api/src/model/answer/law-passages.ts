import type { Prediction } from "../time/curves.ts";
import { decodeSeconds, weightsSeconds } from "../time/decode.ts";
import type { Engine } from "../time/load.ts";
import { type SharedEngine, type SharedPassage, sharedPassage } from "../time/passage.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import { stepOf } from "./banded.ts";
import type { Laws } from "./laws.ts";

/** What an engine is asked: one kind of request, and how many of them run. */
export interface EngineQuestion {
	/** Tokens of the prompt that are not cached. */
	promptTokens: number;
	/** Tokens of the whole prompt. */
	context: number;
	/** Tokens generated per request, ≥ 1. */
	output: number;
	/** Sequences at once, ≥ 1. */
	running: number;
	/** Prompt tokens of one pass. */
	chunkTokens: number;
}

/** Times of a request by the number of sequences that run, in the middle and at the bounds of the 95 % interval. */
export interface TimesByRunning {
	middle: Engine["at"];
	low: Engine["at"];
	high: Engine["at"];
	prefillEvidence: Evidence;
	decodeEvidence: Evidence;
}

/** The middle of a time, or a bound of its 95 % interval. */
export type Bound = "mean" | "low" | "high";

export interface LawPassages {
	/** Times of a request by the number of sequences that run. */
	at(bound: Bound): (running: number) => SharedPassage;
	decodeEvidence: Evidence;
}

/**
 * Passages by the laws of prefill and decode; null where one of them is missing.
 * At a bound every step is as much faster or slower as the step of the asked load is.
 */
export function lawPassages(
	{ prefill: law, decode }: Pick<Laws, "prefill" | "decode">,
	prefill: Prediction | null,
	{ promptTokens, context, output, running, chunkTokens }: EngineQuestion,
): LawPassages | null {
	if (!law || !prefill || !decode) return null;
	const mean = context + output / 2;
	const step = (batch: number) => decodeSeconds(decode.fit, { batch, context: mean });
	const one = stepOf(decode, { batch: running, context: mean });
	const weights = weightsSeconds(decode.fit);
	const floor = law.fit.coefficients.f;
	const engineAt = (prefillSeconds: number, scale: number): SharedEngine => ({
		...{ prefillSeconds, output, promptTokens, chunkTokens },
		floorSeconds: Math.min(prefillSeconds, floor * (prefillSeconds / prefill.seconds)),
		stepSeconds: (batch) => scale * step(batch),
		weightsSeconds: scale * weights,
	});
	return {
		at: (bound) => {
			const engine =
				bound === "mean" ? engineAt(prefill.seconds, 1) : engineAt(prefill[bound], one[bound] / one.seconds);
			return (running) => sharedPassage(engine, running);
		},
		decodeEvidence: weakest(one.evidence, decode.evidence),
	};
}
