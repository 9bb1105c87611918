/** The six things to record with a run, so that it can be compared with another one. */
export const CHECKLIST = ["model", "sampling", "prompts", "tools", "platform", "repetition"] as const;
export type ChecklistKey = (typeof CHECKLIST)[number];

/** What somebody says of a run beside its file, and may correct later, by its name in a record. */
export const SAID_OF_RUN = ["modelSnapshot", "sampling", "prompts", "tools", "code", "answers"] as const;
export type SaidOfRun = (typeof SAID_OF_RUN)[number];

/** One condition of a run or of a configuration. */
export interface ConditionFact {
	item: ChecklistKey;
	/** As a reader calls it; one fact of a name. */
	name: string;
	/** null: nobody said. */
	value: string | null;
	/** How to record it where nobody did. */
	how: string;
}

/** One of the six, with what is known of it and how to record the rest. */
export interface ChecklistItem {
	key: ChecklistKey;
	title: string;
	/** "known": every fact of it is; "partly": some are. */
	state: "known" | "partly" | "unknown";
	known: { name: string; value: string }[];
	missing: { name: string; how: string }[];
}

const TITLES: Record<ChecklistKey, string> = {
	model: "Exact model snapshot and date",
	sampling: "All sampling parameters",
	prompts: "Prompt bytes or their hash",
	tools: "Tool schemas",
	platform: "Code, runtime, kernel and hardware version",
	repetition: "Number of runs, spread, raw answers",
};

/**
 * The six as a list, in their order. Nothing is called known that no fact says: an item without facts is unknown.
 * @param facts in the order in which they are listed
 */
export function checklistOf(facts: readonly ConditionFact[]): ChecklistItem[] {
	return CHECKLIST.map((key) => {
		const own = facts.filter(({ item }) => item === key);
		const known = own.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
		const missing = own.flatMap(({ name, value, how }) => (value === null ? [{ name, how }] : []));
		const state = known.length === 0 ? "unknown" : missing.length === 0 ? "known" : "partly";
		return { key, title: TITLES[key], state, known, missing };
	});
}
