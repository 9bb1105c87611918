import type { ModelFacts } from "@plimsoll/api/model";

export interface AttentionChoice {
	/** "own" keeps the model's own heads. */
	value: "own" | "mha" | "gqa" | "mqa" | "other";
	label: string;
	note: string;
	/** KV heads of the scenario; null: the model's own. */
	kvHeads: number | null;
}

const nameOf = (kvHeads: number, heads: number) =>
	kvHeads === heads ? "MHA" : kvHeads === 1 ? "MQA" : "GQA";

/** The kinds of attention a model could have had: one KV head for each head, for a group of eight, for all. */
export function attentionChoices(model: ModelFacts): AttentionChoice[] {
	const { heads, kvHeads, mla } = model;
	const own = mla ? "latent" : `${nameOf(kvHeads, heads)} · ${kvHeads}`;
	const others: AttentionChoice[] = [
		{ value: "mha", label: "MHA", note: String(heads), kvHeads: heads },
		{ value: "gqa", label: "GQA", note: String(Math.max(1, heads / 8)), kvHeads: Math.max(1, heads / 8) },
		{ value: "mqa", label: "MQA", note: "1", kvHeads: 1 },
	];
	return [
		{ value: "own", label: "As is", note: own, kvHeads: null },
		...others.filter((choice) => Number.isInteger(choice.kvHeads) && (mla || choice.kvHeads !== kvHeads)),
		{ value: "other", label: "Other", note: "heads", kvHeads: null },
	];
}

/** Which of the choices a scenario's KV heads stand for. */
export function chosenAttention(model: ModelFacts, kvHeads: number | null): AttentionChoice["value"] {
	if (kvHeads === null) return "own";
	return attentionChoices(model).find((choice) => choice.kvHeads === kvHeads)?.value ?? "other";
}
