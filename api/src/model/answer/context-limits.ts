import { maxSequences } from "../memory/stack.ts";
import type { LoadState } from "../time/load.ts";
import { last } from "./halving.ts";
import type { LoadPoint } from "./load-point.ts";
import { type Outlook, outlookOf, timingOf } from "./outlook.ts";
import { loadPointOf } from "./plan.ts";
import type { PlanFacts, Scenario } from "./question.ts";

/** The longest prompts, in tokens, that each limit lets pass under the load of a scenario; null: every length that is shown. */
export interface ContextLimits {
	ttft: number | null;
	tpot: number | null;
	memory: number | null;
}

/**
 * Where along the context each limit is crossed, by halving: a limit once crossed is taken to stay crossed.
 * @param to longest prompt that is looked at, tokens
 * @returns prompts from 0 (none, however short) up to below `to`; null where the limit is not crossed, or cannot be checked
 */
export function contextLimits(scenario: Scenario, facts: PlanFacts, to: number): ContextLimits {
	const outlook = outlookOf(scenario, facts);
	const { ttftSlo, tpotSlo } = outlook.resolved.scenario;
	const base = loadPointOf(outlook.resolved.scenario);
	const longest = (most: number, holds: (context: number) => boolean): number | null => {
		const found = last(most, (context) => context === 0 || holds(context));
		return found < most ? found : null;
	};
	const timed = (most: number, slo: number | null, of: (state: LoadState) => number) =>
		slo === null || timingOf(outlook, { ...base, context: 1 }) === null
			? null
			: longest(most, (context) => within(outlook, { ...base, context }, slo, of));
	const { concurrency, output } = base;
	const fits = (context: number) => maxSequences(outlook.memory, context + output);
	const memory =
		fits(0) === null ? null : longest(to, (context) => (fits(context) ?? 0) >= (concurrency ?? 1));
	return {
		ttft: timed(to, ttftSlo, (state) => state.ttftSeconds),
		// Beyond what memory holds fewer run together, each of them faster. An answer of one token has no further one.
		tpot: output > 1 ? timed(memory ?? to, tpotSlo, (state) => state.tpotSeconds) : null,
		memory,
	};
}

function within(outlook: Outlook, at: LoadPoint, slo: number, of: (state: LoadState) => number): boolean {
	const timing = timingOf(outlook, at);
	// Where nothing fits, memory is the limit.
	return timing === null || timing.fits === 0 || of(timing.load) <= slo;
}
