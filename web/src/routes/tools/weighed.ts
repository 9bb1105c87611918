import type { ToolsAnswer } from "@plimsoll/api";
import { callApi } from "#lib/api.ts";

/**
 * What a list weighs on the setup of an address.
 * @throws ApiProblem that says where the list or the address is wrong
 */
export function weighed(
	fetcher: typeof fetch,
	list: string,
	/** Of the address: "?configuration=…". */
	search: string,
	signal?: AbortSignal,
): Promise<ToolsAnswer> {
	const query = new URLSearchParams(search);
	// Of the page alone: which measured series it draws.
	query.delete("series");
	return callApi<ToolsAnswer>(fetcher, `/tools${query.size > 0 ? `?${query}` : ""}`, {
		...{ method: "POST", headers: { "content-type": "text/plain" }, body: list },
		...(signal ? { signal } : {}),
	});
}
