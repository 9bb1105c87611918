import { kvTypeOf, weightFormatOf } from "../model/index.ts";

/** The figures of a task in words; null: not said. */
export interface Figures {
	contextTokens: number | null;
	outputTokens: number | null;
	users: number | null;
	requestsPerSecond: number | null;
	gpus: number | null;
	tensorParallel: number | null;
	busyShare: number | null;
	/** Cache type, and weight format, by the catalog's names. */
	kv: string | null;
	weights: string | null;
	ttftSeconds: number | null;
	tpotSeconds: number | null;
	usdPerGpuHour: number | null;
	/** In which money the answer is wanted, where that is not US dollars. */
	currency: string | null;
	cachedShare: number | null;
	limit: number | null;
	windowTokens: number | null;
	systemTokens: number | null;
	tools: number | null;
	toolTokens: number | null;
	resultTokens: number | null;
	turns: number | null;
	/** Figures that could mean several things, as they stand in the task. */
	unclear: string[];
	/** Numbers that nothing was made of, as they stand in the task. */
	left: string[];
}

const UNITS: Readonly<Record<string, number>> = {
	one: 1,
	two: 2,
	three: 3,
	four: 4,
	six: 6,
	eight: 8,
	sixteen: 16,
};
const UNITS_RU: Readonly<Record<string, number>> = {
	...{ один: 1, одной: 1, одном: 1, два: 2, две: 2, двух: 2, три: 3, трех: 3, четыре: 4, четырех: 4 },
	...{ шесть: 6, шести: 6, восемь: 8, восьми: 8, шестнадцать: 16, шестнадцати: 16, сто: 100, ста: 100 },
};
const NUMBER_WORDS = { ...UNITS, ...UNITS_RU };

/** Thousands apart by blanks or commas, then decimals: 65 536, 65,536, 2.5, 2,5. */
const N = "(\\d{1,12}(?:[ ,]\\d{3}(?!\\d))*(?:(?:\\.\\d{1,6}|,\\d{1,2})(?!\\d))?|\\.\\d{1,6})";
const SCALE = "(?:\\s?(kib|k|m|к|м|тыс[а-я]*\\.?|thousand|млн\\.?|million|миллион[а-я]*)(?![a-zа-я0-9]))?";
const AMOUNT = `(?<![a-zа-я0-9.$-])${N}${SCALE}`;
const CARD =
	"(?:nvidia |amd |geforce )?(?:[hablvt]\\d{1,4}[a-z]?s?|rtx|mi\\d{3}x?s?|gpus?|cards?|accelerators?|видеокарт[а-я]*|карт[а-я]*|гпу|[авнл]\\d{2,4})";
const PEOPLE =
	"(?:concurrent |simultaneous |parallel |active |одновременн[а-я]+ |параллельн[а-я]+ )?(?:users?|people|persons|employees?|staff|analysts?|students?|colleagues?|operators?|sessions|conversations|customers?|clients?|developers?|engineers?|agents?|chats?|requests at once|requests in flight|parallel requests|concurrent requests|пользовател[а-я]*|человек[а-я]*|людей|юзер[а-я]*|коллег|аналитик[а-я]*|оператор[а-я]*|студент[а-я]*|чат[а-я]*|клиент[а-я]*|разработчик[а-я]*|сотрудник[а-я]*|агент[а-я]*|одновременн[а-я]+ запрос[а-я]*)";
const TOKENS = "(?:tokens?|токен[а-я]*)";
const SECONDS = "(ms|milliseconds?|мс|миллисекунд[а-я]*|s|sec|seconds?|с|сек|секунд[а-я]*)(?![a-zа-я])";
const OUTPUT =
	"(?:output|answers?|completions?|generat\\w*|replies|reply|выход[а-я]*|ответ[а-я]*|генер[а-я]*)";

const PATTERNS = new Map<string, RegExp>();

/** Each pattern is made once. */
function pattern(text: string): RegExp {
	const known = PATTERNS.get(text) ?? new RegExp(text);
	PATTERNS.set(text, known);
	return known;
}

