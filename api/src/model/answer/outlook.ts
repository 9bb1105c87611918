import type { MemoryInput } from "../memory/input.ts";
import { type MemoryFigures, maxSequences, memoryFigures } from "../memory/stack.ts";
import { type ChosenPrice, choosePrice } from "../money/choice.ts";
import type { DecodeFit, Prediction, ServeFit } from "../time/curves.ts";
import { type DecodeQuestion, decodeSeconds, predictDecode, weightsSeconds } from "../time/decode.ts";
import { closedLoop, type Engine, type LoadState, openLoop, throughput } from "../time/load.ts";
import { type Passage, type SharedEngine, type SharedPassage, sharedPassage } from "../time/passage.ts";
import { predictPrefill } from "../time/prefill.ts";
import { ROOFLINE_SPREAD } from "../time/roofline.ts";
import { predictServe, type ServeAnswer } from "../time/serve.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import { type ChunkBudget, chunkBudgetOf } from "./chunk-budget.ts";
import { type Law, type Laws, lawsOf } from "./laws.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { memoryInputOf, type Resolved, resolve, slotLimit } from "./setup.ts";

/** Sequences taken to run at most where neither memory nor flags bound them. @source vLLM's max_num_seqs */
const DEFAULT_SLOTS = 256;

/** Everything of a question that does not change with length and load: worked out once, evaluated many times. */
export interface Outlook {
	resolved: Resolved;
	facts: PlanFacts;
	laws: Laws;
	memoryInput: MemoryInput;
	memory: MemoryFigures;
	price: ChosenPrice | null;
	/** The most sequences that the engine was started for, by its flags. */
	slotLimit: number | null;
	/** Tokens of one pass. */
	chunkBudget: ChunkBudget;
}

/** Prepares a question. */
export function outlookOf(scenario: Scenario, facts: PlanFacts): Outlook {
	const resolved = resolve(scenario, facts);
	const memoryInput = memoryInputOf(resolved, facts);
	return {
		resolved,
		facts,
		laws: lawsOf(resolved, facts),
		memoryInput,
		memory: memoryFigures(memoryInput),
		price: choosePrice(scenario.price, facts.prices),
		slotLimit: slotLimit(facts.configuration?.flags),
		chunkBudget: chunkBudgetOf(resolved.engine, facts),
	};
}

/** A length and a load to evaluate an outlook at. */
export interface LoadPoint {
	context: number;
	output: number;
	cached: number;
	concurrency: number | null;
	rate: number | null;
}

/** A figure, and what it is at the lower and at the upper bound of the times it follows from. */
export interface Bounded {
	middle: number;
	low: number;
	high: number;
}

/** Times of one load in seconds, with the bounds of the 95 % interval. */
export interface Timing {
	/** Sequences that fit in the cache, over all copies; null: not known. */
	fits: number | null;
	/** Sequences that one replica may run. */
	slots: number;
	engine: Engine;
	/** The engine at the lower bound of its times, so the fastest, and at the upper. */
	bounds: { low: Engine; high: Engine };
	/** Requests per second of one engine with every place taken, at the same bounds of its times. */
	most: Bounded;
	load: LoadState;
	low: LoadState;
	high: LoadState;
	/** Uncached prompt alone on the engine, seconds. */
	prefill: Prediction | null;
	prefillEvidence: Evidence;
	ttftEvidence: Evidence;
	tpotEvidence: Evidence;
	/** Whether the client-side law was used. */
	served: boolean;
	/** The passes behind the times; null where the client-side law was used. */
	shared: ((running: number) => SharedPassage) | null;
	/** Share of the engine's time that prompts take while so many sequences run, 0…1; the rest is steps. */
	promptShare: (running: number) => number;
	/** How the share is known: it is worked out of prefill and decode even where clients' times answer the rest. */
	shareEvidence: Evidence;
}

/** Evaluates an outlook; null where neither a measurement nor an estimate gives the times. */
export function timingOf(outlook: Outlook, at: LoadPoint): Timing | null {
	const { memory, resolved } = outlook;
	const fits = maxSequences(memory, at.context + at.output);
	const { copies } = resolved.asked;
	const inCache = fits === null ? DEFAULT_SLOTS : Math.floor(fits / copies);
	const slots = Math.max(1, Math.min(inCache, outlook.slotLimit ?? Number.POSITIVE_INFINITY));
	const users = at.concurrency === null ? null : Math.max(1, at.concurrency / copies);
	const rate = (at.rate ?? 0) / copies;
	const times = engineTimes(outlook, at, Math.min(users ?? slots, slots));
	if (!times) return null;
	const state = (engine: Engine) => (users === null ? openLoop(engine, rate) : closedLoop(engine, users));
	const engine = { at: times.middle, slots };
	const bounds = { low: { at: times.low, slots }, high: { at: times.high, slots } };
	const load = state(engine);
	const alone = load.running <= 1 && load.waiting === 0;
	const shared: Evidence = times.served || alone ? "arithmetic" : "estimated";
	return {
		fits,
		slots,
		engine,
		bounds,
		most: {
			middle: throughput(engine, slots),
			low: throughput(bounds.low, slots),
			high: throughput(bounds.high, slots),
		},
		load,
		low: state(bounds.low),
		high: state(bounds.high),
		prefill: times.prefill,
		prefillEvidence: times.prefillEvidence,
		ttftEvidence: weakest(times.prefillEvidence, shared),
		tpotEvidence: weakest(times.decodeEvidence, shared),
		served: times.served,
		shared: times.shared,
		...splitOf(outlook.laws, at, engine, times.prefill),
	};
}

