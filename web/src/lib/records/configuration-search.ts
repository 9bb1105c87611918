import type { ConfigurationFacts, ConfigurationFits } from "@plimsoll/api/model";
import { callApi, type Envelope } from "../api.ts";

/** A configuration as far as a choice shows it. */
export type Choice = Pick<ConfigurationFacts, "id" | "label">;

/** Those of one origin that match, the newest of them. */
export interface ChoiceGroup {
	origin: ConfigurationFacts["origin"];
	choices: Choice[];
	/** How many match, shown or not. */
	count: number;
}

/** Whose measurements come first: one's own. */
const ORIGINS: readonly ConfigurationFacts["origin"][] = ["own", "published", "example"];

/** Configurations of one origin that are offered at a time. */
const OFFERED = 8;

/**
 * Configurations in which all words of a search stand, one's own first; groups without any are left out.
 * @param fitted only those with a law of this phase
 * @throws ApiProblem, and AbortError where the signal ends it
 */
export async function searchConfigurations(
	fetcher: typeof fetch,
	words: string,
	fitted: keyof ConfigurationFits | null,
	signal: AbortSignal,
): Promise<ChoiceGroup[]> {
	const q = words.trim();
	const read = async (origin: ConfigurationFacts["origin"]) => {
		const query = new URLSearchParams({
			origin,
			limit: String(OFFERED),
			...(q && { q }),
			...(fitted && { fitted }),
		});
		const found = await callApi<Envelope<Choice>>(fetcher, `/configurations?${query}`, { signal });
		return {
			origin,
			choices: found.items.map(({ id, label }) => ({ id, label })),
			count: found.totalCount,
		};
	};
	const groups = await Promise.all(ORIGINS.map(read));
	return groups.filter(({ count }) => count > 0);
}