const SCALES: readonly [RegExp, number][] = [
	[/^kib/, 1024],
	[/^(k|к|т|thousand)/, 1e3],
	[/^m$|^(м|mil)/, 1e6],
];

/** "64", "k" is 64,000; "65 536" and "65,536" are one number. */
function amount(digits = "", scale = ""): number {
	const factor = SCALES.find(([spelling]) => spelling.test(scale))?.[1] ?? 1;
	const plain = digits.trim().replaceAll(/[, ](?=\d{3}(?!\d))/g, "");
	return Math.round(Number(plain.replace(",", ".")) * factor * 1e6) / 1e6;
}

const seconds = (digits = "", unit = "") => amount(digits) / (/^(m|м)/.test(unit) ? 1000 : 1);

/**
 * Reads the figures of a task, English or Russian: each stretch of it is read once, the most telling first, so that the
 * 64 of "64K on 8 H100" is never a number of cards.
 */
export function figuresIn(task: string): Figures {
	const reader = new Reader(task);
	const { take } = reader;
	const usdPerGpuHour = take(
		[
			`\\$\\s?${N}\\s?(?:an|a|per|/|в|за)\\s?(?:gpu[- ]?|card[- ]?)?(?:h(?![a-z])|hr|hour|ч(?![а-я])|час)`,
			`${N}\\s?(?:usd|dollars?|доллар[а-я]*|\\$)(?:\\s?(?:an|a|per|/|в|за)|[^.]{0,12}(?:hour|час))`,
		],
		([, digits]) => amount(digits),
	);
	const requestsPerSecond = take(
		[
			`${AMOUNT}\\s?(?:rps|qps|req(?:uests?)?\\s?(?:/|per|a)\\s?s(?:ec|econd)?|tasks? per second|запрос[а-я]* в секунду|запрос[а-я]*/с)`,
			`rate(?: of| =|:)? ${AMOUNT}(?: per second|/s)?`,
		],
		([, digits, scale]) => amount(digits, scale),
	);
	const ttftSeconds = take(
		[
			`${N}\\s?${SECONDS} (?:for (?:the )?|to (?:the )?)?first token`,
			`(?:ttft|first token|first answer|перв[а-я]+ токен[а-я]*)[^\\d.;]{0,30}?${N}\\s?${SECONDS}`,
			`${N}\\s?${SECONDS}[^\\d.;]{0,20}(?:ttft|to (?:the )?first token|до первого токена|на первый токен)`,
		],
		([, digits, unit]) => seconds(digits, unit),
	);
	const tpotSeconds = take(
		[
			`(?:tpot|per (?:output |further )?token|itl|между токенами|на токен)[^\\d.;]{0,20}?${N}\\s?${SECONDS}`,
			`${N}\\s?${SECONDS}\\s?(?:tpot|per (?:output |further )?token|/\\s?token|на токен|между токенами)`,
		],
		([, digits, unit]) => seconds(digits, unit),
	);
	const busyShare = take(
		[`${N}\\s?%\\s?(?:busy|utili[sz]ation|загруз[а-я]*)`, `(?:busy|загруз[а-я]*)[^\\d]{0,12}${N}\\s?%`],
		([, digits]) => amount(digits) / 100,
	);
	const cachedShare = take(
		[
			`${N}\\s?%[^\\d]{0,25}(?:cach|кэш|кеш)`,
			`(?:cached|cache hit|кэшировано|кешировано)[^\\d]{0,12}${N}\\s?%`,
		],
		([, digits]) => amount(digits) / 100,
	);
	const kv = reader.format(
		"(?:kv|k/v|cache|кэш[а-я]*|кеш[а-я]*)(?:[ -](?:cache|кэш[а-я]*|кеш[а-я]*))?",
		(name) => kvTypeOf(name),
	);
	const weights = reader.format("(?:weights?|вес[а-я]*|quantis\\w*|quantiz\\w*|квант[а-я]*)", weightName);
	const windowTokens = take(
		[
			`${AMOUNT}[ -](?:${TOKENS} )?(?:context )?window`,
			`window(?: of|:)? ${AMOUNT}`,
			`окн[а-я]+(?: контекста)?(?: в| на| из|:)? ${AMOUNT}`,
		],
		tokens,
	);
	const systemTokens = take(
		[
			`${AMOUNT}[ -](?:${TOKENS} )?(?:of )?system`,
			`system (?:prompt|rules)[^\\d]{0,10}${AMOUNT}`,
			`${AMOUNT} (?:${TOKENS} )?системн`,
			`системн[а-я]+ [а-я]+(?: в| на|:)? ${AMOUNT}`,
		],
		tokens,
	);
	const tools = take([`${AMOUNT} (?:mcp )?(?:tools|инструмент[а-я]*|тул[а-я]*)`], tokens);
	const toolTokens = take(
		[
			`(?:of|at|with|each|по) ${AMOUNT}(?: ${TOKENS})?(?= each| на (?:инструмент|схем))`,
			`schemas? of ${AMOUNT}`,
		],
		tokens,
	);
	const resultTokens = take(
		[
			`${AMOUNT}[ -](?:${TOKENS} )?results?`,
			`results? of ${AMOUNT}`,
			`результат[а-я]*(?: по| в| на|:)? ${AMOUNT}`,
		],
		tokens,
	);
	const turns = take([`${AMOUNT} (?:turns|ход[а-я]*|шаг[а-я]*)`], tokens);
	const outputTokens = take(
		[
			`${AMOUNT}(?:[ -]${TOKENS})?(?: of)? ${OUTPUT}`,
			`${OUTPUT}(?: ${TOKENS})?(?: of| up to| по| в| до| is|:| длиной)* ${AMOUNT}(?: ${TOKENS})?`,
			`${AMOUNT} ${TOKENS} out(?![a-zа-я])`,
			`${AMOUNT} out(?![a-zа-я])`,
		],
		tokens,
	);
	const users = take(
		[`${AMOUNT} ${PEOPLE}`, `(?:concurrency|batch|батч[а-я]*)(?: of| =|:)? ${AMOUNT}`],
		tokens,
	);
	const tensorParallel = take(
		[`(?<![a-z])tp[ =]?${N}`, `tensor[ -]parallel(?:ism)?(?: of| over| =|:)? ${N}`],
		tokens,
	);
	const gpus = take(
		[`(?<![a-zа-я0-9.$-])(\\d{1,6})\\s?(?:x|×|х|\\*)?\\s?(?=${CARD})`, `(?<=${CARD} ?)(?:x|×|х)\\s?${N}`],
		tokens,
	);
	const limit = take(
		[`(?:first|last|latest|top|limit|первы[а-я]+|последни[а-я]+)(?: to| of)? ${AMOUNT}(?! ?${TOKENS})`],
		tokens,
	);
	const contextTokens = take(
		[
			`${AMOUNT}[ -]${TOKENS}(?: of)? (?:context|prompts?|input|контекст[а-я]*)`,
			`(?:context|prompts?|input|length|documents?|контекст[а-я]*|промпт[а-я]*|длин[а-я]*)(?: ${TOKENS})?(?: of| at| up to| in| =|:| в| на| до| длиной)* ${AMOUNT}`,
			`${AMOUNT}[ -](?:${TOKENS}|context|prompts?|input|documents?|контекст[а-я]*|промпт[а-я]*)`,
			`(?<![a-zа-я0-9.$-])${N}\\s?(k|m|к|тыс[а-я]*\\.?|thousand|млн|million)(?![a-zа-я0-9])`,
		],
		tokens,
	);
	const currency = CURRENCIES.find(([, names]) => reader.says(`(?:in|into|to|в) (?:${names})`))?.[0] ?? null;
	const unclear = reader.unclearFormats();
	const left = reader.numbersLeft();
	return {
		...{ contextTokens, outputTokens, users, requestsPerSecond, gpus, kv, weights, ttftSeconds, tpotSeconds },
		...{
			usdPerGpuHour,
			currency,
			cachedShare,
			limit,
			windowTokens,
			systemTokens,
			tools,
			toolTokens,
			resultTokens,
			turns,
		},
		...{ tensorParallel, busyShare, unclear, left },
	};
}

