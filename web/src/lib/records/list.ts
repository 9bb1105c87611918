import { ApiProblem, callApi, type Envelope } from "../api.ts";

/** What a list is narrowed to, by the keys of the address and of the API alike; an empty text asks for nothing. */
export type Filter = Record<string, string>;

/** Items that one page of a list shows. */
const SHOWN = 20;

/** The filter of an address, for the keys that a list knows. */
export function filterOf<K extends string>(query: URLSearchParams, keys: readonly K[]): Record<K, string> {
	return Object.fromEntries(keys.map((key) => [key, query.get(key)?.trim() ?? ""])) as Record<K, string>;
}

export const isEmpty = (filter: Filter): boolean => Object.values(filter).every((value) => value === "");

/**
 * One page of a list of the API. A place that the list does not know, as after a change of the filter, is the beginning.
 * @param path of the list, e.g. "/runs"
 * @throws ApiProblem
 */
export async function readList<T>(
	fetcher: typeof fetch,
	path: string,
	cursor: string | null,
	filter: Filter = {},
): Promise<Envelope<T>> {
	const asked = Object.entries(filter).filter(([, value]) => value !== "");
	const query = new URLSearchParams({
		...Object.fromEntries(asked),
		limit: String(SHOWN),
		...(cursor && { cursor }),
	});
	try {
		return await callApi<Envelope<T>>(fetcher, `${path}?${query}`);
	} catch (problem) {
		const lost = problem instanceof ApiProblem && problem.errors.some(({ at }) => at === "cursor");
		if (!cursor || !lost) throw problem;
		return readList(fetcher, path, null, filter);
	}
}

/** A list that could not be read. */
export const NOTHING: Envelope<never> = {
	...{ items: [], totalCount: 0, returned: 0, offset: 0, truncated: false, nextCursor: null },
};
