import type { HandleClientError } from "@sveltejs/kit/hooks";
import { pageData } from "#lib/requests/page-data.svelte.ts";

export const init = () => pageData.hold();

/** What browsers say where the code of a page could not be fetched. */
const NOT_FETCHED =
	/dynamically imported module|Unable to preload|Importing a module script failed|Failed to fetch|NetworkError/i;

/** Says of a page that could not be opened that the server was away, where that is the cause. */
export const handleError: HandleClientError = ({ kind, error }) => {
	// A page that is not there says so itself.
	if (kind !== "unknown") return;
	console.error(error);
	if (!(error instanceof Error && NOT_FETCHED.test(error.message))) return;
	return {
		message: "The server could not be reached",
		advice: "Nothing is lost. Is it still running? Try again when it is.",
	};
};