/** Prefills over prefills and steps of a cycle: R·p / (R·p + (output − 1)·step(R)). */
function splitOf(
	{ prefill: law, decode }: Laws,
	{ context, output }: LoadPoint,
	engine: Engine,
	prefill: Prediction | null,
): Pick<Timing, "promptShare" | "shareEvidence"> {
	const alone = prefill?.seconds ?? engine.at(1).first;
	const step = (batch: number) =>
		decode ? decodeSeconds(decode.fit, { batch, context: context + output / 2 }) : engine.at(1).tpot;
	return {
		promptShare: (running) => {
			const together = Math.max(1, running);
			const prompts = together * alone;
			const all = prompts + (output - 1) * step(together);
			return all > 0 ? prompts / all : 0;
		},
		shareEvidence: weakest(
			prefill?.evidence ?? "estimated",
			law?.evidence ?? "estimated",
			decode?.fit.evidence ?? "estimated",
			decode?.evidence ?? "estimated",
		),
	};
}

type At = Engine["at"];

interface EngineTimes {
	middle: At;
	low: At;
	high: At;
	prefill: Prediction | null;
	prefillEvidence: Evidence;
	decodeEvidence: Evidence;
	served: boolean;
	shared: ((running: number) => SharedPassage) | null;
}

function engineTimes({ laws, chunkBudget }: Outlook, at: LoadPoint, running: number): EngineTimes | null {
	const { context, output } = at;
	const cached = Math.min(context - 1, Math.round(at.cached * context));
	const prefill =
		laws.prefill &&
		banded(predictPrefill(laws.prefill.fit, { tokens: context - cached, cached }), laws.prefill.fit.n);
	const prefillEvidence = weakest(prefill?.evidence ?? "assumed", laws.prefill?.evidence ?? "assumed");
	if (laws.serve && cached === 0 && prefersServe(laws, laws.serve, context, output, running)) {
		const served = servedTimes(laws, at, prefill, running, chunkBudget.tokens);
		if (served) return { ...served, prefill, served: true, shared: null };
	}
	const decode = laws.decode;
	if (!prefill || !decode) return null;
	const mean = context + output / 2;
	const step = (batch: number) => decodeSeconds(decode.fit, { batch, context: mean });
	const one = stepOf(decode, { batch: running, context: mean });
	const weights = weightsSeconds(decode.fit);
	const floor = laws.prefill?.fit.coefficients.f ?? 0;
	const passage = (prefillSeconds: number, scale: number) => {
		const engine: SharedEngine = {
			...{ prefillSeconds, output, promptTokens: context - cached, chunkTokens: chunkBudget.tokens },
			floorSeconds: Math.min(prefillSeconds, floor * (prefillSeconds / prefill.seconds)),
			stepSeconds: (batch) => scale * step(batch),
			weightsSeconds: scale * weights,
		};
		return (running: number) => sharedPassage(engine, running);
	};
	const middle = passage(prefill.seconds, 1);
	return {
		middle,
		low: passage(prefill.low, one.low / one.seconds),
		high: passage(prefill.high, one.high / one.seconds),
		prefill,
		prefillEvidence,
		decodeEvidence: weakest(one.evidence, decode.evidence),
		served: false,
		shared: middle,
	};
}

/** An estimate without points has the spread between stacks as its band. */
export function banded(prediction: Prediction, points: number): Prediction {
	if (points > 0) return prediction;
	const { seconds } = prediction;
	return { ...prediction, low: seconds / ROOFLINE_SPREAD, high: seconds * ROOFLINE_SPREAD };
}

/** A decode step by a law; what was estimated of it has the band of an estimate. */
export function stepOf({ fit, estimatedRead = 0 }: Law<DecodeFit>, at: DecodeQuestion): Prediction {
	const step = banded(predictDecode(fit, at), fit.n);
	const read = estimatedRead * at.batch * at.context;
	if (!(read > 0)) return step;
	const rest = Math.max(0, step.seconds - read);
	return {
		...step,
		low: (rest * step.low) / step.seconds + read / ROOFLINE_SPREAD,
		high: (rest * step.high) / step.seconds + read * ROOFLINE_SPREAD,
	};
}

