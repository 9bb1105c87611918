import { blankFor, capacity, type PlanFacts, plan, type Scenario } from "@plimsoll/api/model";
import { scenarioFromQuery, scenarioToQuery } from "@plimsoll/api/scenario";
import { named } from "../../(plan)/subject.ts";
import { type ComparedAnswer, MOST_COMPARED } from "../../scenarios/compared.ts";

/** What an address asks for: a question as a query string, or the id of a kept one. */
export type Wanted = { plan: string } | { scenario: string };

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

const keyOf = (wanted: Wanted): [string, string] =>
	"plan" in wanted ? ["plan", wanted.plan] : ["scenario", wanted.scenario];

/** The plans of an address in their order, each once, and how many it names beyond what fits. */
export function wantedOf(params: URLSearchParams): { wanted: Wanted[]; dropped: number } {
	const seen = new Set<string>();
	const all: Wanted[] = [];
	for (const [key, value] of params) {
		if ((key !== "plan" && key !== "scenario") || value === "" || seen.has(`${key} ${value}`)) continue;
		seen.add(`${key} ${value}`);
		all.push(key === "plan" ? { plan: value } : { scenario: value });
	}
	return { wanted: all.slice(0, MOST_COMPARED), dropped: Math.max(0, all.length - MOST_COMPARED) };
}

/** The address of a comparison of plans. */
export function plansAddress(wanted: readonly Wanted[]): string {
	const query = new URLSearchParams(wanted.map(keyOf));
	return query.size === 0 ? "/compare/plans" : `/compare/plans?${query}`;
}

/** The list with one more; where it is full, that takes the place of the last. */
export function withPlan(wanted: readonly Wanted[], one: Wanted): Wanted[] {
	const same = keyOf(one).join(" ");
	if (wanted.some((other) => keyOf(other).join(" ") === same)) return [...wanted];
	return [...wanted.slice(0, MOST_COMPARED - 1), one];
}

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

/** The question with another subject or another setting, as an entry of the address. */
export const asPlan = (scenario: Scenario): Wanted => ({ plan: scenarioToQuery(scenario).toString() });
