import type { Scenario } from "@plimsoll/api/model";
import { SAID_OF_SUBJECT } from "./subject.ts";

/** What of a model of the catalog decides whether it stands in for another. */
export interface Sized {
	id: string;
	name: string;
	/** Weights in all; null: not known. */
	paramsTotal: number | null;
	/** The longest it was made for, tokens; null: not known. */
	maxContextTokens: number | null;
}

const MOST_OFFERED = 3;

/** Models that take so many tokens, those first that are most nearly as large as the given one. */
export function longerModels<Model extends Sized>(
	models: readonly Model[],
	tokens: number,
	like: Pick<Sized, "paramsTotal">,
): (Model & { maxContextTokens: number })[] {
	const size = like.paramsTotal ?? 0;
	const distance = ({ paramsTotal }: Model) =>
		size > 0 && paramsTotal ? Math.abs(Math.log(paramsTotal / size)) : Number.POSITIVE_INFINITY;
	return models
		.flatMap((model) => {
			const { maxContextTokens } = model;
			return maxContextTokens !== null && maxContextTokens >= tokens ? [{ ...model, maxContextTokens }] : [];
		})
		.sort((a, b) => distance(a) - distance(b) || a.name.localeCompare(b.name))
		.slice(0, MOST_OFFERED);
}

/** The same question of another model on the same cards. */
export const askedOf = (model: string, gpu: string, gpus: number | null, scenario: Scenario): Scenario => ({
	...scenario,
	...SAID_OF_SUBJECT,
	...{ configuration: null, model, gpu, gpus },
});
