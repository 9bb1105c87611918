import { callApi, type Envelope } from "#lib/api.ts";

export interface Named {
	id: string;
	name: string;
}

export interface Catalogs {
	models: Named[];
	gpus: Named[];
}

/** Names of every model and GPU that can be planned with, measured or not. @throws ApiProblem */
export async function readCatalogs(fetcher: typeof fetch): Promise<Catalogs> {
	const [models, gpus] = await Promise.all(
		["/models", "/gpus"].map((path) => callApi<Envelope<Named>>(fetcher, `${path}?limit=100`)),
	);
	return { models: models?.items ?? [], gpus: gpus?.items ?? [] };
}
