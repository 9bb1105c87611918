/** One condition across the configurations of a comparison. */
export interface ConditionRow {
	name: string;
	/** In the order of the configurations; null: not said. */
	values: (string | null)[];
	/** "unknown" where one does not say it and those that do agree. */
	state: "equal" | "differs" | "unknown";
}

/** The conditions of a configuration by name, in the order in which they are listed; null: not said. */
export type NamedConditions = ReadonlyMap<string, string | null>;

/**
 * Which conditions of some configurations are equal, which differ, and which are not known of all of them.
 * Names keep the order in which they come first; case and blanks make no difference.
 */
export function conditionRows(all: readonly NamedConditions[]): ConditionRow[] {
	const names = new Set(all.flatMap((one) => [...one.keys()]));
	return [...names].map((name) => {
		const values = all.map((one) => one.get(name) ?? null);
		return { name, values, state: stateOf(values) };
	});
}

const plain = (value: string) => value.trim().toLowerCase().replace(/\s+/g, " ");

function stateOf(values: readonly (string | null)[]): ConditionRow["state"] {
	const known = values.flatMap((value) => (value === null ? [] : [plain(value)]));
	if (new Set(known).size > 1) return "differs";
	return known.length === values.length ? "equal" : "unknown";
}
