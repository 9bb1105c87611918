import type { Language } from "./languages.ts";
import { russianNumerals } from "./numerals.ts";
import { type Catalogue, type LanguageForms, type Translate, translator } from "./translate.ts";

const FORMS: Record<Exclude<Language, "en">, LanguageForms> = {
	ru: { locale: "ru", numerals: russianNumerals },
};

const made = new Map<Language, Promise<Translate>>();

async function make(language: Exclude<Language, "en">): Promise<Translate> {
	const parts = import.meta.glob<Catalogue>("./ru/*.json", { import: "default" });
	const read = await Promise.all(Object.values(parts).map((part) => part()));
	return translator(Object.assign({}, ...read), FORMS[language]);
}

/** The translator into a language, read once; null for English, which needs none. */
export function translatorInto(language: Language): Promise<Translate> | null {
	if (language === "en") return null;
	const known = made.get(language) ?? make(language);
	made.set(language, known);
	return known;
}
