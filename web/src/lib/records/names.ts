import { ApiProblem, callApi, type Envelope } from "../api.ts";

/** An entry of a catalog as a field offers it. */
export interface Named {
	id: string;
	name: string;
}

/** Every item of a list, however many pages it has. @throws ApiProblem */
export async function allOf<T>(fetcher: typeof fetch, path: string): Promise<T[]> {
	const items: T[] = [];
	let cursor: string | null = "";
	while (cursor !== null) {
		const query = new URLSearchParams({ limit: "100", ...(cursor && { cursor }) });
		const page: Envelope<T> = await callApi(fetcher, `${path}${path.includes("?") ? "&" : "?"}${query}`);
		items.push(...page.items);
		cursor = page.nextCursor;
	}
	return items;
}

/** Every name of a catalog; without the catalog a field takes what is typed. @param path of the list: "/models" */
export async function namesOf(fetcher: typeof fetch, path: string): Promise<Named[]> {
	try {
		return (await allOf<Named>(fetcher, path)).map(({ id, name }) => ({ id, name }));
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return [];
	}
}
