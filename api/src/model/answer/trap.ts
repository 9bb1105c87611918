import { figure } from "../trust/figures.ts";
import { type ContextPoint, contextCurve } from "./curves.ts";
import type { PlanFacts, Scenario } from "./question.ts";

/** How one currency grows between two lengths. */
export interface Growth {
	from: number;
	to: number;
	/** to / from. */
	times: number;
	/** Exponent of the power law through both points: ln times / ln length ratio. Good for contrast, not for prediction. */
	exponent: number;
}

/** The context trap: length is paid in three currencies that grow by different laws. null where one is not known. */
export interface Trap {
	fromTokens: number;
	toTokens: number;
	/** At a price per token: grows as the tokens do. */
	money: Growth;
	/** Prefill alone on the engine. */
	time: Growth | null;
	/** Cache of one sequence. */
	memory: Growth | null;
	/** Requests in flight that fit: shrinks. */
	sequences: { from: number; to: number } | null;
	sentence: string;
}

/** Growth between two points. @param tokens the two lengths */
export function growthOf(from: number, to: number, tokens: readonly [number, number]): Growth {
	const times = to / from;
	return { from, to, times, exponent: Math.log(times) / Math.log(tokens[1] / tokens[0]) };
}

/**
 * How money, time and memory grow from one context length to another.
 * @param fromTokens the shorter prompt
 * @param toTokens the longer prompt
 */
export function contextTrap(
	scenario: Scenario,
	facts: PlanFacts,
	fromTokens: number,
	toTokens: number,
): Trap {
	const [short, long] = contextCurve({ ...scenario, concurrency: 1, rate: null }, facts, [
		fromTokens,
		toTokens,
	]) as [ContextPoint, ContextPoint];
	const lengths = [fromTokens, toTokens] as const;
	const between = (from: number | null | undefined, to: number | null | undefined) =>
		from && to ? growthOf(from, to, lengths) : null;
	const money = growthOf(fromTokens, toTokens, lengths);
	const time = between(short.prefill?.seconds, long.prefill?.seconds);
	const memory = between(short.kvBytes, long.kvBytes);
	const sequences =
		short.maxSequences === null || long.maxSequences === null
			? null
			: { from: short.maxSequences, to: long.maxSequences };
	return { fromTokens, toTokens, money, time, memory, sequences, sentence: sentenceOf(money, time, memory) };
}

function sentenceOf(money: Growth, time: Growth | null, memory: Growth | null): string {
	const parts = [`money per token × ${figure(money.times, 3)}`];
	if (time)
		parts.push(`time to the first token × ${figure(time.times, 3)} (exponent ${figure(time.exponent, 3)})`);
	if (memory) parts.push(`cache × ${figure(memory.times, 3)}`);
	return parts.join(", ");
}