/** How far beyond its points the client-side law still goes before the laws of prefill and decode. */
const SERVE_REACH = 1.25;

/** Inside its range the client-side law knows more; outside, measured laws of prefill and decode do, an estimate does not. */
function prefersServe(
	{ prefill, decode }: Laws,
	{ range }: ServeFit,
	input: number,
	output: number,
	concurrency: number,
): boolean {
	const measured = prefill && decode && prefill.evidence !== "estimated" && decode.evidence !== "estimated";
	return (
		!measured ||
		(near(concurrency, range.concurrency) && near(input, range.input) && near(output, range.output))
	);
}

const near = (value: number, [from, to]: [number, number]): boolean =>
	value >= from / SERVE_REACH && value <= to * SERVE_REACH;

function servedTimes(
	laws: Laws,
	{ context, output }: LoadPoint,
	prefill: Prediction | null,
	running: number,
	chunkTokens: number,
): Omit<EngineTimes, "prefill" | "served" | "shared"> | null {
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
	// An estimate may not overrule what clients saw.
	const estimated = laws.prefill?.evidence === "estimated";
	const bare = prefill?.seconds ?? 0;
	const least = (bound: Bound) => {
		if (estimated && seen) return 0;
		return (bound === "mean" ? prefill?.seconds : prefill?.[bound]) ?? 0;
	};
	const { decode } = laws;
	const inside = (concurrency: number) => seen && range !== undefined && near(concurrency, range.concurrency);
	const byLaws = lawPassages(laws, prefill, context, output, chunkTokens);
	/** Prefill and decode where clients saw nothing; where they saw a smaller load, no slower than that tells. */
	const floor = (concurrency: number, bound: Bound): Pick<Passage, "first" | "tpot"> => {
		const law = inside(concurrency) ? null : byLaws?.(bound);
		if (!law) {
			const step =
				!inside(concurrency) && decode
					? stepAt(decode, { batch: concurrency, context: context + output / 2 }, bound)
					: 0;
			return { first: least(bound), tpot: step };
		}
		const here = law(concurrency);
		const scale = seen && range ? edgeScale(ask, byLaws?.("mean"), concurrency, range.concurrency) : AS_IT_IS;
		return { first: Math.max(least(bound), scale.first * here.first), tpot: scale.tpot * here.tpot };
	};
	const passage =
		(bound: Bound): At =>
		(concurrency) => {
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
	const lowest = floor(running, "mean");
	return {
		middle: passage("mean"),
		low: passage("low"),
		high: passage("high"),
		prefillEvidence:
			here.ttft.mean === null || !seen || lowest.first > here.ttft.mean
				? weakest(here.evidence, laws.prefill?.evidence ?? "assumed")
				: here.evidence,
		decodeEvidence:
			lowest.tpot > here.tpot.mean ? weakest(here.evidence, decode?.evidence ?? "assumed") : here.evidence,
	};
}

const AS_IT_IS = { first: 1, tpot: 1 };

/** Passages by prefill and decode, at the middle or a bound of their times; null where one of the laws is missing. */
function lawPassages(
	{ prefill: law, decode }: Laws,
	prefill: Prediction | null,
	context: number,
	output: number,
	chunkTokens: number,
): ((bound: Bound) => (running: number) => Passage) | null {
	if (!law || !prefill || !decode) return null;
	const at = { context: context + output / 2 };
	return (bound) => {
		const prefillSeconds = bound === "mean" ? prefill.seconds : prefill[bound];
		const engine: SharedEngine = {
			...{ prefillSeconds, promptTokens: context, chunkTokens, output },
			floorSeconds: Math.min(prefillSeconds, law.fit.coefficients.f * (prefillSeconds / prefill.seconds)),
			stepSeconds: (batch) => stepAt(decode, { ...at, batch }, bound),
			weightsSeconds: weightsSeconds(decode.fit),
		};
		return (running) => sharedPassage(engine, running);
	};
}

/** By how much clients were faster than the laws say at the end of what they saw, at most 1: beyond it the laws are as fast. */
function edgeScale(
	ask: (concurrency: number) => ServeAnswer,
	law: ((running: number) => Passage) | undefined,
	concurrency: number,
	[from, to]: readonly [number, number],
): Pick<Passage, "first" | "tpot"> {
	if (!law) return AS_IT_IS;
	const edge = Math.min(Math.max(concurrency, from), to);
	const [seen, told] = [ask(edge), law(edge)];
	const share = (a: number | null, b: number) => (a === null || !(b > 0) ? 1 : Math.min(1, a / b));
	return { first: share(seen.ttft.mean, told.first), tpot: share(seen.tpot.mean, told.tpot) };
}

type Bound = "mean" | "low" | "high";

/** Seconds of a decode step at a bound of its interval. */
function stepAt(law: Law<DecodeFit>, at: DecodeQuestion, bound: Bound): number {
	const step = stepOf(law, at);
	return bound === "mean" ? step.seconds : step[bound];
}
