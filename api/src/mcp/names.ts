/** An entry of a catalog: its id is its common name, spelled with hyphens. */
export interface Named {
	id: string;
}

/** Cyrillic letters that look like the Latin ones of card names: А100, Н100. */
const LOOKALIKES: Readonly<Record<string, string>> = {
	а: "a",
	в: "b",
	н: "h",
	т: "t",
	м: "m",
	л: "l",
	х: "x",
};

/** Lower-case words of a task, dots kept inside numbers, Cyrillic lookalikes before digits made Latin. */
function wordsOf(task: string): string[] {
	return latinCards(task.toLowerCase()).match(/[\p{L}\p{N}]+(?:\.\d+)*[\p{L}\p{N}]*/gu) ?? [];
}

/** Names of cards in a text of lower case with their Cyrillic lookalikes made Latin. */
export const latinCards = (text: string): string =>
	text.replaceAll(/(?<!\p{L})[авнтмл](?=\d{2})/gu, (letter) => LOOKALIKES[letter] ?? letter);

/** Letters and figures apart, as people write them either way: qwen3 and "qwen 3", but 70b stays whole. */
const apart = (words: readonly string[]) =>
	words.flatMap((word) => word.match(/\d[\d.]*\p{L}*|\p{L}+/gu) ?? []);

const MEMORY = /^\d+gb?$/;

/**
 * The cards of the catalog that a task names, as closely as it names them: "H100" is every H100, "H100 PCIe" is one.
 * @returns ids; none where no card is named
 */
export function gpusNamed(task: string, gpus: readonly Named[]): string[] {
	const entries = gpus.map(({ id }) => ({ id, words: id.split("-") }));
	const known = new Set(entries.flatMap(({ words }) => words));
	const said = new Set(
		wordsOf(task).flatMap((word) => (known.has(word) ? [word] : [word, word.replace(/s$/, "")])),
	);
	// "80 GB" is two words of a task and one of a name.
	for (const [, size] of task.toLowerCase().matchAll(/(\d+)\s?g[bi]/g)) said.add(`${size}gb`);
	const suited = entries.flatMap(({ id, words }) => {
		const model = words.filter((word) => /\d/.test(word) && !MEMORY.test(word));
		const matched = words.filter((word) => said.has(word));
		return model.some((word) => said.has(word))
			? [{ id, matched: matched.length, left: words.length - matched.length }]
			: [];
	});
	return closest(suited);
}

/**
 * The models of the catalog that a task names: "llama 70b" is every Llama of that size, "Llama-3.1-70B" is one.
 * @returns ids; none where no model is named
 */
export function modelsNamed(task: string, models: readonly Named[]): string[] {
	const said = apart(wordsOf(task));
	const sizes = said.filter((word) => /^\d+(?:\.\d+)?b$/.test(word));
	const suited = models.flatMap(({ id }) => {
		const words = apart(wordsOf(id.replaceAll("-", " ")));
		const family = words[0] ?? "";
		const matched = words.filter((word) => said.includes(word));
		const sized = sizes.length === 0 || sizes.some((size) => words.includes(size));
		const versioned = versionsAgree(words, said, family);
		const named = said.includes(family) && matched.length > 1 && sized && versioned;
		return named ? [{ id, matched: matched.length, left: words.length - matched.length }] : [];
	});
	return closest(suited);
}

/** Whether the version behind the family's name, where one is said, is this model's or the beginning of it: 3 is 3.1. */
function versionsAgree(words: readonly string[], said: readonly string[], family: string): boolean {
	const version = said[said.indexOf(family) + 1];
	if (version === undefined || !/^\d+(?:\.\d+)?$/.test(version)) return true;
	return words.some((word) => word === version || word.startsWith(`${version}.`));
}

interface Match {
	id: string;
	/** Words of the name that were said, and those that were not. */
	matched: number;
	left: number;
}

/** Those with the most words said; of these one that was said whole, where there is one. */
function closest(matches: readonly Match[]): string[] {
	const most = Math.max(...matches.map(({ matched }) => matched));
	const best = matches.filter(({ matched }) => matched === most);
	const whole = best.filter(({ left }) => left === 0);
	return (whole.length > 0 ? whole : best).map(({ id }) => id).sort();
}
