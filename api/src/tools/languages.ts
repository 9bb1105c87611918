import { counter, type TokenCounts } from "./tokenizers.ts";

/** The same description in two languages, written for this comparison. */
const PAIR = [
	{
		language: "English",
		text: "Finds orders by customer and day, newest first. Returns at most 50 of them.",
	},
	{
		language: "Russian",
		text: "Находит заказы по клиенту и дню, сначала новые. Возвращает не больше 50 заказов.",
	},
];

/** A text and what each tokenizer makes of it. */
export interface LanguageWeight {
	language: string;
	text: string;
	tokens: TokenCounts;
}

/** What a language costs: one description twice, counted now. */
export async function languageWeights(): Promise<LanguageWeight[]> {
	const count = await counter();
	return PAIR.map(({ language, text }) => ({ language, text, tokens: count(text) }));
}
