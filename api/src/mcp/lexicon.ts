/**
 * What words mean, in English and Russian: ideas, each with its weight and its spellings. A spelling may end with * (any
 * ending) and hold _ (up to three words between). What a task is about is the sum of the ideas that it holds: nothing is
 * learned, nothing is asked of another machine, and an answer can name the words it rests on.
 */
interface Idea {
	/** How much it says about what is asked: 1 a noun, 2 a verb or a narrow noun, more: a question by itself. */
	weight: number;
	spellings: readonly string[];
}

const GPU_NAMES =
	"gpu* accelerator* card cards h100* h200* b200* b300* a100* l40* l4 mi300* mi325* rtx 4090* 5090* 3090*".split(
		" ",
	);
const GPU_NAMES_RU = "видеокарт* карт карты карта картах картам гпу ускорител*".split(" ");
const CARDS = [...GPU_NAMES, ...GPU_NAMES_RU];
const each = (before: string, nouns: readonly string[]) => nouns.map((noun) => `${before} ${noun}`);
const every = (befores: readonly string[], nouns: readonly string[]) =>
	befores.flatMap((before) => each(before, nouns));

const PEOPLE =
	"users people customers clients developers engineers agents sessions chats conversations пользовател* человек людей клиентов разработчик* сотрудник* сессий".split(
		" ",
	);