/** Currencies that are asked for by name; others by their code. */
const CURRENCIES: readonly [code: string, names: string][] = [
	["EUR", "eur|euros?|€|евро"],
	["GBP", "gbp|pounds?|£|фунт[а-я]*"],
	["RUB", "rub|r(?:o)?ubles?|₽|руб[а-я]*"],
	["CNY", "cny|rmb|yuan|юан[а-я]*"],
	["JPY", "jpy|yen|иен[а-я]*|йен[а-я]*"],
	["CHF", "chf|swiss francs?|франк[а-я]*"],
	["INR", "inr|rupees?|руп[а-я]*"],
];

/** NaN where it is no count: "65.536" may be a thousand times as much elsewhere, and is left for the caller to ask about. */
const tokens = ([, digits = "", scale]: readonly (string | undefined)[]) => {
	const value = amount(digits, scale);
	const grouped = scale === undefined && /^\d{1,3}\.\d{3}$/.test(digits.trim());
	return Number.isInteger(value) && !grouped ? value : Number.NaN;
};

const FORMAT = "(fp8|fp16|f16|bf16|int8|int4|fp4|nvfp4|mxfp4|awq|gptq|q\\d(?:_[0-9a-z]+)*|iq\\d(?:_[a-z]+)*)";

const weightName = (name: string) => (weightFormatOf(name) === null ? null : name);

