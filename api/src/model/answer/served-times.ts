import type { DecodeFit, Prediction, ServeFit } from "../time/curves.ts";
import type { DecodeQuestion } from "../time/decode.ts";
import { type Passage, sharedPassage } from "../time/passage.ts";
import { predictPrefill } from "../time/prefill.ts";
import { predictServe } from "../time/serve.ts";
import { weakest } from "../trust/quantity.ts";
import { banded, stepOf } from "./banded.ts";
import type { Law } from "./law.ts";
import { type Bound, type EngineQuestion, lawPassages, type TimesByRunning } from "./law-passages.ts";
import type { Laws } from "./laws.ts";

/** How far beyond its points the client-side law still goes before the laws of prefill and decode. */
const SERVE_REACH = 1.25;

/** Inside its range the client-side law knows more; outside, measured laws of prefill and decode do, an estimate does not. */
export function prefersServe(
	{ prefill, decode }: Laws,
	{ range }: ServeFit,
	{ context, output, running }: EngineQuestion,
): boolean {
	const measured = prefill && decode && prefill.evidence !== "estimated" && decode.evidence !== "estimated";
	return (
		!measured ||
		(near(running, range.concurrency) && near(context, range.input) && near(output, range.output))
	);
}

const near = (value: number, [from, to]: [number, number]): boolean =>
	value >= from / SERVE_REACH && value <= to * SERVE_REACH;

/** Times as clients saw them; beyond the lengths and loads they saw, no faster than prefill and decode allow. */
export function servedTimes(
	laws: Laws,
	prefill: Prediction | null,
	question: EngineQuestion,
): TimesByRunning | null {
	const { context, output, running, chunkTokens } = question;
	const ask = (concurrency: number) =>
		predictServe(
			{ prefill: laws.prefill?.fit ?? null, decode: laws.decode?.fit ?? null, serve: laws.serve },
			{ input: context, output, concurrency },
		);
	const here = ask(running);
	if (here.tpot.mean === null || (here.ttft.mean === null && !prefill)) return null;
	const range = laws.serve?.range;
	// What clients saw at one length says nothing of another: there the prompt costs at least its prefill.
	const seen = range !== undefined && near(context, range.input);
	if (!seen && !prefill) return null;
	const estimated = laws.prefill?.evidence === "estimated";
	const bare = prefill?.seconds ?? 0;
	const edge = range ? edgeScale(laws, question, range) : AS_NOTHING_SEEN;
	// An estimate may not overrule what clients saw: beyond it, it tells how the times go on from there.
	const least = (bound: Bound, scale: number) => {
		if (estimated && seen) return 0;
		return (estimated ? scale : 1) * ((bound === "mean" ? prefill?.seconds : prefill?.[bound]) ?? 0);
	};
	const { decode } = laws;
	const inside = (concurrency: number) => seen && range !== undefined && near(concurrency, range.concurrency);
	const byLaws = lawPassages(laws, prefill, question);
	/** Prefill and decode where clients saw nothing; where they saw a smaller load, no slower than that tells. */
	const floor = (concurrency: number, bound: Bound): Pick<Passage, "first" | "tpot"> => {
		const law = inside(concurrency) ? null : byLaws?.at(bound);
		if (!law) {
			const step =
				!inside(concurrency) && decode
					? stepAt(decode, { batch: concurrency, context: context + output / 2 }, bound)
					: 0;
			return { first: least(bound, 1), tpot: step };
		}
		const here = law(concurrency);
		const scale = edge(concurrency);
		return {
			first: Math.max(least(bound, scale.first), scale.first * here.first),
			tpot: scale.tpot * here.tpot,
		};
	};
	const passage = (bound: Bound) => (concurrency: number) => {
		const { ttft, tpot } = ask(concurrency);
		const slowest = floor(concurrency, bound);
		const each = Math.max(tpot[bound] ?? tpot.mean ?? 0, slowest.tpot);
		// A law without TTFT leaves the first token to the prefills that take turns.
		const turns = sharedPassage(
			{
				...{ prefillSeconds: bare, floorSeconds: 0, promptTokens: context, chunkTokens, output },
				...{ stepSeconds: () => each, weightsSeconds: each },
			},
			concurrency,
		).first;
		const first = Math.max(slowest.first, ttft[bound] ?? ttft.mean ?? turns);
		return { first, tpot: each, cycle: first + (output - 1) * each };
	};
	const capped = (bound: Bound) => {
		if (!range || !seen) return passage(bound);
		// One load alone does not tell how throughput goes on: it may rise as well as stay.
		const [from, to] = range.concurrency;
		return bound === "low" && to / 2 < from
			? passage(bound)
			: withPlateau(passage(bound), range.concurrency, output);
	};
	const lowest = floor(running, "mean");
	return {
		middle: capped("mean"),
		low: capped("low"),
		high: capped("high"),
		prefillEvidence:
			here.ttft.mean === null || !seen || lowest.first > here.ttft.mean
				? weakest(here.evidence, laws.prefill?.evidence ?? "assumed")
				: here.evidence,
		decodeEvidence:
			lowest.tpot > here.tpot.mean ? weakest(here.evidence, decode?.evidence ?? "assumed") : here.evidence,
	};
}

