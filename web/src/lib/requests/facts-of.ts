import type { PlanFacts } from "@plimsoll/api/model";
import { callApi } from "../api.ts";

/** What is known of the configuration that an answer was given for; null: of none. */
export const factsOf = (fetcher: typeof fetch, configuration: string | null): Promise<PlanFacts> =>
	callApi(fetcher, configuration ? `/configurations/${encodeURIComponent(configuration)}/facts` : "/facts");
