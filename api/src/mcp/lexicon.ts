/**
 * What words mean, in English and Russian: ideas, each with its weight and its spellings. Nothing is learned, nothing is
 * asked of another machine, and an answer can name the words it rests on.
 */
interface Idea {
	/** How much it says about what is asked: 1 a noun, 2 a verb or a narrow noun, more: a question by itself. */
	weight: number;
	/** With * for any ending, _ for up to three words between, {group} for any word of a group. */
	spellings: readonly string[];
}

const idea = (weight: number, spellings: string): Idea => ({
	weight,
	spellings: spellings === "" ? [] : spellings.split(/,\s*/),
});

const GROUPS: Readonly<Record<string, string>> = {
	cards: `gpu*|accelerator*|card|cards|h100*|h200*|b200*|b300*|a100*|l40*|l4|mi300*|mi325*|rtx|4090*|5090*|3090*
		|видеокарт*|карт|карты|карта|картах|картам|карточ*|гпу|ускорител*`,
	people: `users|people|persons|employees|staff|analysts|students|colleagues|operators|customers|clients|developers|engineers|agents|sessions|chats|conversations
		|пользовател*|человек|людей|народу|юзер*|коллег|аналитиков|операторов|студентов|клиентов|разработчик*|сотрудник*|сессий`,
	hardware: `gpu|gpus|card|cards|hardware|accelerator|box|machine|node
		|гпу|видеокарт*|карт*|железо|железе|ускорител*`,
};

