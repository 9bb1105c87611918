import type { ClientInit } from "@sveltejs/kit/hooks";
import type { Language } from "#lib/language/languages.ts";

/** Where the server wrote in another language, the page goes on in it; English pages load none of this. */
export const init: ClientInit = async () => {
	const language = document.documentElement.lang as Language;
	if (language === "en") return;
	const [{ translatorInto }, { keepTranslated }] = await Promise.all([
		import("#lib/language/catalogue.ts"),
		import("#lib/language/page.ts"),
	]);
	const translate = await translatorInto(language);
	if (translate) keepTranslated(document, translate);
};
