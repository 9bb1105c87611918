import { claimIdOf } from "./claim.ts";
import { count, percent } from "./figures.ts";
import type { Evidence, Quantity, Source } from "./quantity.ts";

/**
 * How far a window is used well: a fact of a model, a task and a threshold together, never of a model alone.
 * What was measured at single lengths says nothing of those between them.
 */
export interface EffectiveLength {
	id: string;
	/** The model as the source names it. */
	model: string;
	/** Catalog id of that model; null: the catalog does not have it. */
	modelId: string | null;
	task: string;
	/** What a length has to reach to count, in words: "85 % of its score on short prompts". */
	threshold: string;
	/** Window that the maker claims, tokens. */
	claimedTokens: number | null;
	/** Tokens; null: the source measures something else than a length, and `scores` say what. */
	effectiveTokens: number | null;
	/** "up to": longest that reached it; "at least": the longest tested reached it; "below": the shortest tested did not. */
	bound: "up to" | "at least" | "below";
	/** Shortest tested length that did not reach it any more. */
	failedAtTokens: number | null;
	/** What was scored, percent. */
	scores: { at: string; percent: number }[];
	/** Under what conditions; null: not said. */
	conditions: string | null;
	evidence: Extract<Evidence, "measured" | "published" | "vendor">;
	source: Source;
	origin: "seed" | "user";
	enteredBy: string | null;
}

/** A prompt that is longer than a test says its model can use. */
export interface LengthWarning {
	/** Entry of the table that says so. */
	entry: EffectiveLength;
	/** Tokens of the prompt beyond the effective length: paid for, not used. */
	unused: Quantity;
	words: string;
}

/** Whether a prompt is longer than the entry's effective length; of what was not tested so far nothing is known. */
export function passes(context: number, { effectiveTokens, bound }: EffectiveLength): boolean {
	if (effectiveTokens === null || bound === "at least") return false;
	return bound === "below" ? context >= effectiveTokens : context > effectiveTokens;
}

/**
 * The tests whose effective length a prompt passes, the shortest length first; empty where nothing is known of the model.
 * unused = context − effective length
 * @param context prompt tokens
 * @param known what is known of the model that is asked about
 */
export function lengthWarnings(context: number, known: readonly EffectiveLength[]): LengthWarning[] {
	return known
		.filter((entry) => passes(context, entry))
		.sort((a, b) => (a.effectiveTokens ?? 0) - (b.effectiveTokens ?? 0) || (a.id < b.id ? -1 : 1))
		.map((entry) => {
			const unused = unusedOf(context, entry);
			return { entry, unused, words: wordsOf(context, entry, unused) };
		});
}

function unusedOf(
	context: number,
	{ effectiveTokens, bound, evidence, source, id }: EffectiveLength,
): Quantity {
	const used = effectiveTokens ?? 0;
	const least = bound === "below" ? "at least " : "";
	return {
		value: context - used,
		unit: "tokens",
		evidence,
		arithmetic: `${count(context)} prompt tokens − ${count(used)} = ${least}${count(context - used)}, ${percent((context - used) / context)} of the prompt`,
		sources: [{ ...source, claim: claimIdOf("length", id) }],
	};
}

function wordsOf(context: number, entry: EffectiveLength, { value }: Quantity): string {
	return `${reachWords(entry)} Of ${count(context)} prompt tokens ${count(value ?? 0)} lie beyond: paid for, and in a task like this not used well.`;
}

/** "In NoLiMa, Llama 3.1 70B reaches 85 % of … in prompts of up to 2,000 tokens, not of 4,000." */
export function reachWords({
	task,
	model,
	threshold,
	effectiveTokens,
	bound,
	failedAtTokens,
}: EffectiveLength): string {
	if (effectiveTokens === null) return `${task}, ${model}: ${threshold}.`;
	const subject = `In ${task}, ${model}`;
	if (bound === "below")
		return `${subject} stays below ${threshold} in prompts of ${count(effectiveTokens)} tokens already, the shortest tested.`;
	if (bound === "at least")
		return `${subject} reaches ${threshold} in prompts of ${count(effectiveTokens)} tokens, the longest tested.`;
	const failed = failedAtTokens === null ? "" : `, not of ${count(failedAtTokens)}`;
	return `${subject} reaches ${threshold} in prompts of up to ${count(effectiveTokens)} tokens${failed}.`;
}
