import type { PlanFacts, Scenario } from "@plimsoll/api/model";

/** What another subject starts with: figures that were said of the old one do not carry over. */
export const SAID_OF_SUBJECT: Partial<Scenario> = {
	engine: null,
	gpus: null,
	tp: null,
	weights: null,
	kvK: null,
	kvV: null,
	kvHeads: null,
	utilisation: null,
	maxSequences: null,
	price: null,
	weightsBytes: null,
	totalBytes: null,
	overheadBytes: null,
};

/** The scenario with its subject named by the facts that answer it, so that a link means the same tomorrow. */
export function named(scenario: Scenario, facts: PlanFacts): Scenario {
	const { configuration, model, gpu } = facts;
	if (configuration) return { ...scenario, configuration: configuration.id, model: null, gpu: null };
	return { ...scenario, configuration: null, model: model?.id ?? null, gpu: gpu?.id ?? null };
}

/** Whether another setup is asked about than the one that was measured. */
export const isOtherSetup = ({ kvHeads, kvK, kvV, weights, tp }: Scenario): boolean =>
	[kvHeads, kvK, kvV, weights, tp].some((value) => value !== null);

/** Whether the facts are those of the scenario's subject. */
export function answers(facts: PlanFacts, scenario: Scenario): boolean {
	const { configuration, model, gpu } = named(scenario, facts);
	return (
		configuration === scenario.configuration &&
		(configuration !== null || (model === scenario.model && gpu === scenario.gpu))
	);
}
