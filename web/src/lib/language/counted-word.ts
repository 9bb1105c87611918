import type { Translate } from "./translate.ts";

/** The form of a word that goes with the figure before it: "users" after 2 is "пользователя". null: it is not known. */
export function countedWord(translate: Translate, figure: string, word: string): string | null {
	const phrase = translate(`${figure} ${word.trim()}`);
	const said = translate(figure) ?? figure;
	// Where a language puts something before the figure, the word alone has to do.
	if (!phrase?.replaceAll("\u00a0", " ").startsWith(`${said.replaceAll("\u00a0", " ")} `))
		return translate(word);
	return word.replace(word.trim(), phrase.slice(said.length + 1));
}
