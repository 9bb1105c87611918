/** The languages of the dashboard, each by its own name. English is what the pages are written in. */
export const LANGUAGES = { en: "English", ru: "Русский" } as const;

export type Language = keyof typeof LANGUAGES;

/** Keeps the choice; the server reads it, since it writes the first words. */
export const COOKIE = "plimsoll.language";

const isLanguage = (name: string | undefined): name is Language => name !== undefined && name in LANGUAGES;

/** The language to answer in: what was chosen, else the first of the browser's that there is, else English. */
export function languageFor(chosen: string | undefined, accepted: string | null): Language {
	if (isLanguage(chosen)) return chosen;
	const wanted = (accepted ?? "")
		.split(",")
		.map((part) => {
			const [name = "", quality] = part.trim().split(";q=");
			return { name: name.toLowerCase().split("-")[0], quality: quality === undefined ? 1 : Number(quality) };
		})
		.sort((one, other) => other.quality - one.quality);
	return wanted.map(({ name }) => name).find(isLanguage) ?? "en";
}