/** The ideas. Verbs first, then things, then questions. */
export const LEXICON = {
	list: idea(
		1.5,
		`available, доступные, доступны, list, show, which _ are, which _ do, which _ have, what _ are, what _ do, what _ have, all, browse,
		search, find, give me, display, do we have, покажи*, показать, список, списк*, перечисл*, какие, все,
		всех, выведи, найди, найти`,
	),
	details: idea(
		2,
		"tell me about, расскажи про, расскажи о, what about, details, detail, everything about, in full, подробн*, детал*, все о",
	),
	latest: idea(1.5, "latest, last, recent*, newest, последн*, недавн*, свеж*"),
	read: idea(
		1.5,
		`show, read, get, open, look at, what is in, describe, details, is * in, are * in, покажи*, показать,
		открой, открыть, прочитай, прочти, что в, есть ли, подробн*`,
	),
	add: idea(
		2.5,
		`write down, write _ down, note down, put _ down, отметь, запишите, load, add, create, register, make, new, post, upload, submit, send, enter, put in, import, store, record,
		load in, issue, generate, put back, insert, save, keep, добавь*, добавит*, создай*, создат*,
		зарегистрир*, загрузи*, отправь*, отправит*, залей, залить, внеси, внести, новый, новую, новое, запиши,
		выпусти, сделай, сохрани*, заведи, завести, импорт*`,
	),
	post: idea(2.5, "post, upload, submit, загрузи*, отправь*, отправит*, залей, залить"),
	keep: idea(3, "save, keep, remember, store, сохрани*, запомни*, оставь"),
	change: idea(
		2.5,
		"rename, change, update, edit, correct, amend, fix, переимен*, измени*, поменя*, обнови*, исправ*, поправ*",
	),
	setTo: idea(2.5, "set _ to, set, put, установи*, установит*, задай, задать, поставь"),
	delete: idea(
		3.5,
		`delete, remove, drop, take out, take _ out, erase, revoke, get rid, end the key, discard, удали*,
		убери*, убрать, сотри, отзови, отозвать, выкин*, снеси`,
	),
	restore: idea(
		3.5,
		`undo, restore, undelete, bring back, bring _ back, undo the delet*, recover, put _ back, put back, восстанов*,
		верни, вернуть`,
	),
	exclude: idea(
		3,
		`keep _ out of, rubbish, out of the curve, do not count, don t count, discard, не считай, выброси, выбрось, брак, exclude, excluded, leave out, ignore, take _ out of the fit*, out of the fit*, throw out, исключ*,
		не учитыва*, из подгонк*, выкин* из`,
	),
	include: idea(
		3,
		`trustworthy again, count _ again, good again, снова включи, верни в, include, take _ into the fit*, back into the fit*, count again, включи*, учти, учитыва*`,
	),
	predict: idea(2.5, "predict*, bulk, batch of points, предскаж*, предсказ*, спрогнозир*"),
	uploadedLately: idea(
		6,
		"did we upload, have we uploaded, was uploaded, were uploaded, we uploaded, что мы загру*, что загру*, были загружены",
	),
	raw: idea(3, "raw, original file, original bytes, source file, исходный файл, исходник*, сырой, сырые"),
	run: idea(
		1.5,
		`run, runs, upload, uploads, uploaded, benchmark, benchmarks, benchmark file*, bench result*,
		llama-bench, vllm bench, result file*, bench file*, прогон*, загрузки, загрузок, бенчмарк*,
		файл* бенчмарк*, результат* замер*`,
	),
	ofRun: idea(2, "of run, of the run, of that run, in run, прогона, в прогоне"),
	measurement: idea(
		1.5,
		`measurement*, data point*, measured point*, samples, измерени*, замер, замеры, замеров, замера`,
	),
	configuration: idea(
		1.5,
		`configuration*, config, configs, setup, setups, конфигураци*, конфиг, конфиги, сетап*`,
	),
	whatMeasured: idea(
		4,
		`what * measured, what have we measured, which * measured, what was measured, what have we benchmarked,
		which setups, что измерено, что мы измер*, что мы замер*, что уже измер*, что уже замер*,
		что _ измерено, что _ замерено, что _ померили`,
	),
	model: idea(1.5, "model, models, модел*"),
	modelFile: idea(5, "config.json, gguf header, gguf file, заголовок gguf"),
	geometry: idea(
		3.5,
		`kv heads, number of layers, geometry, how many layers, kv heads does, how many kv heads, head dim*, architecture, hidden size,
		how many parameters, геометри*, сколько слоев, сколько голов, архитектур*, сколько параметров`,
	),
	gpu: idea(1, "{cards}"),
	knownGpus: idea(6, `known gpus, gpus do you know, gpus are known, видеокарты ты знаешь, gpu ты знаешь`),
	custom: idea(2, "custom, our own, своя, свою, нестандартн*"),
	know: idea(1.5, "do you know, знаешь ли, знаешь"),
	gpuNoun: idea(1, "gpu, gpus, cards, accelerators, видеокарт*, карты, карт, гпу"),
	catalog: idea(6, "catalog, catalogue, каталог*"),
	bandwidth: idea(
		4,
		`memory bandwidth, bandwidth, peak flops, tflops, tdp, how much memory does _ have, datasheet, пропускн*,
		терафлопс*, сколько памяти у`,
	),
	price: idea(
		3,
		`ценник*, rate card, price, prices, pricing, price book, price list, tariff*, hourly rate*, per gpu-hour, per gpu hour, цен,
		цена, цены, цену, ценах, прайс*, тариф*, расценк*, стоимость часа`,
	),
	tag: idea(2, "tag, tags, tagged, label, labels, labelled, метк*, тег, теги, тегом, тэг*, пометь*"),
	/** What was recorded of a run beside its file. */
	recorded: idea(
		3,
		"recorded, conditions, sampling, sampler, model snapshot, prompts hash, условия, условиях, записанн*, сэмплинг*, семплинг*, снимок модели",
	),
	windowWord: idea(1, "window, windows, окно, окна, окне"),
	reprice: idea(
		6,
		"raise the price, raise _ price, lower the price, lower _ price, new price, подними* цен*, повысь* цен*, снизь* цен*, сниз* цен*, новая цена",
	),
	raised: idea(3.5, "raised, lowered, now costs, new rate, подняли, поднял, снизили, снизил"),
	perHour: idea(3, "час, per hour, an hour, hourly, в час, за час, часа"),
	scenario: idea(2, "scenario*, сценари*"),
	plan: idea(1, "plan, answer, question, план, плана, ответ, вопрос"),
	trace: idea(2, "trace, traces, request log, трейс*, трасс*"),
	whichTraces: idea(
		7,
		`which trace*, what trace*, list * trace*, list trace*, какие трейс*, какие трасс*, список трейс*`,
	),
	key: idea(2, `key, keys, api key*, bearer, access token*, ключ, ключи, ключа, ключей, токен доступа`),
	forecast: idea(
		2.5,
		"past predictions, earlier predictions, прошлые предсказания, forecast*, ledger, прогноз, прогнозы, прогнозов, прогнозам",
	),
	cameTrue: idea(3, "came true, come true, сбыл*, сбыва*"),
	accuracy: idea(
		3,
		`accuracy, accurate, how well do the laws, held out, held-out, held back, how trustworthy, точност*,
		насколько точн*, точны, погрешност*`,
	),
	decisions: idea(
		6,
		`audit log, exclusions, журнал исключ*, decisions, who removed, who excluded, who took, who decided, history of decision*, why was _ excluded, решения,
		решений, кто исключил, кто убрал из, почему исключ*`,
	),
	versions: idea(
		3.5,
		`got slower, get slower, become slower, new version, стал медленнее, новая версия, engine version*, versions of, other versions, between versions, upgrade*, regress*, версий, версии,
		версиями, версиях, обновлени* движка, регресси*`,
	),
	facts: idea(3, "facts, raw facts, факты, фактов, исходные данные"),
	exampleData: idea(3, "example data, examples, sample data, demo data, демо*, пример*, образц*"),
	accessRules: idea(
		4,
		`access rule*, need a key, needs a key, key needed, is a key, who may write, am i allowed, нужен ли ключ,
		нужен ключ, правила доступа, правил* доступа, без ключа`,
	),
	usage: idea(
		4,
		`answers were the largest, answers are the largest, largest answers, biggest answers, who uses, usage, who calls, callers, caller, size of result*, result size*, size of results, sizes of results,
		largest results, biggest results, telemetry, кто вызывает, кто обраща*, размер* результат*,
		размер* ответ*, телеметри*, самые большие ответы`,
	),
	commandLine: idea(
		4,
		`plimsoll.mjs, plimsoll command, command line client, cli file, команд* plimsoll, скачать plimsoll`,
	),
	howManyUsers: idea(
		5,
		`how big a crowd, how large a crowd, how big a team, how large a team, сколько народу, headcount, how many heads, falls over, fall over, сколько чатов, сколько одновременных, держит, выдерживает, how many {people}, how many concurrent, how many simultaneous {people}, how many active {people},
		number of {people}, how many requests at once, how many requests in flight, how many parallel request*,
		concurrency limit, max concurren*, maximum concurren*, user capacity, capacity in users, users can,
		people can, сколько {people}, сколько активных {people}, сколько одновременн*, сколько параллельн*,
		максимум пользовател*, сколько _ запросов одновременно`,
	),
	holdsUsers: idea(
		4,
		`can we serve, can it serve, can they serve, will it hold, can it handle, enough for, can we handle,
		will it cope, can * serve, can * handle, is it feasible, feasible, выдержит*, выдержат, хватит ли,
		потянет, потянут, справ*ся, обслужит*, обслужат`,
	),
	users: idea(1, "{people}"),
	tokens: idea(0.5, "tokens, token, context, prompt*, токен*, контекст*, промпт*"),
	ttft: idea(
		4,
		`how long _ read, how many seconds _ read, прочитает, прочтет, прочитать документ, first tokens, первые токены, первых токенов, answer time, response time, ждать ответа, долго ждать, время ответа, ttft, time to first token, first token, how long _ wait, prefill time, time to prefill,
		latency of a _ prompt, how long does _ prompt, how long to read, first answer, первый токен,
		первого токена, первым токеном, первому токену, время до первого, сколько ждать`,
	),
	tpot: idea(
		4,
		`generation speed, output speed, speed of generation, скорость выдачи, скорость вывода, tpot, per output token, inter-token, time per token, decode speed, tokens per second, tok/s,
		decode latency, how fast, на токен, между токенами, токенов в секунду, скорость генерации,
		скорость декод*, как быстро, насколько быстро`,
	),
	throughput: idea(
		3.5,
		`throughput, requests per second can, how many requests per second, пропускная способность конфиг*,
		сколько запросов в секунду`,
	),
	rate: idea(1, "rps, qps, requests per second, req/s, запросов в секунду"),
	pick: idea(
		2,
		"рассчитай, посчитай, pick, recommend*, suggest*, choose, подбери*, подобрать, посоветуй*, выбери, выбрать",
	),
	slo: idea(3, "slo, slos, within the limits, latency, задержк*, латентност*"),
	perMonth: idea(3, `per month, a month, monthly, each month, в месяц, за месяц, ежемесячн*, помесячн*`),
	perMillion: idea(
		4,
		"per million, million output tokens, million input tokens, за миллион, миллион выходных, миллион входных",
	),
	costOf: idea(
		3,
		`price per request, price of a request, price of one request, price per token, цена запроса, цена одного запроса, цена токена, million tokens cost, во что обойдется, во сколько обходится, dollars per, dollars a, usd a, cents per, долларов за, доллар за, what does it cost, how much does it cost, how much would it cost, what would it cost, cost of, cost per,
		costs per, how much is, tokens cost, request cost*, cost on, tokens costs, usd per million,
		dollars per million, per million tokens, how much does _ cost, what does _ cost, what will _ cost,
		сколько стоит, сколько будет стоить, во сколько обойдется, стоимость, цена миллиона, за миллион токенов,
		почем`,
	),
	whatIf: idea(
		3,
		`what if, what-if, plan for, plan capacity, capacity plan*, capacity check, capacity, что если, спланируй, распланируй, план для, рассчитай план`,
	),
	memory: idea(
		3,
		`gpu ram, ram needed, in gb, in gib, в гб, room for, gb for, сколько места, how many gb, how many gib, how much gb, сколько гб, memory, vram, gpu memory, how much memory, gigabytes, gib, memory stack, памят*, видеопамят*, гигабайт*`,
	),
	kvSize: idea(
		4.5,
		`kv footprint, footprint per token, footprint of the kv, kv per token, cache footprint, кэш* съест, кеш* съест, in the cache, cache size, размер кеша, kv cache size, size of the kv cache, kv bytes, bytes per token, how big is the kv, how large is the kv,
		kv cache take, kv cache need, kv-cache size, kv cache weigh, how much kv, how big is the cache,
		how large is the cache, размер kv, размер кэш*, размер кеш*, байт на токен, сколько занимает kv,
		сколько занимает кэш, сколько занимает кеш, сколько весит kv, сколько весит кэш, сколько весит кеш`,
	),
	fits: idea(
		4,
		`squeeze, cram, be squeezed, fitting on, впихн*, втисн*, затолка*, fits, влезают, does it fit, does _ fit, will it fit, will _ fit, fits in, fit on, fit in, fits on, fit into, влез*,
		помест*, уместит*, войдет`,
	),
	maxContext: idea(
		4,
		`max context, maximum context, longest context, longest prompt, how long a context, how long a prompt,
		largest context, максимальн* контекст*, максимальн* длин*, самый длинный контекст, какой длины контекст`,
	),
	windowFills: idea(
		4.5,
		`context overflow*, overflow* _ context, overflow* _ window, when do i hit, when do we hit, when will it hit, when does it hit, упремся, упрется, упрусь, window _ exhausted, window _ exhaust, exhaust _ window, window run* out, run* out of window, run* out of context, after how many tool calls, how many tool calls, window _ last, на каком ходу, кончится окно, закончится окно, окно кончится, окно закончится, переполн* окн*, окно переполн*, fill a _ window, fill the _ window, fill up a window, how many turns, сколько ходов, context window, fills the window, fill the window, window full, window fills, window is full,
		window budget, window get full, окно контекста, контекстное окно, контекстного окна, окно заполн*,
		заполн* окн*, окна хватит, бюджет окна`,
	),
	session: idea(1.5, "session, sessions, agent, agents, conversation, сесси*, агент*, диалог*"),
	turns: idea(2.5, "turns, turn, after _ turns, ходов, ходы, хода, шагов агента"),
	tools: idea(2, "tools, tool schema*, mcp tools, инструмент*, тулов, тулы"),
	weigh: idea(
		4.5,
		`heaviest, tools/list, tools list, list of tools, token weight, weight in tokens, весит _ инструмент*, весят _ инструмент*, вес в токенах, сколько токенов занима*, сколько токенов вес*, weigh, weight of _ tools, how heavy, tools weigh, tools cost, tokens of _ tools, tokens do _ tools, сколько весят, взвесь,
		взвесить, вес инструмент*, токенов занимают инструмент*`,
	),
	toolSeries: idea(
		6,
		`first byte, number of tools, as tools grow, более инструментов, от числа инструментов, от количества инструментов, break with more tools, how many tools break*, grammar fail*, tools does our server break, series of tools,
		на скольких инструментах, при скольких инструментах, грамматик*`,
	),
	lift: idea(
		6,
		`lift the limit, raise the limit, carry more users, serve more users, fit more users, what would help, get more out of,
		what limits, поднять предел, снять ограничение, больше пользователей, увеличить число пользователей, что поможет`,
	),
	solveFor: idea(
		7,
		`solve for, solve the plan for, solved for, highest price per gpu-hour, highest gpu-hour price, what may a gpu-hour cost,
		how much may a gpu-hour cost, highest hourly price, сколько может стоить час, какая цена часа допустима, реши относительно`,
	),
	repetitions: idea(
		6,
		`sample size, large must the sample, big must the sample, large a sample, how many samples, how many trials, размер выборки, сколько нужно прогонов, сколько _ прогонов, чтобы заметить эффект, чтобы увидеть эффект, how many repetitions, how many repeats, how often _ repeat, how many runs, how often _ run each arm, runs of each arm,
		сколько повтор*, сколько раз повтор*, сколько прогонов`,
	),
	claim: idea(3, "claim, claims, folklore, rumour*, disputes, утвержден*, слухи, фольклор, споры"),
	effectiveLength: idea(
		5,
		`actually use, actually uses, of its window, of their window, really used, usable context, реально использ*, использует окно, использует свое окно, по-настоящему использ*, effective length*, effective context, uses its window, use their windows, really use, эффективн* длин*,
		эффективн* контекст*`,
	),
	compaction: idea(
		3,
		`компакц*, compaction, compact*, summaris* the history, summariz* the history, сжатие истории, компакт*`,
	),
	measureNext: idea(
		6,
		`benchmark do you want, benchmark _ want _ next, measure _ next, benchmark _ next, замерить _ дальше, next experiment, experiment should, next measurement, следующий замер, следующее измерение, что _ измерить, что _ замерить, что _ померить, что _ мерить, measure next, benchmark next, to measure, should we measure, should i measure, what should we benchmark,
		which benchmark, which measurement, narrow the answer, narrow the interval, what to benchmark,
		should i benchmark, should we run next, test next, что измерить, что замерить, что мерить, что измерять,
		какой замер, какое измерение, какой бенчмарк, что бенчмаркать, сузить интервал, что прогнать дальше`,
	),
	howManyGpus: idea(
		6,
		`how many {cards}, how many more {cards}, number of {cards}, cards do i need, gpus do i need,
		gpus do we need, gpus are needed, size a fleet, size the fleet, how much hardware, сколько {cards},
		сколько нужно {cards}, сколько надо {cards}, сколько потребуется {cards}, сколько таких {cards},
		количество {cards}, нужно _ gpu`,
	),
	whichGpu: idea(
		6,
		`which {hardware}, what {hardware}, best {hardware}, cheapest {hardware}, what kind of {hardware},
		какие {hardware}, какую {hardware}, какая {hardware}, какой {hardware}, какими {hardware},
		какое {hardware}, на каких {hardware}, на какой {hardware}, на каком {hardware}, лучшая {hardware},
		самая дешевая {hardware}`,
	),
	hardware: idea(3, "hardware, железо, железе, железа, оборудован*"),
	cheapest: idea(3, "cheapest, cheaper, least expensive, lowest cost, дешевле, дешев*, подешевле"),
	fleet: idea(
		5,
		`how many nodes, how many servers, how many machines, how many boxes, сколько серверов, сколько узлов, сколько машин, a cluster, the cluster, кластер, кластера, cluster of, should i order, should we order, to order, to procure, procure, smallest cluster, smallest fleet, size of cluster, what cluster, сколько карт брать, что заказать, какое железо взять, что взять, do i need to serve, do we need to serve, need to serve, закупать, закупить, fleet, cheapest setup, cheapest way, cheapest option, cheapest configuration, rank the options,
		what to buy, парк, парка, флот, дешевле всего, самый дешевый вариант, что закупить, что купить`,
	),
	replicas: idea(4, "replica, replicas, n+1, spare replica*, реплик*"),
	buying: idea(
		2.5,
		"buy, buying, own, owned, owning, purchase, купить, покуп*, свое, свои, своем, собственн*",
	),
	renting: idea(2.5, "rent, renting, rented, lease*, cloud, аренд*, облак*"),
	api: idea(2.5, "api, apis, апи, hosted, provider*, провайдер*"),
	rentOrBuy: idea(
		6,
		`rent or buy, buy or rent, rent versus buy, own or rent, buying or renting, rent vs buy, buy vs rent,
		renting or owning, lease or buy, to buy or to rent, rent or own, cloud or own, buy our own,
		аренд* или покуп*, купить или аренд*, арендовать или купить, покуп* или аренд*, свои или аренд*,
		аренд* или сво*, свое или аренд*, аренда или покупка, выгоднее`,
	),
	breakEven: idea(
		5,
		`paid for themselves, pay for themselves, pays for itself, pay for itself, paid for itself, recoup*, return on invest*, roi, отобь*, отбить*, возврат инвестиц*, break even, break-even, breakeven, crossover, pays off, pay off, payback, окуп*, точка безубыточности,
		безубыточн*`,
	),
	hostedApi: idea(
		5,
		`hosted api, api provider*, openai, pay per token, pay per request, api cheaper, cheaper than the api,
		cheaper than an api, own gpus or api, self-host*, self host*, внешн* api, чужо* api, через api,
		дешевле api, апи провайдер*, облачн* api, платить за токены, свои gpu или api`,
	),
	ownership: idea(
		5,
		`tco, total cost of ownership, capex, economics, совокупн* стоимост*, стоимость владения, экономик*`,
	),
	compare: idea(
		4,
		`hold _ against, holds _ against, set _ against, put _ next to, head to head, сопостав*, compare, comparison, versus, vs, side by side, difference between, which is faster, faster than,
		what differs, differ, сравни*, сравнен*, против, что быстрее, кто быстрее, разниц* между, чем отлича*,
		бок о бок`,
	),
	points: idea(1.5, "points, prefill, decode, lengths, точки, точках, префилл*, декод*, длин"),
	times: idea(1, "time, times, seconds, time of, время, времена, секунд*"),
	simulate: idea(
		6,
		`replay, trace against, прогони трейс*, прогони трасс*, проиграй трейс*, monte carlo, discrete event, монте карло, stress test, think time, simulate, simulation, simulator, load test, симул*, смоделир*, промоделир*, имитац*, нагрузочн*`,
	),
	percentile: idea(
		5,
		`p99, p95, p90, percentile*, tail latency, goodput, перцентил*, процентил*, хвост* задержк*`,
	),
	queue: idea(5, "queue, queueing, queuing, очеред*"),
	saturation: idea(4.5, "saturat*, overload*, насыщ*, перегруз*"),
	bursts: idea(4.5, "burst, bursts, bursty, всплеск*, пачк*, пиками"),
	report: idea(
		5.5,
		`report, finance report, cost-latency, export, for finance, отчет*, выгруз*, экспорт*, для финанс*`,
	),
	pdf: idea(3, "pdf, paper, for the board, board, пдф, для правления, печат*"),
	csv: idea(3, "csv"),
	json: idea(1, "json"),
	workbook: idea(5, `xlsx, excel, workbook, spreadsheet, эксел*, excel-файл, таблицей excel, книгу excel`),
	reconcile: idea(
		6.5,
		`reconcil*, actual bill, real bill, invoice*, held against, against what we really, against the bill,
		against actual*, сверк*, сверь*, сверить, счетом, счета от, фактическ* расход*`,
	),
	bill: idea(2, "bill, bills, spent, spend, счет, потратил*, расход*"),
	actuals: idea(
		3,
		`actuals, really paid, really took, really spent, реально потратил*, на самом деле потратил*`,
	),
	fitOf: idea(
		3.5,
		`fit of, fits of, fitted law*, fitted curve*, coefficient*, curve of, the curve, подгонк*, коэффициент*,
		крив*`,
	),
	who: idea(1, "who, кто"),
	each: idea(2, "each, every, by, per, кажд*, по"),
	/** An id stands in the task. */
	id: idea(1.5, ""),
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
	return words.map((word) => (word === "_" ? "(?:[^ ]+ ){0,3}" : `${wordPattern(word)} `)).join("");
}

function wordPattern(word: string): string {
	const [, group] = /^\{(\w+)\}$/.exec(word) ?? [];
	const spelled = group === undefined ? word : (GROUPS[group] ?? "").replaceAll(/\s/g, "");
	const text = spelled.replaceAll(/[.+/]/g, "\\$&").replaceAll("*", "[^ ]*");
	return group === undefined ? text : `(?:${text})`;
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
