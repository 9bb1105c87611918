import type { ClientInit, HandleClientError } from "@sveltejs/kit/hooks";
import type { Language } from "#lib/language/languages.ts";
import { pageData } from "#lib/requests/page-data.svelte.ts";

export const init: ClientInit = async () => {
	pageData.hold();
	await goOnIn(document.documentElement.lang as Language);
};

/** Where the server wrote in another language, the page goes on in it; English pages load none of this. */
async function goOnIn(language: Language): Promise<void> {
	if (language === "en") return;
	const [{ translatorInto }, { keepTranslated }] = await Promise.all([
		import("#lib/language/catalogue.ts"),
		import("#lib/language/page.ts"),
	]);
	const translate = await translatorInto(language);
	if (translate) keepTranslated(document, translate);
}

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
