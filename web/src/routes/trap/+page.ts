import type { PageLoad } from "./$types";
import { loadTrap } from "./load-trap.ts";

export const load: PageLoad = ({ url, fetch }) => loadTrap(fetch, url.searchParams.get("configuration"));
