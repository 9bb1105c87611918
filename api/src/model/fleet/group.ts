import type { Outlook, Timing } from "../answer/outlook.ts";
import { outlookOf, timingOf } from "../answer/outlook.ts";
import type { PlanFacts, Scenario } from "../answer/question.ts";
import { verdictOf } from "../answer/verdict.ts";
import { sequenceBytes } from "../memory/cache-cost.ts";
import type { PrefillFit } from "../time/curves.ts";
import { predictPrefill } from "../time/prefill.ts";
import { bytes, count } from "../trust/figures.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import type { DemandFigures } from "./demand.ts";
import type { Replica } from "./replica.ts";

/** A replica of one kind, before it is said how many sequences it may run: everything of it that is worked out once. */
export interface ReplicaKind {
	scenario: Scenario;
	facts: PlanFacts;
}

/** A kind that can serve at all. */
export interface ServingKind extends ReplicaKind {
	outlook: Outlook;
	timing: Timing;
	/** Sequences that the cache holds; null: not known. */
	fits: number | null;
	longPrefillSeconds: number;
	prefillVariation: number;
	outputVariation: number;
	/** How the times are known, without the sharing of an engine. */
	basis: Evidence;
}

/** Why a kind cannot serve: too little memory, or nothing known of it. */
export interface Refusal {
	binding: "memory" | "unknown";
	reason: string;
}

/** More users than any engine has places: every place is then taken. */
const ALL_PLACES = 1e9;

/** Works out a kind of replica for the lengths of a demand; or why it cannot serve. */
export function servingKind({ scenario, facts }: ReplicaKind, demand: DemandFigures): ServingKind | Refusal {
	const outlook = outlookOf(scenario, facts);
	const at = { context: scenario.context, output: scenario.output, cached: scenario.cached };
	const timing = timingOf(outlook, { ...at, concurrency: ALL_PLACES, rate: null });
	const refusal = memoryRefusal(outlook, demand) ?? (timing ? null : unknownTimes(outlook));
	if (refusal || !timing) return refusal ?? unknownTimes(outlook);
	if (facts.failures.length > 0) {
		const verdict = verdictOf(outlook, { ...at, concurrency: 1, rate: null }, timing);
		if (verdict.binding === "memory") return { binding: "memory", reason: verdict.reasons[0] ?? "" };
	}
	const { copies } = outlook.resolved.asked;
	const fits = timing.fits === null ? null : Math.floor(timing.fits / copies);
	const basis = basisOf(outlook, timing);
	return {
		scenario,
		facts,
		outlook,
		timing,
		fits,
		...prefillsOf(outlook, timing, demand),
		outputVariation: demand.outputVariation,
		basis,
	};
}

/** How the laws behind the times are known: what clients saw, or prefill and decode. */
function basisOf({ laws }: Outlook, timing: Timing): Evidence {
	if (timing.carried) return weakest(timing.prefillEvidence, timing.tpotEvidence);
	if (timing.served) return laws.serve?.evidence ?? "assumed";
	const { decode } = laws;
	return weakest(timing.prefillEvidence, decode?.evidence ?? "assumed", decode?.fit.evidence ?? "assumed");
}

/** A limit beyond which the engine has no place for one request of such a length, in words. */
function memoryRefusal({ memory, facts }: Outlook, demand: DemandFigures): Refusal | null {
	const { cost, pool } = memory;
	if (!cost || pool.value === null) return null;
	if (pool.value < 0)
		return {
			binding: "memory",
			reason: `does not fit: weights and overhead are ${bytes(-pool.value)} more than a card gives`,
		};
	const tokens = Math.ceil(demand.longPromptTokens + demand.outputTokens);
	const size = sequenceBytes(cost, tokens);
	if (size > pool.value)
		return {
			binding: "memory",
			reason: `not one request of ${count(tokens)} tokens fits: short by ${bytes(size - pool.value)} on each card`,
		};
	const most = facts.pinned?.maxModelLen ?? null;
	return most !== null && tokens > most
		? {
				binding: "memory",
				reason: `was started for at most ${count(most)} tokens, ${count(tokens)} are asked for`,
			}
		: null;
}

