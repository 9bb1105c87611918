import type { DecodeFit, Prediction, ServeFit } from "../time/curves.ts";
import type { DecodeQuestion } from "../time/decode.ts";
import { type Passage, sharedPassage } from "../time/passage.ts";
import { predictServe, type ServePrediction } from "../time/serve.ts";
import { weakest } from "../trust/quantity.ts";
import { aloneOf, stepOf } from "./banded.ts";
import type { Law } from "./law.ts";
import { type Bound, type EngineQuestion, lawPassages, type TimesByRunning } from "./law-passages.ts";
import type { Laws } from "./laws.ts";
import { remembering } from "./remembering.ts";

/** How far beyond its points the client-side law still answers alone. */
const SERVE_REACH = 1.25;

/** Under loads that were seen the client-side law knows more; under others measured laws of prefill and decode do, an estimate does not. */
export function prefersServe(
	{ prefill, decode }: Pick<Laws, "prefill" | "decode">,
	{ range }: ServeFit,
	{ running }: Pick<EngineQuestion, "running">,
): boolean {
	const measured = prefill && decode && prefill.evidence !== "estimated" && decode.evidence !== "estimated";
	return !measured || near(running, range.concurrency);
}

/** The lengths nearest to those asked about that the client-side law still speaks of. */
export const nearestSeen = (
	{ range }: ServeFit,
	{ context, output }: Pick<EngineQuestion, "context" | "output">,
): Pick<EngineQuestion, "context" | "output"> => ({
	context: reached(context, range.input),
	output: reached(output, range.output),
});

/** One length alone does not tell what another takes: its law goes no farther. */
function reached(value: number, [from, to]: [number, number]): number {
	const reach = from < to ? SERVE_REACH : 1;
	return Math.min(Math.max(value, from / reach), to * reach);
}

/** Whether lengths are so near to those that clients sent that they hardly differ. */
export const nearSeen = (
	{ range }: ServeFit,
	{ context, output }: Pick<EngineQuestion, "context" | "output">,
): boolean => near(context, range.input) && near(output, range.output);

const near = (value: number, [from, to]: [number, number]): boolean =>
	value >= from / SERVE_REACH && value <= to * SERVE_REACH;

/**
 * Times as clients saw them at the lengths they sent; with more requests in flight than they had, no faster than prefill and
 * decode allow.
 * @param question lengths near those that clients sent
 */
export function servedTimes(
	laws: Pick<Laws, "prefill" | "decode">,
	serve: ServeFit,
	prefill: Prediction | null,
	question: EngineQuestion,
): TimesByRunning | null {
	const { context, output, running, chunkTokens } = question;
	const fits = { prefill: laws.prefill?.fit ?? null, decode: laws.decode?.fit ?? null, serve };
	const askOf = (input: number) =>
		remembering((concurrency) => predictServe(fits, { input, output, concurrency }));
	const ask = askOf(context);
	const here = ask(running);
	if (here.tpot.mean === null || (here.ttft.mean === null && !prefill)) return null;
	const { decode } = laws;
	const { concurrency: seen, input } = serve.range;
	const [from, to] = seen;
	const byLaws = lawPassages(laws, prefill, question);
	// With fewer in flight than clients had, what was seen of the shortest prompts tells most of a step alone.
	const [shortest] = input;
	const askShortest = askOf(shortest);
	const ofShortest = lawPassages(laws, aloneOf(laws, shortest), {
		...question,
		...{ context: shortest, promptTokens: shortest },
	});
	/**
	 * By how much clients were faster than the laws say where what they saw ends, at most 1: beyond it the laws are as fast,
	 * so that no step comes of going from the one to the others.
	 */
	const edgeShare = (concurrency: number): Pick<Passage, "first" | "tpot"> => {
		const [edge, seenAt, told] =
			concurrency < from ? ([from, askShortest, ofShortest] as const) : ([to, ask, byLaws] as const);
		if (!told) return { first: 1, tpot: 1 };
		const [clients, law] = [seenAt(edge), told.at("mean")(edge)];
		const share = (a: number | null, b: number) => (a === null || !(b > 0) ? 1 : Math.min(1, a / b));
		return { first: share(clients.ttft.mean, law.first), tpot: share(clients.tpot.mean, law.tpot) };
	};
	// An estimate may not overrule what clients saw; a measured prefill is the least that a prompt takes.
	const least = (bound: Bound) => {
		if (!prefill || laws.prefill?.evidence === "estimated") return 0;
		return bound === "mean" ? prefill.seconds : prefill[bound];
	};
	/** Prefill and decode where clients saw nothing: with fewer in flight than they had no slower than they, with more no faster. */
	const floor = (concurrency: number, bound: Bound): Pick<Passage, "first" | "tpot"> => {
		if (near(concurrency, seen)) return { first: least(bound), tpot: 0 };
		const law = byLaws?.at(bound);
		if (!law) {
			const step = decode ? stepAt(decode, { batch: concurrency, context: context + output / 2 }, bound) : 0;
			return { first: least(bound), tpot: step };
		}
		const [told, share] = [law(concurrency), edgeShare(concurrency)];
		const fewest = concurrency < from ? ask(from) : null;
		const most = (of: ServePrediction | undefined) => of?.[bound] ?? of?.mean ?? Number.POSITIVE_INFINITY;
		return {
			first: Math.max(least(bound), Math.min(share.first * told.first, most(fewest?.ttft))),
			tpot: Math.min(share.tpot * told.tpot, most(fewest?.tpot)),
		};
	};
	const passage = (bound: Bound) => (concurrency: number) => {
		const { ttft, tpot } = ask(concurrency);
		const slowest = floor(concurrency, bound);
		const each = Math.max(tpot[bound] ?? tpot.mean ?? 0, slowest.tpot);
		// A law without TTFT leaves the first token to the prefills that take turns.
		const turns = sharedPassage(
			{
				...{
					prefillSeconds: prefill?.seconds ?? 0,
					floorSeconds: 0,
					promptTokens: context,
					chunkTokens,
					output,
				},
				...{ stepSeconds: () => each, weightsSeconds: each },
			},
			concurrency,
		).first;
		const first = Math.max(slowest.first, ttft[bound] ?? ttft.mean ?? turns);
		return { first, tpot: each, cycle: first + (output - 1) * each };
	};
	const capped = (bound: Bound) =>
		// One load alone does not tell how throughput goes on: it may rise as well as stay.
		bound === "low" && to / 2 < from ? passage(bound) : withPlateau(passage(bound), seen, output);
	const lowest = floor(running, "mean");
	const unseen = here.ttft.mean === null || lowest.first > here.ttft.mean;
	return {
		middle: capped("mean"),
		low: capped("low"),
		high: capped("high"),
		prefillEvidence: unseen ? weakest(here.evidence, laws.prefill?.evidence ?? "assumed") : here.evidence,
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

/** Seconds of a decode step at a bound of its interval. */
function stepAt(law: Law<DecodeFit>, at: DecodeQuestion, bound: Bound): number {
	const step = stepOf(law, at);
	return bound === "mean" ? step.seconds : step[bound];
}
