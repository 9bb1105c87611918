import { blankFor, capacity, type PlanFacts, plan, type Scenario } from "@plimsoll/api/model";
import { scenarioFromQuery } from "@plimsoll/api/scenario";
import { named } from "../../(plan)/subject.ts";
import type { ComparedAnswer } from "../../scenarios/compared.ts";
import type { DroppedPart } from "./plan-parts.ts";
import type { Wanted } from "./wanted.ts";

/** A question with the facts that answer it. */
export interface PlanEntry {
	/** As it stands in the address. */
	wanted: Wanted;
	scenario: Scenario;
	facts: PlanFacts;
	/** Of a kept one. */
	name: string | null;
	/** Parts of it that could not be used. */
	dropped: DroppedPart[];
}

/** An entry with its answer, as a column. */
export interface PlanColumn extends Omit<PlanEntry, "name">, ComparedAnswer {
	letter: string;
}

/** A question of an address with the facts that answer it, its subject named. */
export function entryOf(
	wanted: Wanted,
	query: URLSearchParams,
	facts: PlanFacts,
	rest: Pick<PlanEntry, "name" | "dropped">,
): PlanEntry {
	const { scenario } = scenarioFromQuery(query, blankFor(facts));
	return { wanted, scenario: named(scenario, facts), facts, ...rest };
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
		const letter = LETTERS[at] ?? "";
		return { ...entry, id: String(at), letter, name: `${letter}: ${subject}`, answer: { ...answer, users } };
	});
}
