import type { PageLoad } from "./$types";
import { loadLoad } from "./load-data.ts";

/** Reads only the key that chooses the configuration: everything else is simulated without a request. */
export const load: PageLoad = ({ url, fetch }) => loadLoad(fetch, url.searchParams.get("configuration"));
