import type { PageLoad } from "./$types";
import { loadPlan } from "./load-facts.ts";

/** Reads only the keys that choose what is planned: every other key of the address is answered without a request. */
export const load: PageLoad = ({ url, fetch }) =>
	loadPlan(fetch, {
		configuration: url.searchParams.get("configuration"),
		model: url.searchParams.get("model"),
		gpu: url.searchParams.get("gpu"),
	});