export const LEXICON = {
	// Verbs.
	list: {
		weight: 1.5,
		spellings: [
			...[
				"list",
				"show",
				"which _ are",
				"which _ do",
				"which _ have",
				"what _ are",
				"what _ do",
				"what _ have",
				"all",
				"browse",
				"search",
				"find",
				"give me",
				"display",
				"do we have",
			],
			...[
				"покажи*",
				"показать",
				"список",
				"списк*",
				"перечисл*",
				"какие",
				"все",
				"всех",
				"выведи",
				"найди",
				"найти",
			],
		],
	},
	details: {
		weight: 2,
		spellings: ["details", "detail", "everything about", "in full", "подробн*", "детал*", "все о"],
	},
	latest: {
		weight: 1.5,
		spellings: ["latest", "last", "recent*", "newest", "последн*", "недавн*", "свеж*"],
	},
	read: {
		weight: 1.5,
		spellings: [
			...[
				"show",
				"read",
				"get",
				"open",
				"look at",
				"what is in",
				"describe",
				"details",
				"is * in",
				"are * in",
			],
			...["покажи*", "показать", "открой", "открыть", "прочитай", "прочти", "что в", "есть ли", "подробн*"],
		],
	},
	add: {
		weight: 2.5,
		spellings: [
			...[
				"add",
				"create",
				"register",
				"make",
				"new",
				"post",
				"upload",
				"submit",
				"send",
				"enter",
				"put in",
				"import",
			],
			...["store", "record", "load in", "issue", "generate", "put back", "insert", "save", "keep"],
			...[
				"добавь*",
				"добавит*",
				"создай*",
				"создат*",
				"зарегистрир*",
				"загрузи*",
				"отправь*",
				"отправит*",
				"залей",
				"залить",
				"внеси",
				"внести",
				"новый",
			],
			...["новую", "новое", "запиши", "выпусти", "сделай", "сохрани*", "заведи", "завести", "импорт*"],
		],
	},
	post: {
		weight: 2.5,
		spellings: ["post", "upload", "submit", "загрузи*", "отправь*", "отправит*", "залей", "залить"],
	},
	keep: { weight: 3, spellings: ["save", "keep", "remember", "store", "сохрани*", "запомни*", "оставь"] },
	change: {
		weight: 2.5,
		spellings: [
			"rename",
			"change",
			"update",
			"edit",
			"переимен*",
			"измени*",
			"поменя*",
			"обнови*",
			"исправ*",
		],
	},
	delete: {
		weight: 3.5,
		spellings: [
			...[
				"delete",
				"remove",
				"drop",
				"take out",
				"take _ out",
				"erase",
				"revoke",
				"get rid",
				"end the key",
				"discard",
			],
			...["удали*", "убери*", "убрать", "сотри", "отзови", "отозвать", "выкин*", "снеси"],
		],
	},
	restore: {
		weight: 3.5,
		spellings: [
			...[
				"restore",
				"undelete",
				"bring back",
				"bring _ back",
				"undo the delet*",
				"recover",
				"put _ back",
				"put back",
			],
			...["восстанов*", "верни", "вернуть"],
		],
	},
	exclude: {
		weight: 3,
		spellings: [
			...[
				"exclude",
				"excluded",
				"leave out",
				"ignore",
				"take _ out of the fit*",
				"out of the fit*",
				"throw out",
			],
			...["исключ*", "не учитыва*", "из подгонк*", "выкин* из"],
		],
	},
	include: {
		weight: 3,
		spellings: [
			"include",
			"take _ into the fit*",
			"back into the fit*",
			"count again",
			"включи*",
			"учти",
			"учитыва*",
		],
	},
	predict: {
		weight: 2.5,
		spellings: ["predict*", "bulk", "batch of points", "предскаж*", "предсказ*", "спрогнозир*"],
	},

	// Things.
	run: {
		weight: 1.5,
		spellings: [
			...[
				"run",
				"runs",
				"upload",
				"uploads",
				"uploaded",
				"benchmark",
				"benchmarks",
				"benchmark file*",
				"bench result*",
			],
			...["llama-bench", "vllm bench", "result file*", "bench file*"],
			...["прогон*", "загрузки", "загрузок", "бенчмарк*", "файл* бенчмарк*", "результат* замер*"],
		],
	},
	ofRun: { weight: 2, spellings: ["of run", "of the run", "of that run", "in run", "прогона", "в прогоне"] },
	measurement: {
		weight: 1.5,
		spellings: [
			"measurement*",
			"data point*",
			"measured point*",
			"samples",
			"измерени*",
			"замер",
			"замеры",
			"замеров",
			"замера",
		],
	},
	configuration: {
		weight: 1.5,
		spellings: [
			"configuration*",
			"config",
			"configs",
			"setup",
			"setups",
			"конфигураци*",
			"конфиг",
			"конфиги",
			"сетап*",
		],
	},
	whatMeasured: {
		weight: 4,
		spellings: [
			...[
				"what * measured",
				"what have we measured",
				"which * measured",
				"what was measured",
				"what have we benchmarked",
			],
			...[
				"which setups",
				"что измерено",
				"что мы измер*",
				"что мы замер*",
				"что уже измер*",
				"что уже замер*",
				"что _ измерено",
				"что _ замерено",
				"что _ померили",
			],
		],
	},
	model: { weight: 1.5, spellings: ["model", "models", "модел*"] },
	modelFile: { weight: 5, spellings: ["config.json", "gguf header", "gguf file", "заголовок gguf"] },
	geometry: {
		weight: 3.5,
		spellings: [
			...[
				"geometry",
				"how many layers",
				"kv heads does",
				"how many kv heads",
				"head dim*",
				"architecture",
				"hidden size",
			],
			...[
				"how many parameters",
				"геометри*",
				"сколько слоев",
				"сколько голов",
				"архитектур*",
				"сколько параметров",
			],
		],
	},
	gpu: { weight: 1, spellings: CARDS },
	knownGpus: {
		weight: 6,
		spellings: ["known gpus", "gpus do you know", "gpus are known", "видеокарты ты знаешь", "gpu ты знаешь"],
	},
	custom: { weight: 2, spellings: ["custom", "our own", "своя", "свою", "нестандартн*"] },
	gpuNoun: {
		weight: 1,
		spellings: ["gpu", "gpus", "cards", "accelerators", "видеокарт*", "карты", "карт", "гпу"],
	},
	catalog: { weight: 6, spellings: ["catalog", "catalogue", "каталог*"] },
	bandwidth: {
		weight: 4,
		spellings: [
			"memory bandwidth",
			"bandwidth",
			"peak flops",
			"tflops",
			"tdp",
			"how much memory does _ have",
			"datasheet",
			"пропускн*",
			"терафлопс*",
			"сколько памяти у",
		],
	},
	price: {
		weight: 3,
		spellings: [
			...[
				"price",
				"prices",
				"pricing",
				"price book",
				"price list",
				"tariff*",
				"hourly rate*",
				"per gpu-hour",
				"per gpu hour",
			],
			...["цен", "цена", "цены", "цену", "ценах", "прайс*", "тариф*", "расценк*", "стоимость часа"],
		],
	},
	perHour: { weight: 3, spellings: ["per hour", "an hour", "hourly", "в час", "за час", "часа"] },
	scenario: { weight: 2, spellings: ["scenario*", "сценари*"] },
	plan: { weight: 1, spellings: ["plan", "answer", "question", "план", "плана", "ответ", "вопрос"] },
	trace: { weight: 2, spellings: ["trace", "traces", "request log", "трейс*", "трасс*"] },
	whichTraces: {
		weight: 7,
		spellings: [
			"which trace*",
			"what trace*",
			"list * trace*",
			"list trace*",
			"какие трейс*",
			"какие трасс*",
			"список трейс*",
		],
	},
	key: {
		weight: 2,
		spellings: [
			"key",
			"keys",
			"api key*",
			"bearer",
			"access token*",
			"ключ",
			"ключи",
			"ключа",
			"ключей",
			"токен доступа",
		],
	},
	forecast: {
		weight: 2.5,
		spellings: ["forecast*", "ledger", "прогноз", "прогнозы", "прогнозов", "прогнозам"],
	},
	cameTrue: { weight: 3, spellings: ["came true", "come true", "сбыл*", "сбыва*"] },
	accuracy: {
		weight: 3,
		spellings: [
			...["accuracy", "accurate", "how well do the laws", "held out", "held-out", "held back", "trustworthy"],
			...["точност*", "насколько точн*", "точны", "погрешност*"],
		],
	},
	decisions: {
		weight: 6,
		spellings: [
			...[
				"decisions",
				"who excluded",
				"who took",
				"who decided",
				"history of decision*",
				"why was _ excluded",
			],
			...["решения", "решений", "кто исключил", "кто убрал из", "почему исключ*"],
		],
	},
	versions: {
		weight: 3.5,
		spellings: [
			...["engine version*", "versions of", "other versions", "between versions", "upgrade*", "regress*"],
			...["версий", "версии", "версиями", "версиях", "обновлени* движка", "регресси*"],
		],
	},
	facts: { weight: 3, spellings: ["facts", "raw facts", "факты", "фактов", "исходные данные"] },
	exampleData: {
		weight: 3,
		spellings: ["example data", "examples", "sample data", "demo data", "демо*", "пример*", "образц*"],
	},
	accessRules: {
		weight: 4,
		spellings: [
			...[
				"access rule*",
				"need a key",
				"needs a key",
				"key needed",
				"is a key",
				"who may write",
				"am i allowed",
			],
			...["нужен ли ключ", "нужен ключ", "правила доступа", "правил* доступа", "без ключа"],
		],
	},
	usage: {
		weight: 4,
		spellings: [
			...[
				"usage",
				"who calls",
				"callers",
				"caller",
				"size of result*",
				"result size*",
				"size of results",
				"sizes of results",
				"largest results",
				"biggest results",
				"telemetry",
			],
			...[
				"кто вызывает",
				"кто обраща*",
				"размер* результат*",
				"размер* ответ*",
				"телеметри*",
				"самые большие ответы",
			],
		],
	},
	commandLine: {
		weight: 4,
		spellings: [
			"plimsoll.mjs",
			"plimsoll command",
			"command line client",
			"cli file",
			"команд* plimsoll",
			"скачать plimsoll",
		],
	},

	// Questions.
	howManyUsers: {
		weight: 5,
		spellings: [
			...every(
				["how many", "how many concurrent", "number of", "how many simultaneous", "how many active"],
				PEOPLE,
			),
			...[
				"how many requests at once",
				"how many requests in flight",
				"how many parallel request*",
				"concurrency limit",
			],
			...[
				"how many concurrent",
				"max concurren*",
				"maximum concurren*",
				"user capacity",
				"capacity in users",
				"users can",
				"people can",
			],
			...every(["сколько", "сколько одновременных", "сколько параллельных", "сколько активных"], PEOPLE),
			...[
				"сколько одновременн*",
				"сколько параллельн*",
				"максимум пользовател*",
				"сколько _ запросов одновременно",
			],
		],
	},
	holdsUsers: {
		weight: 4,
		spellings: [
			...[
				"can we serve",
				"can it serve",
				"can they serve",
				"will it hold",
				"can it handle",
				"enough for",
				"can we handle",
				"will it cope",
			],
			...["can * serve", "can * handle", "is it feasible", "feasible"],
			...["выдержит*", "выдержат", "хватит ли", "потянет", "потянут", "справ*ся", "обслужит*", "обслужат"],
		],
	},
	users: { weight: 1, spellings: PEOPLE },
	tokens: {
		weight: 0.5,
		spellings: ["tokens", "token", "context", "prompt*", "токен*", "контекст*", "промпт*"],
	},
	ttft: {
		weight: 4,
		spellings: [
			...[
				"ttft",
				"time to first token",
				"first token",
				"how long _ wait",
				"prefill time",
				"time to prefill",
				"latency of a _ prompt",
			],
			...["how long does _ prompt", "how long to read", "first answer"],
			...[
				"первый токен",
				"первого токена",
				"первым токеном",
				"первому токену",
				"время до первого",
				"сколько ждать",
			],
		],
	},
	tpot: {
		weight: 4,
		spellings: [
			...[
				"tpot",
				"per output token",
				"inter-token",
				"time per token",
				"decode speed",
				"tokens per second",
				"tok/s",
				"decode latency",
				"how fast",
			],
			...[
				"на токен",
				"между токенами",
				"токенов в секунду",
				"скорость генерации",
				"скорость декод*",
				"как быстро",
				"насколько быстро",
			],
		],
	},
	throughput: {
		weight: 3.5,
		spellings: [
			"throughput",
			"requests per second can",
			"how many requests per second",
			"пропускная способность конфиг*",
			"сколько запросов в секунду",
		],
	},
	slo: { weight: 3, spellings: ["slo", "slos", "within the limits", "latency", "задержк*", "латентност*"] },
	perMonth: {
		weight: 3,
		spellings: [
			"per month",
			"a month",
			"monthly",
			"each month",
			"в месяц",
			"за месяц",
			"ежемесячн*",
			"помесячн*",
		],
	},
	costOf: {
		weight: 3,
		spellings: [
			...[
				"what does it cost",
				"how much does it cost",
				"how much would it cost",
				"what would it cost",
				"cost of",
				"cost per",
				"costs per",
			],
			...[
				"how much is",
				"tokens cost",
				"request cost*",
				"cost on",
				"tokens costs",
				"usd per million",
				"dollars per million",
				"per million tokens",
				"how much does _ cost",
				"what does _ cost",
				"what will _ cost",
			],
			...[
				"сколько стоит",
				"сколько будет стоить",
				"во сколько обойдется",
				"стоимость",
				"цена миллиона",
				"за миллион токенов",
				"почем",
			],
		],
	},
	whatIf: {
		weight: 3,
		spellings: [
			"what if",
			"what-if",
			"plan for",
			"plan capacity",
			"capacity plan*",
			"capacity check",
			"capacity",
			"что если",
			"что, если",
			"спланируй",
			"распланируй",
			"план для",
			"рассчитай план",
		],
	},
	memory: {
		weight: 3,
		spellings: [
			...["memory", "vram", "gpu memory", "how much memory", "gigabytes", "gib", "memory stack"],
			...["памят*", "видеопамят*", "гигабайт*"],
		],
	},
	kvSize: {
		weight: 4.5,
		spellings: [
			...[
				"kv cache size",
				"size of the kv cache",
				"kv bytes",
				"bytes per token",
				"how big is the kv",
				"how large is the kv",
				"kv cache take",
			],
			...[
				"kv cache need",
				"kv-cache size",
				"kv cache weigh",
				"how much kv",
				"how big is the cache",
				"how large is the cache",
			],
			...[
				"размер kv",
				"размер кэш*",
				"размер кеш*",
				"байт на токен",
				"сколько занимает kv",
				"сколько занимает кэш",
				"сколько занимает кеш",
			],
			...["сколько весит kv", "сколько весит кэш", "сколько весит кеш"],
		],
	},
	fits: {
		weight: 4,
		spellings: [
			...[
				"does it fit",
				"does _ fit",
				"will it fit",
				"will _ fit",
				"fits in",
				"fit on",
				"fit in",
				"fits on",
				"fit into",
			],
			...["влез*", "помест*", "уместит*", "войдет"],
		],
	},
	maxContext: {
		weight: 4,
		spellings: [
			...[
				"max context",
				"maximum context",
				"longest context",
				"longest prompt",
				"how long a context",
				"how long a prompt",
				"largest context",
			],
			...["максимальн* контекст*", "максимальн* длин*", "самый длинный контекст", "какой длины контекст"],
		],
	},
	windowFills: {
		weight: 4.5,
		spellings: [
			...[
				"context window",
				"fills the window",
				"fill the window",
				"window full",
				"window fills",
				"window is full",
				"window budget",
				"window get full",
			],
			...[
				"окно контекста",
				"контекстное окно",
				"контекстного окна",
				"окно заполн*",
				"заполн* окн*",
				"окна хватит",
				"бюджет окна",
			],
		],
	},
	session: {
		weight: 1.5,
		spellings: ["session", "sessions", "agent", "agents", "conversation", "сесси*", "агент*", "диалог*"],
	},
	turns: {
		weight: 2.5,
		spellings: ["turns", "turn", "after _ turns", "ходов", "ходы", "хода", "шагов агента"],
	},
	tools: { weight: 2, spellings: ["tools", "tool schema*", "mcp tools", "инструмент*", "тулов", "тулы"] },
	compaction: {
		weight: 3,
		spellings: [
			"compaction",
			"compact*",
			"summaris* the history",
			"summariz* the history",
			"сжатие истории",
			"компакт*",
		],
	},
	measureNext: {
		weight: 6,
		spellings: [
			...[
				"measure next",
				"benchmark next",
				"to measure",
				"should we measure",
				"should i measure",
				"what should we benchmark",
				"which benchmark",
			],
			...[
				"which measurement",
				"narrow the answer",
				"narrow the interval",
				"what to benchmark",
				"should i benchmark",
				"should we run next",
				"test next",
			],
			...[
				"что измерить",
				"что замерить",
				"что мерить",
				"что измерять",
				"какой замер",
				"какое измерение",
				"какой бенчмарк",
				"что бенчмаркать",
				"сузить интервал",
				"что прогнать дальше",
			],
		],
	},
	howManyGpus: {
		weight: 6,
		spellings: [
			...every(["how many", "how many more", "number of", "how many _"].slice(0, 3), GPU_NAMES),
			...every(
				["сколько", "сколько нужно", "сколько надо", "сколько потребуется", "количество", "сколько таких"],
				CARDS,
			),
			...[
				"cards do i need",
				"gpus do i need",
				"gpus do we need",
				"gpus are needed",
				"нужно _ gpu",
				"size a fleet",
				"size the fleet",
				"how much hardware",
			],
		],
	},
	whichGpu: {
		weight: 6,
		spellings: [
			...every(
				["which", "what", "best", "cheapest", "what kind of"],
				["gpu", "gpus", "card", "cards", "hardware", "accelerator", "box", "machine", "node"],
			),
			...every(
				[
					"какие",
					"какую",
					"какая",
					"какой",
					"какими",
					"на каких",
					"на какой",
					"лучшая",
					"самая дешевая",
					"какое",
				],
				["gpu", "гпу", "видеокарт*", "карт*", "железо", "железе", "ускорител*"],
			),
		],
	},
	hardware: { weight: 3, spellings: ["hardware", "железо", "железе", "железа", "оборудован*"] },
	cheapest: {
		weight: 3,
		spellings: ["cheapest", "cheaper", "least expensive", "lowest cost", "дешевле", "дешев*", "подешевле"],
	},
	fleet: {
		weight: 5,
		spellings: [
			"fleet",
			"cheapest setup",
			"cheapest way",
			"cheapest option",
			"cheapest configuration",
			"rank the options",
			"what to buy",
			"парк",
			"парка",
			"флот",
			"дешевле всего",
			"самый дешевый вариант",
			"что закупить",
			"что купить",
		],
	},
	replicas: { weight: 4, spellings: ["replica", "replicas", "n+1", "spare replica*", "реплик*"] },
	rentOrBuy: {
		weight: 6,
		spellings: [
			...[
				"rent or buy",
				"buy or rent",
				"rent versus buy",
				"own or rent",
				"buying or renting",
				"rent vs buy",
				"buy vs rent",
				"renting or owning",
				"lease or buy",
				"to buy or to rent",
				"rent or own",
				"cloud or own",
				"buy our own",
			],
			...[
				"аренд* или покуп*",
				"купить или аренд*",
				"арендовать или купить",
				"покуп* или аренд*",
				"свои или аренд*",
				"аренд* или сво*",
				"свое или аренд*",
				"аренда или покупка",
				"выгоднее",
			],
		],
	},
	breakEven: {
		weight: 5,
		spellings: [
			"break even",
			"break-even",
			"breakeven",
			"crossover",
			"pays off",
			"pay off",
			"payback",
			"окуп*",
			"точка безубыточности",
			"безубыточн*",
		],
	},
	hostedApi: {
		weight: 5,
		spellings: [
			...[
				"hosted api",
				"api provider*",
				"openai",
				"pay per token",
				"pay per request",
				"api cheaper",
				"cheaper than the api",
				"cheaper than an api",
				"own gpus or api",
				"self-host*",
				"self host*",
			],
			...[
				"внешн* api",
				"чужо* api",
				"через api",
				"дешевле api",
				"апи провайдер*",
				"облачн* api",
				"платить за токены",
				"свои gpu или api",
			],
		],
	},
	ownership: {
		weight: 5,
		spellings: [
			"tco",
			"total cost of ownership",
			"capex",
			"economics",
			"совокупн* стоимост*",
			"стоимость владения",
			"экономик*",
		],
	},
	compare: {
		weight: 4,
		spellings: [
			...[
				"compare",
				"comparison",
				"versus",
				"vs",
				"side by side",
				"difference between",
				"which is faster",
				"faster than",
				"what differs",
				"differ",
			],
			...[
				"сравни*",
				"сравнен*",
				"против",
				"что быстрее",
				"кто быстрее",
				"разниц* между",
				"чем отлича*",
				"бок о бок",
			],
		],
	},
	points: {
		weight: 1.5,
		spellings: ["points", "prefill", "decode", "lengths", "точки", "точках", "префилл*", "декод*", "длин"],
	},
	times: { weight: 1, spellings: ["time", "times", "seconds", "time of", "время", "времена", "секунд*"] },
	simulate: {
		weight: 6,
		spellings: [
			"simulate",
			"simulation",
			"simulator",
			"load test",
			"симул*",
			"смоделир*",
			"промоделир*",
			"имитац*",
			"нагрузочн*",
		],
	},
	percentile: {
		weight: 5,
		spellings: [
			"p99",
			"p95",
			"p90",
			"percentile*",
			"tail latency",
			"goodput",
			"перцентил*",
			"процентил*",
			"хвост* задержк*",
		],
	},
	queue: { weight: 5, spellings: ["queue", "queueing", "queuing", "очеред*"] },
	saturation: { weight: 4.5, spellings: ["saturat*", "overload*", "насыщ*", "перегруз*"] },
	bursts: { weight: 4.5, spellings: ["burst", "bursts", "bursty", "всплеск*", "пачк*", "пиками"] },
	report: {
		weight: 5.5,
		spellings: [
			"report",
			"finance report",
			"cost-latency",
			"export",
			"for finance",
			"отчет*",
			"выгруз*",
			"экспорт*",
			"для финанс*",
		],
	},
	pdf: { weight: 3, spellings: ["pdf", "paper", "for the board", "board", "пдф", "для правления", "печат*"] },
	csv: { weight: 3, spellings: ["csv"] },
	json: { weight: 1, spellings: ["json"] },
	workbook: {
		weight: 5,
		spellings: [
			"xlsx",
			"excel",
			"workbook",
			"spreadsheet",
			"эксел*",
			"excel-файл",
			"таблицей excel",
			"книгу excel",
		],
	},
	reconcile: {
		weight: 6.5,
		spellings: [
			"reconcil*",
			"actual bill",
			"real bill",
			"invoice*",
			"held against",
			"against what we really",
			"against the bill",
			"against actual*",
			"сверк*",
			"сверь*",
			"сверить",
			"счетом",
			"счета от",
			"фактическ* расход*",
		],
	},
	bill: { weight: 2, spellings: ["bill", "bills", "spent", "spend", "счет", "потратил*", "расход*"] },
	actuals: {
		weight: 3,
		spellings: [
			"actuals",
			"really paid",
			"really took",
			"really spent",
			"реально потратил*",
			"на самом деле потратил*",
		],
	},
	fitOf: {
		weight: 3.5,
		spellings: [
			"fit of",
			"fits of",
			"fitted law*",
			"fitted curve*",
			"coefficient*",
			"curve of",
			"the curve",
			"подгонк*",
			"коэффициент*",
			"крив*",
		],
	},
	who: { weight: 1, spellings: ["who", "кто"] },
	each: { weight: 2, spellings: ["each", "every", "by", "per", "кажд*", "по"] },
	/** An id stands in the task. */
	id: { weight: 1.5, spellings: [] },
} as const satisfies Record<string, Idea>;