/**
 * Beyond the most requests in flight that were seen, throughput rises no faster than it did up to there: what an engine
 * does not take at once waits, which no law of the times tells. X(B) ≤ X(B₁) · (X(B₁) / X(B₁/2))^log₂(B/B₁)
 */
function withPlateau(
	at: (concurrency: number) => Passage,
	[from, to]: readonly [number, number],
	output: number,
): (concurrency: number) => Passage {
	const rate = (concurrency: number) => concurrency / at(concurrency).cycle;
	let most: { rate: number; growth: number } | undefined;
	return (concurrency) => {
		const here = at(concurrency);
		if (concurrency <= to) return here;
		most ??= { rate: rate(to), growth: to / 2 >= from ? Math.max(1, rate(to) / rate(to / 2)) : 1 };
		const served = most.rate * most.growth ** Math.log2(concurrency / to);
		const cycle = Math.max(here.cycle, concurrency / served);
		return { first: cycle - (output - 1) * here.tpot, tpot: here.tpot, cycle };
	};
}

type Scale = Pick<Passage, "first" | "tpot">;

const AS_IT_IS: Scale = { first: 1, tpot: 1 };
const AS_NOTHING_SEEN = (): Scale => AS_IT_IS;

/**
 * By how much clients were faster than the laws say where what they saw ends, at most 1: beyond it the laws are as fast,
 * so that no step comes of going from the one to the others.
 */
function edgeScale(
	laws: Laws,
	question: EngineQuestion,
	range: ServeFit["range"],
): (concurrency: number) => Scale {
	const within = (value: number, [from, to]: readonly [number, number]) =>
		Math.min(Math.max(value, from), to);
	const [context, output] = [within(question.context, range.input), within(question.output, range.output)];
	const { prefill: law } = laws;
	const prefill = law && banded(predictPrefill(law.fit, { tokens: context }), law.fit.n);
	const told = lawPassages(laws, prefill, { ...question, context, promptTokens: context, output })?.at(
		"mean",
	);
	if (!told) return AS_NOTHING_SEEN;
	const share = (a: number | null, b: number) => (a === null || !(b > 0) ? 1 : Math.min(1, a / b));
	return (concurrency) => {
		const edge = within(concurrency, range.concurrency);
		const seen = predictServe(
			{ prefill: law?.fit ?? null, decode: laws.decode?.fit ?? null, serve: laws.serve },
			{ input: context, output, concurrency: edge },
		);
		const here = told(edge);
		return { first: share(seen.ttft.mean, here.first), tpot: share(seen.tpot.mean, here.tpot) };
	};
}

/** Seconds of a decode step at a bound of its interval. */
function stepAt(law: Law<DecodeFit>, at: DecodeQuestion, bound: Bound): number {
	const step = stepOf(law, at);
	return bound === "mean" ? step.seconds : step[bound];
}
