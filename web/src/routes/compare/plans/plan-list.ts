import { blankFor, capacity, type PlanFacts, plan, type Scenario } from "@plimsoll/api/model";
import { scenarioFromQuery } from "@plimsoll/api/scenario";
import { named } from "../../(plan)/subject.ts";
import type { ComparedAnswer } from "../../scenarios/compared.ts";
import type { Wanted } from "./wanted.ts";

/** A question with the facts that answer it. */
export interface PlanEntry {
	/** As it stands in the address. */
	wanted: Wanted;
	scenario: Scenario;
	facts: PlanFacts;
	/** Of a kept one. */
	name: string | null;
}

/** An entry with its answer, as a column. */
export interface PlanColumn extends Omit<PlanEntry, "name">, ComparedAnswer {}

/** A question of an address with the facts that answer it, its subject named. */
export function entryOf(wanted: Wanted, query: string, facts: PlanFacts, name: string | null): PlanEntry {
	const { scenario } = scenarioFromQuery(new URLSearchParams(query), blankFor(facts));
	return { wanted, scenario: named(scenario, facts), facts, name };
}

const LETTERS = "ABCD";

/** Works the entries out: columns with a letter, so that two of the same setup are told apart. */
export function columnsOf(entries: readonly PlanEntry[]): PlanColumn[] {
	return entries.map((entry, at) => {
		const { scenario, facts } = entry;
		const users = capacity(scenario, facts, { arithmetic: false }).users.value;
		const answer = plan(scenario, facts);
		const gpu = facts.gpu?.name ?? facts.configuration?.gpuName ?? "GPU not named";
		const model = facts.model?.name ?? facts.configuration?.modelName ?? "model not named";
		const subject = entry.name ?? `${answer.scenario.gpus ?? 1} × ${gpu}, ${model}`;
		return { ...entry, id: String(at), name: `${LETTERS[at]}: ${subject}`, answer: { ...answer, users } };
	});
}
