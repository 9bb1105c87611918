import { count, finite, isRecord, positive, text } from "../fields.ts";
import type { Conditions, Item } from "../record.ts";
import { singleReading } from "../single-reading.ts";
import { UNKNOWN_LOAD } from "./timings.ts";

type Answer = Record<string, unknown>;

/** Whether a value is an answer of llama-server with its timings. */
export function isTimed(value: unknown): value is Answer & { timings: Answer } {
	if (!isRecord(value) || !isRecord(value.timings)) return false;
	return "predicted_ms" in value.timings || "prompt_ms" in value.timings;
}

/** Whether the answer was made with drafted tokens, which decides its speed. */
export const isDrafted = (timings: Answer): boolean => positive(timings.draft_n) !== null;

/**
 * The two readings of an answer: prompt_ms for prompt_n tokens over cache_n, and predicted_ms for the
 * predicted_n − 1 steps behind the first token.
 * @param wrapper the recorder's line around the answer, or the answer itself
 */
export function timingItems(
	answer: Answer & { timings: Answer },
	wrapper: Answer,
	conditions: Conditions,
	at: string,
): Item[] {
	const { timings } = answer;
	// A recorder that says "one request at a time" settles what the answer alone leaves open.
	const doubts = finite(wrapper.concurrency) === 1 ? [] : [UNKNOWN_LOAD];
	const prompt = count(timings.prompt_n) ?? 0;
	const cached = cachedTokens(timings, answer);
	return [
		promptItem(timings, prompt, cached, doubts, conditions, `${at} prompt`),
		stepItem(timings, cached + prompt, doubts, conditions, `${at} predicted`),
	];
}

function promptItem(
	timings: Answer,
	tokens: number,
	cached: number,
	doubts: string[],
	conditions: Conditions,
	at: string,
): Item {
	const ms = positive(timings.prompt_ms);
	if (tokens < 1 || ms === null) {
		return { kind: "aside", at, reason: "no prompt token was processed: all came from the cache" };
	}
	const reading = { ...singleReading(conditions, ms / 1000, doubts), notes: draftNotes(timings) };
	return { kind: "measurement", at, measurement: { ...reading, phase: "prefill", tokens, cached, batch: 1 } };
}

function stepItem(
	timings: Answer,
	before: number,
	doubts: string[],
	conditions: Conditions,
	at: string,
): Item {
	const generated = (count(timings.predicted_n) ?? 0) - 1;
	const ms = positive(timings.predicted_ms);
	if (generated < 1 || ms === null) {
		return { kind: "aside", at, reason: "one token has no decode step: the prompt pass makes it" };
	}
	const reading = { ...singleReading(conditions, ms / 1000 / generated, doubts), notes: draftNotes(timings) };
	const context = before + (generated - 1) / 2;
	return {
		kind: "measurement",
		at,
		measurement: { ...reading, phase: "decode", batch: 1, context, generated },
	};
}

function draftNotes(timings: Answer): string[] {
	if (!isDrafted(timings)) return [];
	return [`speculative decoding: ${timings.draft_n_accepted} of ${timings.draft_n} drafted tokens accepted`];
}

/** Prompt tokens that came from the cache; builds before b6673 tell only by the length of the whole prompt. */
function cachedTokens(timings: Answer, answer: Answer): number {
	const stated = count(timings.cache_n);
	if (stated !== null) return stated;
	const usage = isRecord(answer.usage) ? answer.usage : {};
	const whole = count(answer.tokens_evaluated) ?? count(usage.prompt_tokens);
	return whole === null ? 0 : Math.max(0, whole - (count(timings.prompt_n) ?? whole));
}

/** Whether a value is a runner's summary: rates of requests without their prompts. */
export function isSummary(value: Answer): value is Answer & { results: unknown[] } {
	const [first] = Array.isArray(value.results) ? value.results : [];
	return isRecord(first) && "predicted_per_second" in first;
}

/** Settings that such a summary states, as flags. */
export function summaryFlags(summary: Answer): Conditions["flags"] {
	const speculative = text(summary.spec_flags);
	const toolbox = text(summary.toolbox);
	return {
		...(speculative === null || speculative === "(none)" ? {} : { speculative }),
		...(toolbox === null ? {} : { toolbox }),
	};
}

/** One request of a summary: seconds per token from its rate. */
export function summaryItem(
	result: unknown,
	at: string,
	conditions: Conditions,
	startedAt: string | null,
): Item {
	const row = isRecord(result) ? result : {};
	const rate = positive(row.predicted_per_second);
	const generated = count(row.predicted_n);
	if (rate === null || generated === null || generated < 2) {
		return { kind: "rejected", at, reason: "predicted_per_second and predicted_n must be numbers above 0" };
	}
	const doubt = "the length of the prompt is not in the file, so the context is not known";
	const reading = { ...singleReading(conditions, 1 / rate, [doubt]), startedAt, notes: draftNotes(row) };
	const measurement = {
		...reading,
		phase: "decode" as const,
		batch: 1,
		context: (generated - 1) / 2,
		generated,
	};
	return { kind: "measurement", at, measurement };
}