export type IdeaName = keyof typeof LEXICON;

/** A price that is said is a condition of the question, not what is asked for. */
const GIVEN_PRICE =
	/(?:\$ ?\d[\d.]*|\d[\d.]* ?(?:usd|dollars?|доллар[а-я]*)) ?(?:per|an?|\/|за|в) ?(?:gpu|карт[а-я]*)?[ -]?(?:hours?|h|час[а-я]*)?(?![a-zа-я0-9])/g;

/** The task as the lexicon spells: lower case, ё as е, words between single blanks, hyphens as blanks too. */
export function plainWords(task: string): string {
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
	return words
		.map((word) =>
			word === "_" ? "(?:[^ ]+ ){0,3}" : `${word.replaceAll(/[.+/]/g, "\\$&").replaceAll("*", "[^ ]*")} `,
		)
		.join("");
}

const PATTERNS = Object.entries(LEXICON)
	.filter(([, { spellings }]) => spellings.length > 0)
	.map(([name, { spellings }]) => ({
		name: name as IdeaName,
		pattern: new RegExp(` (?:${spellings.map(patternOf).join("|")})`),
	}));

/** An id of a thing: a UUID, or the sixteen digits of a configuration. */
const ID = /(?<![\w-])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{16})(?![\w-])/;

/** The ideas that a task holds, each with the words that say so. */
export function ideasIn(task: string): Map<IdeaName, string> {
	const plain = plainWords(task);
	const found = new Map<IdeaName, string>();
	for (const { name, pattern } of PATTERNS) {
		const [words] = pattern.exec(plain) ?? [];
		if (words !== undefined) found.set(name, words.trim());
	}
	const [id] = ID.exec(task.toLowerCase()) ?? [];
	if (id !== undefined) found.set("id", id);
	return found;
}
