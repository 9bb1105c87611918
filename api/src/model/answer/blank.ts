import { DEFAULT_CONTEXT } from "../memory/defaults.ts";
import { count } from "../trust/figures.ts";
import type { PlanFacts, Scenario } from "./question.ts";

/** A scenario in which nothing is said: what a query string means by what it leaves out. */
export const BLANK_SCENARIO: Scenario = {
	configuration: null,
	model: null,
	gpu: null,
	engine: null,
	gpus: null,
	tp: null,
	weights: null,
	kvK: null,
	kvV: null,
	kvHeads: null,
	context: DEFAULT_CONTEXT,
	output: 256,
	concurrency: 8,
	rate: null,
	cached: 0,
	utilisation: null,
	maxSequences: null,
	price: null,
	busy: 1,
	ttftSlo: null,
	tpotSlo: null,
	weightsBytes: null,
	totalBytes: null,
	overheadBytes: null,
};

/** What a query string means by what it leaves out, for one model: a prompt that it takes together with its answer. */
export function blankFor({ model }: Pick<PlanFacts, "model">): Scenario {
	const longest = (model?.maxContextTokens ?? Number.POSITIVE_INFINITY) - BLANK_SCENARIO.output;
	return { ...BLANK_SCENARIO, context: Math.max(1, Math.min(BLANK_SCENARIO.context, longest)) };
}

/** What a query string left out of the question itself and what was asked in its place. */
export function unsaid(said: (key: string) => boolean, { context, output }: Scenario) {
	const reasons: { key: keyof Scenario; reason: string }[] = [];
	if (!said("context"))
		reasons.push({ key: "context", reason: `context not said: ${count(context)} tokens` });
	if (!said("output")) reasons.push({ key: "output", reason: `output not said: ${count(output)} tokens` });
	if (!said("concurrency") && !said("rate"))
		reasons.push({
			key: "concurrency",
			reason: `load not said: ${BLANK_SCENARIO.concurrency} requests at once`,
		});
	return reasons;
}
