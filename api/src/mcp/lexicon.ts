const GROUPS: Readonly<Record<string, string>> = {
	cards: `gpu*|accelerator*|card|cards|h100*|h200*|b200*|b300*|a100*|l40*|l4|mi300*|mi325*|rtx|4090*|5090*|3090*
		|видеокарт*|карт|карты|карта|картах|картам|карточ*|гпу|ускорител*`,
	people: `users|people|persons|employees|staff|analysts|students|colleagues|operators|customers|clients|developers|engineers|agents|sessions|chats|conversations
		|пользовател*|человек|людей|народу|юзер*|коллег|аналитиков|операторов|студентов|клиентов|разработчик*|сотрудник*|сессий`,
};

/** Ideas and their spellings: * for any ending, _ for up to three words between, {group} for any word of a group. */
const LEXICON = {
	change:
		"rename, change, update, edit, correct, amend, fix, переимен*, измени*, поменя*, обнови*, исправ*, поправ*",
	setTo: "set _ to, set, put, установи*, установит*, задай, задать, поставь",
	delete: `delete, remove, drop, take out, take _ out, erase, revoke, get rid, end the key, discard, удали*,
		убери*, убрать, сотри, отзови, отозвать, выкин*, снеси`,
	restore: `undo, restore, undelete, bring back, bring _ back, undo the delet*, recover, put _ back, put back, восстанов*,
		верни, вернуть`,
	exclude: `keep _ out of, rubbish, out of the curve, do not count, don t count, discard, не считай, выброси, выбрось, брак, exclude, excluded, leave out, ignore, take _ out of the fit*, out of the fit*, throw out, исключ*,
		не учитыва*, из подгонк*, выкин* из`,
	include: `trustworthy again, count _ again, good again, снова включи, верни в, include, take _ into the fit*, back into the fit*, count again, включи*, учти, учитыва*`,
	howManyUsers: `how big a crowd, how large a crowd, how big a team, how large a team, сколько народу, headcount, how many heads, falls over, fall over, сколько чатов, сколько одновременных, держит, выдерживает, how many {people}, how many concurrent, how many simultaneous {people}, how many active {people},
		number of {people}, how many requests at once, how many requests in flight, how many parallel request*,
		concurrency limit, max concurren*, maximum concurren*, user capacity, capacity in users, users can,
		people can, сколько {people}, сколько активных {people}, сколько одновременн*, сколько параллельн*,
		максимум пользовател*, сколько _ запросов одновременно`,
	holdsUsers: `can we serve, can it serve, can they serve, will it hold, can it handle, enough for, can we handle,
		will it cope, can * serve, can * handle, is it feasible, feasible, выдержит*, выдержат, хватит ли,
		потянет, потянут, справ*ся, обслужит*, обслужат`,
	ttft: `how long _ read, how many seconds _ read, прочитает, прочтет, прочитать документ, first tokens, первые токены, первых токенов, answer time, response time, ждать ответа, долго ждать, время ответа, ttft, time to first token, first token, how long _ wait, prefill time, time to prefill,
		latency of a _ prompt, how long does _ prompt, how long to read, first answer, первый токен,
		первого токена, первым токеном, первому токену, время до первого, сколько ждать`,
	tpot: `generation speed, output speed, speed of generation, скорость выдачи, скорость вывода, tpot, per output token, inter-token, time per token, decode speed, tokens per second, tok/s,
		decode latency, how fast, на токен, между токенами, токенов в секунду, скорость генерации,
		скорость декод*, как быстро, насколько быстро`,
	throughput: `throughput, requests per second can, how many requests per second, пропускная способность конфиг*,
		сколько запросов в секунду`,
	perMonth: `per month, a month, monthly, each month, в месяц, за месяц, ежемесячн*, помесячн*`,
	costOf: `price per request, price of a request, price of one request, price per token, цена запроса, цена одного запроса, цена токена, million tokens cost, во что обойдется, во сколько обходится, dollars per, dollars a, usd a, cents per, долларов за, доллар за, what does it cost, how much does it cost, how much would it cost, what would it cost, cost of, cost per,
		costs per, how much is, tokens cost, request cost*, cost on, tokens costs, usd per million,
		dollars per million, per million tokens, how much does _ cost, what does _ cost, what will _ cost,
		сколько стоит, сколько будет стоить, во сколько обойдется, стоимость, цена миллиона, за миллион токенов,
		почем`,
	bursts: "burst, bursts, bursty, всплеск*, пачк*, пиками",
} as const satisfies Record<string, string>;

export type IdeaName = keyof typeof LEXICON;

/** A price that is said is a condition of the question, not what is asked for. */
const GIVEN_PRICE =
	/(?:\$ ?\d[\d.]*|\d[\d.]* ?(?:usd|dollars?|доллар[а-я]*)) ?(?:per|an?|\/|за|в) ?(?:gpu|карт[а-я]*)?[ -]?(?:hours?|h|час[а-я]*)?(?![a-zа-я0-9])/g;

/** The task as the lexicon spells: lower case, ё as е, words between single blanks, hyphens as blanks too. */
function plainWords(task: string): string {
	const words =
		task
			.toLowerCase()
			.replaceAll("ё", "е")
			.replaceAll(GIVEN_PRICE, " ")
			.match(/[\p{L}\p{N}+/.]+/gu) ?? [];
	const plain = words.map((word) => word.replace(/\.+$/, "")).filter(Boolean);
	// "if we run 8 cards" speaks of no upload.
	return ` ${plain.join(" ")} `.replaceAll(
		/(?<= (?:we|to|i|you|should|can|could|would|will) )run(?= )/g,
		"operate",
	);
}

/** A spelling as a pattern over plain words, where every word stands between blanks. */
function patternOf(spelling: string): string {
	const words = spelling.replaceAll("-", " ").split(" ");
	return words.map((word) => (word === "_" ? "(?:[^ ]+ ){0,3}" : `${wordPattern(word)} `)).join("");
}

function wordPattern(word: string): string {
	const [, group] = /^\{(\w+)\}$/.exec(word) ?? [];
	const spelled = group === undefined ? word : (GROUPS[group] ?? "").replaceAll(/\s/g, "");
	const text = spelled.replaceAll(/[.+/]/g, "\\$&").replaceAll("*", "[^ ]*");
	return group === undefined ? text : `(?:${text})`;
}

const PATTERNS = Object.entries(LEXICON).map(([name, spellings]) => ({
	name: name as IdeaName,
	pattern: new RegExp(` (?:${spellings.split(/,\s*/).map(patternOf).join("|")})`),
}));

/** The ideas that a task holds, each with the words that say so. */
export function ideasIn(task: string): Map<IdeaName, string> {
	const plain = plainWords(task);
	const found = new Map<IdeaName, string>();
	for (const { name, pattern } of PATTERNS) {
		const [words] = pattern.exec(plain) ?? [];
		if (words !== undefined) found.set(name, words.trim());
	}
	return found;
}
