/** Configurations that one page holds side by side. */
export const MOST_COMPARED = 4;

/** The configurations that an address names, each once, and how many it names beyond what fits. */
export function chosenOf(params: URLSearchParams): { ids: string[]; dropped: number } {
	const named = [...new Set(params.getAll("configuration").filter((id) => id.trim() !== ""))];
	return { ids: named.slice(0, MOST_COMPARED), dropped: Math.max(0, named.length - MOST_COMPARED) };
}

/** Address of the comparison of some configurations. */
export function compareAddress(ids: readonly string[]): string {
	const query = new URLSearchParams(ids.map((id) => ["configuration", id]));
	return query.size === 0 ? "/compare" : `/compare?${query}`;
}
