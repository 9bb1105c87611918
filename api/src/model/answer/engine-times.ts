import type { Prediction } from "../time/curves.ts";
import type { SharedPassage } from "../time/passage.ts";
import { predictPrefill } from "../time/prefill.ts";
import { weakest } from "../trust/quantity.ts";
import { banded } from "./banded.ts";
import { lawPassages, type TimesByRunning } from "./law-passages.ts";
import type { Laws } from "./laws.ts";
import type { LoadPoint } from "./load-point.ts";
import { prefersServe, servedTimes } from "./served-times.ts";

/** One engine's times by the number of sequences that run, and what they rest on. */
export interface EngineTimes extends TimesByRunning {
	/** Uncached prompt alone on the engine, seconds. */
	prefill: Prediction | null;
	/** Whether the client-side law was used. */
	served: boolean;
	/** The passes behind the times; null where the client-side law was used. */
	shared: ((running: number) => SharedPassage) | null;
}

/**
 * Times by the client-side law where it knows more, else by the laws of prefill and decode.
 * @param running sequences at once, ≥ 1, at which the bounds are taken
 * @param chunkTokens prompt tokens of one pass
 * @returns null where neither a measurement nor an estimate gives the times
 */
export function engineTimes(
	laws: Laws,
	at: LoadPoint,
	running: number,
	chunkTokens: number,
): EngineTimes | null {
	const { context, output } = at;
	const cached = Math.min(context - 1, Math.round(at.cached * context));
	const promptTokens = context - cached;
	const prefill =
		laws.prefill &&
		banded(predictPrefill(laws.prefill.fit, { tokens: promptTokens, cached }), laws.prefill.fit.n);
	const question = { promptTokens, context, output, running, chunkTokens };
	if (laws.serve && cached === 0 && prefersServe(laws, laws.serve, question)) {
		const served = servedTimes(laws, prefill, question);
		if (served) return { ...served, prefill, served: true, shared: null };
	}
	const passages = lawPassages(laws, prefill, question);
	if (!passages) return null;
	const middle = passages.at("mean");
	return {
		middle,
		low: passages.at("low"),
		high: passages.at("high"),
		prefill,
		prefillEvidence: weakest(prefill?.evidence ?? "assumed", laws.prefill?.evidence ?? "assumed"),
		decodeEvidence: passages.decodeEvidence,
		served: false,
		shared: middle,
	};
}
