import type { MemoryInput } from "../memory/input.ts";
import { type MemoryFigures, maxSequences, memoryFigures } from "../memory/stack.ts";
import { type ChosenPrice, choosePrice } from "../money/choice.ts";
import type { Prediction } from "../time/curves.ts";
import { decodeSeconds } from "../time/decode.ts";
import {
	closedLoop,
	type Engine,
	type LoadState,
	openLoop,
	throughput,
	togetherWhileBusy,
} from "../time/load.ts";
import type { SharedPassage } from "../time/passage.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import { BLANK_SCENARIO } from "./blank.ts";
import { type ChunkBudget, chunkBudgetOf } from "./chunk-budget.ts";
import { type EngineTimes, engineTimes } from "./engine-times.ts";
import { type Laws, lawsOf } from "./laws.ts";
import type { LoadPoint } from "./load-point.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { memoryInputOf, type Resolved, resolve, type Setup, slotLimit } from "./setup.ts";

/** Sequences taken to run at most where neither memory nor flags bound them. @source vLLM's max_num_seqs */
const DEFAULT_SLOTS = 256;

/** Everything of a question that does not change with length and load: worked out once, evaluated many times. */
export interface Outlook {
	resolved: Resolved;
	facts: PlanFacts;
	laws: Laws;
	memoryInput: MemoryInput;
	memory: MemoryFigures;
	/** Memory of the setup that clients saw, where it is another; null where it is this one. */
	seenMemory: MemoryFigures | null;
	price: ChosenPrice | null;
	/** Tokens of one pass. */
	chunkBudget: ChunkBudget;
}

/** What a load says: everything else of a scenario makes its setup. */
type LoadKey = "context" | "output" | "cached" | "concurrency" | "rate";
const LOAD_KEYS: ReadonlySet<string> = new Set<LoadKey>([
	"context",
	"output",
	"cached",
	"concurrency",
	"rate",
]);
const SETUP_KEYS = (Object.keys(BLANK_SCENARIO) as (keyof Scenario)[]).filter((key) => !LOAD_KEYS.has(key));

/** The last question about some facts: sliders and sweeps ask many that differ in their load alone. */
const lastOf = new WeakMap<PlanFacts, Outlook>();

/** Whether two scenarios are the same but for lengths and load, and leave out the same of it. */
function sameSetup(one: Scenario, other: Scenario): boolean {
	if ((one.concurrency === null) !== (other.concurrency === null)) return false;
	if ((one.rate === null) !== (other.rate === null)) return false;
	if (one.cached > 0 !== other.cached > 0) return false;
	for (const key of SETUP_KEYS) if (one[key] !== other[key]) return false;
	return true;
}

/** Prepares a question. */
export function outlookOf(scenario: Scenario, facts: PlanFacts): Outlook {
	const last = lastOf.get(facts);
	const outlook =
		last && sameSetup(last.resolved.said, scenario) ? withLoad(last, scenario) : prepared(scenario, facts);
	lastOf.set(facts, outlook);
	return outlook;
}

function prepared(scenario: Scenario, facts: PlanFacts): Outlook {
	const resolved = resolve(scenario, facts);
	const memoryInput = memoryInputOf(resolved, facts);
	const laws = lawsOf(resolved, facts);
	return {
		...{ resolved, facts, laws },
		seenMemory: laws.seenOn && memoryFigures(memoryInputOf(asMeasured(resolved, laws.seenOn.setup), facts)),
		memoryInput,
		memory: memoryFigures(memoryInput),
		price: choosePrice(scenario.price, facts.prices),
		chunkBudget: chunkBudgetOf(resolved.engine, facts),
	};
}

/** The question as it would be of the setup that clients saw: nothing of its memory is said but what was measured. */
const asMeasured = (resolved: Resolved, asked: Setup): Resolved => ({
	...resolved,
	asked,
	said: {
		...resolved.said,
		...{ utilisation: null, weightsBytes: null, overheadBytes: null, totalBytes: null },
	},
});

/** The same setup under another load. */
function withLoad(outlook: Outlook, said: Scenario): Outlook {
	const { resolved, memoryInput, memory } = outlook;
	const { context, output, cached, rate } = said;
	const concurrency = said.concurrency ?? resolved.scenario.concurrency;
	const tokens = context + output;
	return {
		...outlook,
		resolved: {
			...resolved,
			said,
			scenario: { ...resolved.scenario, context, output, cached, concurrency, rate },
		},
		memoryInput: { ...memoryInput, context: tokens },
		memory: { ...memory, context: tokens },
	};
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
	/** What the client-side law was carried over by; null where it answers as it is, or not at all. */
	carried: EngineTimes["carried"];
	/** The passes behind the times; null where the client-side law was used. */
	shared: ((running: number) => SharedPassage) | null;
	/** Share of the engine's time that prompts take while so many sequences run together, 0…1; the rest is steps. */
	promptShare: (running: number) => number;
	/** How the share is known: it is worked out of prefill and decode even where clients' times answer the rest. */
	shareEvidence: Evidence;
}

/** Sequences that one engine may run. */
function slotsOf(fits: number | null, copies: number, started: number | null, chunkTokens: number): number {
	const inCache = fits === null ? DEFAULT_SLOTS : Math.floor(fits / copies);
	// A pass has no room for more sequences than it has tokens, whatever the cache holds.
	return Math.max(1, Math.min(inCache, started ?? Number.POSITIVE_INFINITY, chunkTokens));
}

/** Evaluates an outlook; null where neither a measurement nor an estimate gives the times. */
export function timingOf(outlook: Outlook, at: LoadPoint): Timing | null {
	const { memory, resolved, seenMemory } = outlook;
	const tokens = at.context + at.output;
	const fits = maxSequences(memory, tokens);
	const { copies } = resolved.asked;
	const chunkTokens = outlook.chunkBudget.tokens;
	const slots = slotsOf(fits, copies, resolved.scenario.maxSequences, chunkTokens);
	const started = slotLimit(outlook.facts.configuration?.flags);
	const placesSeen = seenMemory ? slotsOf(maxSequences(seenMemory, tokens), 1, started, chunkTokens) : slots;
	// Below one for each engine: some of them stand idle.
	const users = at.concurrency === null ? null : at.concurrency / copies;
	const rate = (at.rate ?? 0) / copies;
	const running = Math.max(1, Math.min(users ?? slots, slots));
	const times = engineTimes(outlook.laws, at, { running, chunkTokens, placesSeen });
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
		load,
		low: state(bounds.low),
		high: state(bounds.high),
		prefill: times.prefill,
		prefillEvidence: times.prefillEvidence,
		ttftEvidence: weakest(times.prefillEvidence, shared),
		tpotEvidence: weakest(times.decodeEvidence, shared),
		served: times.served,
		carried: times.carried,
		shared: times.shared,
		...splitOf(outlook.laws, at, engine, times.prefill),
	};
}

/** Requests per second of one engine with every place taken. */
export const mostServed = (timing: Timing, bound: keyof Bounded = "middle"): number =>
	throughput(bound === "middle" ? timing.engine : timing.bounds[bound], timing.slots);

/**
 * Share of an engine's time that prompts take under a load, 0…1: how money is split between input and output, everywhere.
 * @param running sequences that run on average
 * @param arrivals "random": what runs varies, and what counts is how many run while any does; "users": so many all the time
 */
export function inputShareOf(
	{ promptShare, engine }: Pick<Timing, "promptShare" | "engine">,
	running: number,
	arrivals: "random" | "users",
): number {
	return promptShare(arrivals === "users" ? running : togetherWhileBusy(engine, running));
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
