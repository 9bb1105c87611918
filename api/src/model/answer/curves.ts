import { sequenceBytes } from "../memory/cache-cost.ts";
import type { LoadState } from "../time/load.ts";
import type { Evidence } from "../trust/quantity.ts";
import { costFigures } from "./costs.ts";
import type { LoadPoint } from "./load-point.ts";
import { type Outlook, outlookOf, type Timing, timingOf } from "./outlook.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { sameCache, sameEngine } from "./setup.ts";

/** A time with its 95 % interval, in seconds, and how it is known. */
export interface CurveTime {
	seconds: number;
	low: number;
	high: number;
	evidence: Evidence;
}

/** What one context length costs in the three currencies. Plain numbers; null: not known, or not bounded. */
export interface ContextPoint {
	/** Prompt tokens. */
	context: number;
	/** Prefill alone on the engine: what the measured dots show. */
	prefill: CurveTime | null;
	/** Whether the dots were measured with the engine and the cache that are asked about. */
	asMeasured: boolean;
	/** Time to the first token under the scenario's load. */
	ttft: CurveTime | null;
	/** Cache bytes of one sequence of prompt and output, per GPU. */
	kvBytes: number | null;
	/** Sequences of prompt and output that fit. */
	maxSequences: number | null;
	usdPerRequest: number | null;
}

/** What one number of users gives. Plain numbers; null: not known, or not bounded. */
export interface ConcurrencyPoint {
	/** Requests in flight. */
	concurrency: number;
	/** Whether the dots were measured with the engine and the cache that are asked about. */
	asMeasured: boolean;
	ttft: CurveTime | null;
	tpot: CurveTime | null;
	outputTokensPerSecond: number | null;
	requestsPerSecond: number | null;
	usdPerMillionOutputTokens: number | null;
	usdPerRequest: number | null;
	/** Requests that wait for a place in the cache. */
	waiting: number | null;
}

/** The three currencies against context length, the scenario's load kept. @param contexts prompt tokens */
export function contextCurve(
	scenario: Scenario,
	facts: PlanFacts,
	contexts: readonly number[],
): ContextPoint[] {
	const outlook = outlookOf(scenario, facts);
	return contexts.map((context) => contextPoint(outlook, { ...loadOf(outlook), context }));
}

function contextPoint(outlook: Outlook, at: LoadPoint): ContextPoint {
	const { cost } = outlook.memory;
	const timing = timingOf(outlook, at);
	return {
		context: at.context,
		asMeasured: isAsMeasured(outlook),
		prefill: timing?.prefill
			? {
					seconds: timing.prefill.seconds,
					low: timing.prefill.low,
					high: timing.prefill.high,
					evidence: timing.prefillEvidence,
				}
			: null,
		ttft: bounded(timing, (state) => state.ttftSeconds, timing?.ttftEvidence),
		kvBytes: cost && sequenceBytes(cost, at.context + at.output),
		maxSequences: timing ? timing.fits : null,
		usdPerRequest: costFigures(outlook, at, timing, outlook.price?.value ?? null).perRequest,
	};
}

/** Times, throughput and money against the number of users, the scenario's lengths kept. @param concurrencies requests in flight */
export function concurrencyCurve(
	scenario: Scenario,
	facts: PlanFacts,
	concurrencies: readonly number[],
): ConcurrencyPoint[] {
	const outlook = outlookOf(scenario, facts);
	return concurrencies.map((concurrency) =>
		concurrencyPoint(outlook, { ...loadOf(outlook), concurrency, rate: null }),
	);
}

function concurrencyPoint(outlook: Outlook, at: LoadPoint): ConcurrencyPoint {
	const timing = timingOf(outlook, at);
	const cost = costFigures(outlook, at, timing, outlook.price?.value ?? null);
	const requests = cost.requestsPerSecond > 0 ? cost.requestsPerSecond : null;
	return {
		concurrency: at.concurrency ?? 0,
		asMeasured: isAsMeasured(outlook),
		ttft: bounded(timing, (state) => state.ttftSeconds, timing?.ttftEvidence),
		tpot: bounded(timing, (state) => state.tpotSeconds, timing?.tpotEvidence),
		outputTokensPerSecond: requests && requests * at.output,
		requestsPerSecond: requests,
		usdPerMillionOutputTokens: cost.perMillionOutput,
		usdPerRequest: cost.perRequest,
		waiting: timing && timing.load.waiting * outlook.resolved.asked.copies,
	};
}

/** Whether heads, weights and cache are those that the configuration was measured with. */
const isAsMeasured = ({ resolved: { asked, measured } }: Outlook): boolean =>
	measured !== null && sameEngine(measured, asked) && sameCache(measured, asked);

const loadOf = ({ resolved: { scenario } }: Outlook): LoadPoint => ({
	context: scenario.context,
	output: scenario.output,
	cached: scenario.cached,
	concurrency: scenario.concurrency,
	rate: scenario.rate,
});

function bounded(
	timing: Timing | null,
	of: (state: LoadState) => number,
	evidence: Evidence | undefined,
): CurveTime | null {
	if (!timing || !evidence) return null;
	const [seconds, low, high] = [of(timing.load), of(timing.low), of(timing.high)];
	if (![seconds, low, high].every(Number.isFinite)) return null;
	return { seconds, low: Math.min(low, seconds), high: Math.max(high, seconds), evidence };
}
