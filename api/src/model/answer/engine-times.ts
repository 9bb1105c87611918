import type { Prediction } from "../time/curves.ts";
import type { SharedPassage } from "../time/passage.ts";
import { weakest } from "../trust/quantity.ts";
import { aloneOf } from "./banded.ts";
import { type CarriedTimes, carriedTimes } from "./carried-times.ts";
import { type EngineQuestion, lawPassages, type TimesByRunning } from "./law-passages.ts";
import type { Laws } from "./laws.ts";
import type { LoadPoint } from "./load-point.ts";
import { nearestSeen, nearSeen, prefersServe, servedTimes } from "./served-times.ts";

/** One engine's times by the number of sequences that run, and what they rest on. */
export interface EngineTimes extends TimesByRunning {
	/** Uncached prompt alone on the engine, seconds. */
	prefill: Prediction | null;
	/** Whether the client-side law was used. */
	served: boolean;
	/** What the client-side law was carried over by; null where it answers as it is, or not at all. */
	carried: Pick<CarriedTimes, "parts" | "from"> | null;
	/** The passes behind the times; null where the client-side law was used. */
	shared: ((running: number) => SharedPassage) | null;
}

/** What one engine is asked. */
export interface EngineAsk {
	/** Sequences at once, ≥ 1, at which the bounds are taken. */
	running: number;
	/** Prompt tokens of one pass. */
	chunkTokens: number;
	/** Sequences that the setup held on which clients measured, ≥ 1; as many as here where it is this one. */
	placesSeen: number;
}

/**
 * Times by the client-side law where it knows more, else by the laws of prefill and decode.
 * @returns null where neither a measurement nor an estimate gives the times
 */
export function engineTimes(laws: Laws, at: LoadPoint, ask: EngineAsk): EngineTimes | null {
	const { context, output } = at;
	const { running, chunkTokens } = ask;
	const cached = Math.min(context - 1, Math.round(at.cached * context));
	const promptTokens = context - cached;
	const prefill = aloneOf(laws, promptTokens, cached);
	const question = { promptTokens, context, output, running, chunkTokens };
	const served = clientsTimes(laws, prefill, question, ask.placesSeen);
	if (served) return { carried: null, ...served, prefill, served: true, shared: null };
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
		...{ served: false, carried: null },
		shared: middle,
	};
}

/** Times as clients saw them, carried over where they saw another setup, other lengths, or nothing cached. */
function clientsTimes(
	laws: Laws,
	prefill: Prediction | null,
	question: EngineQuestion,
	placesSeen: number,
): (TimesByRunning & Partial<Pick<EngineTimes, "carried">>) | null {
	const { serve, seenOn } = laws;
	if (!serve) return null;
	const { context, output } = nearestSeen(serve, question);
	const same = seenOn === null && question.promptTokens === context && question.output === output;
	const there = seenOn ?? laws;
	const alone = same ? prefill : aloneOf(there, context);
	const running = Math.min(question.running, placesSeen);
	const asSeen = { ...question, context, output, promptTokens: context, running };
	if (!prefersServe(there, serve, asSeen)) return null;
	const seen = servedTimes(there, serve, alone, asSeen);
	if (same || !seen) return seen;
	const [before, after] = [lawPassages(there, alone, asSeen), lawPassages(laws, prefill, question)];
	if (!before || !after) return null;
	const near = seenOn === null && question.promptTokens === question.context && nearSeen(serve, question);
	const told = { seen, before, after, asSeen, near };
	const { parts, from, ...times } = carriedTimes(told, laws, placesSeen, question.output);
	return { ...times, carried: { parts, from } };
}