const unknownTimes = ({ laws }: Outlook): Refusal => ({
	binding: "unknown",
	reason: `no times: ${laws.missing() || "nothing is measured, and an estimate lacks a figure"}`,
});

/** Prefill of a long prompt, and how much prefills vary: with lengths, and with what hits find cached. */
function prefillsOf(
	{ laws }: Outlook,
	{ prefill, engine }: Timing,
	demand: DemandFigures,
): Pick<ServingKind, "longPrefillSeconds" | "prefillVariation"> {
	const alone = prefill?.seconds ?? engine.at(1).first;
	const { longPromptTokens: long, promptTokens, promptVariation, hits } = demand;
	if (!laws.prefill || !prefill) return { longPrefillSeconds: alone, prefillVariation: promptVariation };
	const { fit } = laws.prefill;
	if (hits) return prefillsOfHits(fit, demand, hits);
	const longer = long > promptTokens ? seconds(fit, long) / seconds(fit, promptTokens) : 1;
	return { longPrefillSeconds: alone * longer, prefillVariation: promptVariation };
}

/**
 * Prefills where a share h of the requests finds its beginning cached: cv² = (h·t_hit² + (1 − h)·t_full²)(1 + cv²)/mean² − 1.
 * A request at the percentile is one that finds nothing, unless more than that share hit.
 */
function prefillsOfHits(
	fit: PrefillFit,
	{ longPromptTokens: long, promptTokens, promptVariation }: DemandFigures,
	{ prefixTokens, hitShare: h, longHits }: NonNullable<DemandFigures["hits"]>,
) {
	const [full, hit] = [seconds(fit, promptTokens), seconds(fit, promptTokens, prefixTokens)];
	const mean = h * hit + (1 - h) * full;
	const square = h * hit ** 2 + (1 - h) * full ** 2;
	return {
		longPrefillSeconds: seconds(fit, long, longHits ? prefixTokens : 0),
		prefillVariation: (square * (1 + promptVariation)) / mean ** 2 - 1,
	};
}

/** A prompt of which a beginning is cached; at least one token is worked out. */
function seconds(fit: PrefillFit, promptTokens: number, prefixTokens = 0): number {
	const cached = Math.max(0, Math.min(prefixTokens, promptTokens - 1));
	return predictPrefill(fit, { tokens: Math.max(1, promptTokens - cached), cached }).seconds;
}

/** Places of a replica of a kind that is started for some sequences. */
export const slotsOf = ({ fits }: ServingKind, maxSequences: number): number =>
	Math.max(1, Math.min(maxSequences, fits ?? maxSequences));

/** One replica of a kind, started for some sequences, at the middle or at a bound of its times. */
export function replicaOf(
	kind: ServingKind,
	maxSequences: number,
	end: "middle" | "low" | "high" = "middle",
): Replica {
	const { timing, outlook, fits, longPrefillSeconds, prefillVariation, outputVariation } = kind;
	const slots = slotsOf(kind, maxSequences);
	const { at } = end === "middle" ? timing.engine : timing.bounds[end];
	const prefillSeconds = timing.prefill?.seconds ?? timing.engine.at(1).first;
	const scale = timing.prefill && end !== "middle" ? timing.prefill[end] / timing.prefill.seconds : 1;
	return {
		engine: { at, slots },
		prefillSeconds: prefillSeconds * scale,
		longPrefillSeconds: longPrefillSeconds * scale,
		prefillVariation,
		outputTokens: kind.scenario.output,
		outputVariation,
		seen: timing.served ? (outlook.laws.serve?.percentiles ?? null) : null,
		promptShare: timing.promptShare,
		slotsFromMemory: fits !== null && fits <= maxSequences,
	};
}
