import { latinCards } from "./names.ts";
import synonyms from "./synonyms.json" with { type: "json" };

/** What a text is learned and told by: each feature with its weight, and the word of the text that it stands for. */
export type Features = ReadonlyMap<string, { weight: number; word: string }>;

const CARD =
	/(?<![a-z0-9])(?:(?:nvidia|amd|geforce|tesla) )?(?:rtx (?:pro )?\d{4}|g?[ahbv]\d{2,3}|l40?s?|mi\d{3}x?|[345]0[5-9]0|t4)s?(?: (?:ti|ada|sxm|pcie|nvl|super)(?![a-z]))*(?![a-z0-9])/g;
const MODEL =
	/(?<![a-z])(?:llama|qwen|mistral|mixtral|ministral|nemo|gemma|deepseek|phi|gpt oss|kimi|glm|лам[аыуе]|дипсик|квен)(?![a-zа-я])(?: ?(?:v?\d[\d.]*[bkx]?\d*b?|a\d+b|large|small|nemo|coder|instruct|scout|maverick|r1)(?![a-z]))*/g;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Words of a task in lower case; cards, models, numbers and ids, which are without end, as what they are. */
export function wordsIn(task: string): string[] {
	const plain = latinCards(task.toLowerCase().replaceAll("ё", "е"))
		.replaceAll(UUID, " #id ")
		.replaceAll("-", " ")
		.replaceAll(/qwen(?=\d)/g, "qwen ")
		.replaceAll(CARD, " #card ")
		.replaceAll(MODEL, " #model ");
	const words = plain.match(/#?\p{L}+(?:\/\p{L}+)*\d*\p{L}*|\d[\d.,]*\p{L}*|[$%€]/gu) ?? [];
	return words.map(figureKind);
}

function figureKind(word: string): string {
	if (/^\d[\d.,]*[kmкм]$/.test(word)) return "#tokens";
	if (/^\d+(?:gb|гб|g)$/.test(word)) return "#gb";
	if (/^(?=.*\d)(?=.*[a-f])[0-9a-f]{2,}$/.test(word)) return "#id";
	return /^\d/.test(word) ? "#number" : word;
}

const ENDINGS =
	/(?:иями|ями|ами|иях|ого|ему|ому|ыми|ими|ать|ять|ить|еть|ешь|ишь|ет|ит|ют|ут|ят|ат|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ом|ем|ам|ям|ах|ях|ую|юю|ов|ев|ия|ии|ию|а|я|о|е|ы|и|у|ю|ь|й)$/;

/** A word without its ending, at least three letters. */
export function stemOf(word: string): string {
	if (word.startsWith("#") || word.length < 4) return word;
	const stem = /[а-я]/.test(word)
		? word.replace(/(?:ся|сь)$/, "").replace(ENDINGS, "")
		: word.replace(/(?:ations?|ings?|ed|es|s|e|ly)$/, "");
	return stem.length >= 3 ? stem : word.slice(0, 3);
}

/** Stems and what they mean in either language. */
const MEANINGS = new Map<string, string[]>();
for (const [meaning, words] of Object.entries(synonyms))
	for (const key of new Set(words.split(" ").flatMap((word) => [word, stemOf(word)])))
		MEANINGS.set(key, [...(MEANINGS.get(key) ?? []), meaning]);

const meaningsOf = (word: string): readonly string[] =>
	MEANINGS.get(word) ?? MEANINGS.get(stemOf(word)) ?? [];

const PAIR = 0.7;
const GRAM = 0.6;
const MEANING = 2;
const GRAM_LETTERS = 4;

/** Stems, pairs of them, runs of four letters, meanings, and pairs of meanings wherever they stand. */
export function featuresOf(task: string): Features {
	const features = new Map<string, { weight: number; word: string }>();
	const add = (feature: string, weight: number, word: string) => {
		if (!features.has(feature)) features.set(feature, { weight, word });
	};
	const words = wordsIn(task);
	let before = "";
	const meant = new Map<string, string>();
	for (const word of words) {
		const stem = stemOf(word);
		add(`w ${stem}`, 1, word);
		add(`p ${before} ${stem}`, PAIR, word);
		before = stem;
		for (const meaning of meaningsOf(word)) {
			add(`m ${meaning}`, MEANING, word);
			if (!meant.has(meaning)) meant.set(meaning, word);
		}
		for (const kind of ORDER_KINDS.get(word) ?? []) add(`o ${kind}`, MEANING, word);
		const padded = `<${word}>`;
		if (!word.startsWith("#"))
			for (let at = 0; at + GRAM_LETTERS <= padded.length; at++)
				add(`g ${padded.slice(at, at + GRAM_LETTERS)}`, GRAM, word);
	}
	const all = [...meant].sort();
	for (const [index, [one, word]] of all.entries())
		for (const [other] of all.slice(index + 1)) add(`mm ${one} ${other}`, 1, word);
	return features;
}

/** Forms of verbs that order a change: bare in English, imperative or infinitive in Russian. */
const ORDERS = {
	delete: `delete remove erase drop discard bin wipe trash scrap revoke kill end clear invalidate disable throw rid take leave
		удали удалить удалите убери уберите убрать сотри сотрите стереть выкинь выкиньте выкинуть выброси выброс выбрось выбросить
		снеси снести грохни грохнуть избавься избавиться отзови отзовите отозвать аннулируй вычисти вычистить отключи отключить
		заверши завершить убей`,
	restore: `restore undelete un recover undo bring put get
		восстанови восстановите восстановить верни верните вернуть отмени отменить достань откати откатить`,
	exclude: `exclude ignore omit leave throw keep drop take remove delete count include consider put
		исключи исключить исключите учитывай считай выкинь выкинуть выбрось выброси выбросить убери убрать удали удалить учти
		включи включить верни вернуть`,
	change: `change edit update correct fix amend rename modify set call tag label mark add put attach remove drop note restore bring
		измени измените изменить поправь поправьте поправить исправь исправьте исправить обнови обновить переименуй переименовать
		смени сменить назови поставь поставить пометь пометить отметь навесь добавь добавить сними убери верни восстанови запиши
		поменяй присвой допиши допишите дописать`,
	add: `add create register import insert enter upload submit post send put load ingest record log note write store save keep
		remember bookmark make issue generate set raise lower update new teach push restore bring want need costs charges agreed
		lowered raised добавь добавьте добавить создай создайте создать зарегистрируй зарегистрировать импортируй внеси внесите
		внести занеси занесите загрузи загрузите загрузить залей залить отправь отправить закинь заведи заведите завести запиши
		запишите записать отметь зафиксируй сохрани сохраните сохранить запомни запомнить оставь отложи положи сделай выпусти
		выпустить выдай сгенерируй дай нужен новый новая новую новое подними повысь снизь обнови поставь верни восстанови включи
		прими теперь поднял подняла подняли снизил снизили договорились`,
} as const;
export type OrderKind = keyof typeof ORDERS;

const ORDER_KINDS = new Map<string, OrderKind[]>();
for (const [kind, forms] of Object.entries(ORDERS))
	for (const form of forms.split(/\s+/))
		ORDER_KINDS.set(form, [...(ORDER_KINDS.get(form) ?? []), kind as OrderKind]);

/** Words of a task that may order a change of a kind. */
export const ordersOf = (task: string, kind: OrderKind): string[] =>
	wordsIn(task).filter((word) => ORDER_KINDS.get(word)?.includes(kind));
