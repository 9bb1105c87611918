import { stackOf } from "../memory/stack.ts";
import type { Quantity } from "../trust/quantity.ts";
import type { Wording } from "../trust/statement.ts";
import type { Plan } from "./answer.ts";
import { BLANK_SCENARIO, blankFor } from "./blank.ts";
import { costsOf } from "./costs.ts";
import type { LoadPoint } from "./load-point.ts";
import { outlookOf, timingOf } from "./outlook.ts";
import type { PlanFacts, Scenario } from "./question.ts";
import { throughputOf } from "./throughput.ts";
import { timesOf } from "./times.ts";
import { verdictOf } from "./verdict.ts";

/**
 * The whole what-if answer: memory, time and money of a load on a configuration, and whether it can be carried.
 * @param scenario what is asked; what it leaves out takes its default, and the answer says which
 * @param facts what is known of the configuration, or of a model and a GPU
 * @param wording `{arithmetic: false}` leaves the words out, for bulk
 * @returns quantities with evidence; what is not known is null and says what is missing
 */
export function plan(scenario: Scenario, facts: PlanFacts, wording: Wording = {}): Plan {
	const outlook = outlookOf(scenario, facts);
	const { resolved } = outlook;
	const at = loadPointOf(resolved.scenario);
	const timing = timingOf(outlook, at);
	const batch = at.concurrency ?? Math.max(1, Math.ceil((timing?.load.running ?? 1) * resolved.asked.copies));
	const times = timesOf(outlook, at, timing, wording);
	return {
		scenario: resolved.scenario,
		assumed: resolved.assumed,
		memory: stackOf({ ...outlook.memory, batch }, outlook.memoryInput, wording),
		...times,
		load: asFar(throughputOf(outlook, at, timing, wording), times.e2e),
		cost: costsOf(outlook, at, timing, wording),
		verdict: verdictOf(outlook, at, timing, wording),
	};
}

/** Throughput follows from the whole answer's time, and lies as far beyond the measurements. */
function asFar(load: Plan["load"], { beyond }: Quantity): Plan["load"] {
	if (beyond === undefined) return load;
	const { outputTokensPerSecond, requestsPerSecond, utilisation } = load;
	return {
		...load,
		outputTokensPerSecond: { ...outputTokensPerSecond, beyond },
		requestsPerSecond: { ...requestsPerSecond, beyond },
		utilisation: { ...utilisation, beyond },
	};
}

/** The length and the load that a scenario asks about. */
export const loadPointOf = ({ context, output, cached, concurrency, rate }: Scenario): LoadPoint => ({
	context,
	output,
	cached,
	concurrency,
	rate,
});

/** A first question about a configuration: inside what was measured, and everything else left to its default. */
export function defaultScenario(facts: PlanFacts): Scenario {
	const { configuration, fits, model, gpu } = facts;
	const base: Scenario = {
		...blankFor(facts),
		configuration: configuration?.id ?? null,
		model: configuration ? null : (model?.id ?? null),
		gpu: configuration ? null : (gpu?.id ?? null),
	};
	// Clients' measurements alone speak of the requests that they sent.
	if (fits.serve && (!fits.prefill || !fits.decode)) {
		const { input, output, concurrency } = fits.serve.range;
		const inFlight = Math.max(1, Math.round(Math.min(concurrency[1], Math.max(concurrency[0], 8))));
		return { ...base, context: Math.round(input[1]), output: Math.round(output[1]), concurrency: inFlight };
	}
	const longest = Math.min(base.context, fits.prefill?.range.to ?? Number.POSITIVE_INFINITY);
	const batch = fits.decode?.range.batch[1] ?? Number.POSITIVE_INFINITY;
	return {
		...base,
		context: Math.max(1, Math.floor(longest)),
		concurrency: Math.max(1, Math.min(BLANK_SCENARIO.concurrency ?? 1, Math.floor(batch))),
	};
}