/** Names that hold numbers: of models with their version and size, of cards. */
const NAMES =
	/(?:llama|qwen|gemma|mi[sx]tral|deepseek|gpt|phi|kimi|glm|minimax|rtx|pro|geforce|instinct|ноябр\S*)[ -]?[\p{L}\d.]*(?:[ -]\d[\p{L}\d.]*)*|\d+(?:\.\d+)?b(?![a-z])|[0-9a-f]{8,}/gu;

/** The task, of which every reading takes its stretch away. */
class Reader {
	private rest: string;

	constructor(task: string) {
		const plain = task
			.toLowerCase()
			.replaceAll("ё", "е")
			.replaceAll(/[ \u00a0\u202f\s]+/g, " ");
		this.rest = plain.replaceAll(/[\p{L}]+/gu, (word) =>
			Object.hasOwn(NUMBER_WORDS, word) ? String(NUMBER_WORDS[word]) : word,
		);
	}

	/** Reads by the first pattern that fits, and takes what it read out of the task. */
	take = <T>(patterns: readonly string[], read: (match: RegExpExecArray) => T): T | null => {
		for (const text of patterns) {
			const match = pattern(text).exec(this.rest);
			if (!match) continue;
			const value = read(match);
			if (typeof value === "number" && !Number.isFinite(value)) continue;
			this.rest = `${this.rest.slice(0, match.index)} ; ${this.rest.slice(match.index + match[0].length)}`;
			return value;
		}
		return null;
	};

	/** Whether words stand in the task, as whole words. */
	says(words: string): boolean {
		return pattern(`(?<![a-zа-я])(?:${words})(?![a-zа-я])`).test(this.rest);
	}

	/** A format beside a word that says of what it is. */
	format(noun: string, read: (name: string) => string | null): string | null {
		return this.take(
			[
				`${FORMAT}[ -]${noun}`,
				`${noun}(?: types?| is| are| in| at| в| на| =|:| quantised to| quantized to)* ${FORMAT}`,
			],
			([, name = ""]) => read(name),
		);
	}

	/** Numbers that were not read, with the word behind them; those of names and of a card's memory are none. */
	numbersLeft(): string[] {
		const plain = this.rest
			.replaceAll(NAMES, " ")
			.replaceAll(/\d+(?:\.\d+)?\s?(?:g[bi]b?|гб)(?![a-z])/g, " ");
		return [...plain.matchAll(/(?<![\p{L}\d._-])\$?\d[\d.,]*(?:\s?(?:%|\p{L}+))?/gu)].map(([text]) =>
			text.replace(/[.,]$/, "").trim(),
		);
	}

	/** Formats that could be of the weights or of the cache. */
	unclearFormats(): string[] {
		return [...this.rest.matchAll(new RegExp(`(?<![a-zа-я0-9])${FORMAT}(?![a-zа-я0-9])`, "g"))].map(
			([, name = ""]) => name,
		);
	}
}
