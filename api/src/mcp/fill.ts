import type { ConfigurationName } from "../store/configuration-names.ts";
import type { Figures } from "./figures.ts";
import { type IdeaName, ideasIn } from "./lexicon.ts";
import type { Operation } from "./operation.ts";
import type { Setup } from "./setup.ts";

export type Arguments = Record<string, unknown>;

/** A call filled from words, and what it still lacks. */
export interface FilledCall {
	arguments: Arguments;
	/** What of the answer was asked for; left out: all of it. */
	select?: string[];
	missing: { name: string; what: string }[];
	notes: string[];
}

/** One way to understand which hardware or model was meant. */
export interface Choice {
	label: string;
	arguments: Arguments;
}

/** Most choices told in one question. */
const MOST_CHOICES = 8;

const UUID = /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/;

/** The call of an operation with what the task says; it is not checked here but where it is executed. */
export function filledCall(operation: Operation, task: string, figures: Figures, setup: Setup): FilledCall {
	const said = { ...figureArguments(figures, operation), ...setupArguments(setup, operation, figures) };
	const own = ownArguments(operation, task, said, figures);
	const properties = operation.schema.properties ?? {};
	const filled = Object.fromEntries(
		Object.entries({ ...said, ...own }).filter(([key, value]) => key in properties && value !== null),
	);
	const missing = (operation.schema.required ?? [])
		.filter((name) => !(name in filled))
		.map((name) => ({ name, what: properties[name]?.description ?? `see the schema of ${operation.name}` }));
	const select = operation.name === "plan" ? planSelection(task) : undefined;
	return {
		arguments: filled,
		...(select ? { select } : {}),
		missing: [...missing, ...missingInside(operation, filled)],
		notes: [
			...(takesConfiguration(operation) ? setup.notes : []),
			...notesOn(figures),
			...currencyNote(figures, operation),
			...leftNotes(figures, operation, [filled, setup]),
			...openingNote(operation, filled),
		],
	};
}

/** Figures under the names that an operation has for them. */
function figureArguments(figures: Figures, { parameters }: Operation): Arguments {
	const has = (name: string) => parameters.some((parameter) => parameter.name === name);
	return {
		...{ context: figures.contextTokens, output: figures.outputTokens, rate: figures.requestsPerSecond },
		users: figures.users,
		...(has("users") || figures.requestsPerSecond !== null ? {} : { concurrency: figures.users }),
		...(has("batch") ? { batch: figures.users } : {}),
		...{ kv: figures.kv, ttftSlo: figures.ttftSeconds, tpotSlo: figures.tpotSeconds },
		...{ tp: figures.tensorParallel, busy: figures.busyShare },
		...{ currency: figures.currency },
		...{ price: figures.usdPerGpuHour, cached: figures.cachedShare, limit: figures.limit },
		...{
			window: figures.windowTokens,
			system: figures.systemTokens,
			tools: figures.tools,
			toolTokens: figures.toolTokens,
			result: figures.resultTokens,
			turns: figures.turns,
		},
	};
}

/** What is asked of: a measured configuration where there is one and the call takes it, else names of the catalogs. */
function setupArguments(
	{ configurations, gpus, models }: Setup,
	operation: Operation,
	figures: Figures,
): Arguments {
	const has = (name: string) => operation.parameters.some((parameter) => parameter.name === name);
	if (operation.name === "compare") return { configuration: configurations.map(({ id }) => id) };
	if (operation.path.startsWith("/configurations/{id}"))
		return { id: configurations.length === 1 ? configurations[0]?.id : null };
	if (operation.name === "get_model") return { id: models[0] ?? null };
	if (operation.name === "get_gpu") return { id: gpus[0] ?? null };
	const [configuration, another] = configurations;
	const clear = configuration !== undefined && another === undefined;
	if (clear && (takesConfiguration(operation) || operation.name === "post_scenario"))
		return { configuration: configuration.id };
	const several = searchesCards(operation);
	const gpuIds = several ? gpus.join(",") : (gpus[0] ?? "");
	return {
		model: models[0] ?? null,
		gpu: gpuIds || null,
		...(has("gpus") && !several ? { gpus: figures.gpus } : {}),
		...(several && figures.gpus !== null ? { gpus: String(figures.gpus) } : {}),
		weights: figures.weights,
	};
}

/** Whether a measured configuration answers it: not where the whole market is searched, or only geometry counts. */
export function takesConfiguration({ name, parameters, path }: Operation): boolean {
	if (name === "fleet" || name === "economics" || name === "list_runs") return false;
	const listed = parameters.some((parameter) => parameter.name === "configuration");
	return listed || path.startsWith("/configurations/{id}") || name === "simulate" || name === "predict";
}

/** What only one operation has. */
function ownArguments({ name, path }: Operation, task: string, said: Arguments, figures: Figures): Arguments {
	if (name === "simulate") return { body: simulateBody(task, said, figures) };
	if (name === "predict") return { body: predictBody(said, figures) };
	if (name === "decide_measurement") return decision(task);
	if (name === "post_price" && said.gpu !== null && figures.usdPerGpuHour !== null)
		return { body: priceBody(task, String(said.gpu), figures.usdPerGpuHour) };
	if (name === "post_scenario") return scenarioBody(task, said);
	const [id = null] = UUID.exec(task.toLowerCase()) ?? [];
	return path.includes("{id}") && id !== null ? { id } : {};
}

const fixed = (tokens: number) => ({ kind: "fixed", tokens });

function simulateBody(task: string, said: Arguments, figures: Figures): Arguments {
	const { users, requestsPerSecond, contextTokens, outputTokens } = figures;
	const burst = ideasIn(task).has("bursts") && users !== null;
	const arrivals = burst
		? { kind: "burst", requests: users, everySeconds: 60 }
		: requestsPerSecond !== null
			? { kind: "rate", requestsPerSecond }
			: users !== null
				? { kind: "users", users }
				: null;
	const setup = ["configuration", "model", "gpu", "gpus", "weights", "kv", "ttftSlo", "tpotSlo"]
		.filter((key) => said[key] !== undefined && said[key] !== null)
		.map((key) => [key, said[key]]);
	const workload = {
		...(arrivals ? { arrivals } : {}),
		...(contextTokens === null ? {} : { prompt: fixed(contextTokens) }),
		...(outputTokens === null ? {} : { output: fixed(outputTokens) }),
	};
	return { ...Object.fromEntries(setup), workload };
}

function predictBody({ configuration }: Arguments, { contextTokens, users }: Figures): Arguments | null {
	if (!configuration) return null;
	const points =
		contextTokens === null
			? []
			: [
					{ phase: "prefill", tokens: contextTokens },
					...(users === null ? [] : [{ phase: "decode", batch: users, context: contextTokens }]),
				];
	return { configuration, points };
}

function decision(task: string): Arguments {
	const [, measurementId = null] =
		/(?:measurement|измерени\p{L}*|замер\p{L}*)\s+(?:№|#)?\s*(\d+)/iu.exec(task) ?? [];
	const ideas = ideasIn(task);
	return { measurementId, body: { included: ideas.has("include") && !ideas.has("exclude") } };
}

function priceBody(task: string, subject: string, perGpuHour: number): Arguments {
	const kind = /contract|agreed|договор|контракт/i.test(task)
		? "agreed"
		: /spot/i.test(task)
			? "spot"
			: "on-demand";
	return { subject, terms: { kind, perGpuHour, ...(kind === "spot" ? { lostShare: 0 } : {}) } };
}

const SCENARIO_KEYS =
	"configuration model gpu gpus context output concurrency rate kv weights cached price ttftSlo tpotSlo".split(
		" ",
	);

function scenarioBody(task: string, said: Arguments): Arguments {
	const query = new URLSearchParams();
	for (const key of SCENARIO_KEYS)
		if (said[key] !== undefined && said[key] !== null) query.set(key, String(said[key]));
	const [, quoted] = /["“«]([^"”»]{1,120})["”»]/.exec(task) ?? [];
	const [, called] = /(?:called|named|под именем|с именем|назов\p{L}*)\s+(\S.{0,119})$/iu.exec(task) ?? [];
	const name = quoted ?? called;
	return { body: { ...(name ? { name: name.trim() } : {}), query: query.toString() } };
}

/** What a body needs and words did not say. */
function missingInside({ name }: Operation, { body, currency }: Arguments): FilledCall["missing"] {
	const given = (body ?? {}) as Record<string, Record<string, unknown> & unknown[]>;
	const lacks: [boolean, string, string][] = [];
	if (name === "simulate") {
		lacks.push([
			!given.workload?.arrivals,
			"body.workload.arrivals",
			"the load: requests per second, users, or a burst",
		]);
		lacks.push([
			!given.workload?.prompt,
			"body.workload.prompt",
			"tokens of a prompt, or body.workload.trace",
		]);
		lacks.push([
			!given.workload?.output,
			"body.workload.output",
			"tokens of an answer, or body.workload.trace",
		]);
	}
	if (name === "predict" && body !== undefined)
		lacks.push([
			given.points?.length === 0,
			"body.points",
			"lengths: phase prefill with tokens, or decode with batch and context",
		]);
	if (name === "post_scenario") lacks.push([!given.name, "body.name", "what to call it"]);
	if (name === "post_price" && body !== undefined)
		lacks.push([true, "body.source", "where the price comes from"]);
	if (currency !== undefined)
		lacks.push(
			[true, "usdPerUnit", `US dollars for 1 ${currency}`],
			[true, "rateSource", "who says so"],
			[true, "rateReadOn", "the day of the rate, YYYY-MM-DD"],
		);
	return lacks.filter(([lacking]) => lacking).map(([, at, what]) => ({ name: at, what }));
}

const PLAN_PARTS: readonly [IdeaName, string[]][] = [
	["howManyUsers", ["capacity", "memory.maxSequences"]],
	["holdsUsers", ["capacity", "memory.maxSequences"]],
	["perMonth", ["cost.usdPerMonth"]],
	["costOf", ["cost"]],
	["ttft", ["ttft"]],
	["tpot", ["tpot"]],
	["throughput", ["load"]],
];

/** The parts of a plan that were asked for; what it assumed and its verdict always come along. */
function planSelection(task: string): string[] | undefined {
	const ideas = ideasIn(task);
	const parts = PLAN_PARTS.filter(([idea]) => ideas.has(idea)).flatMap(([, paths]) => paths);
	const wanted = parts.filter((path) => !parts.some((whole) => path.startsWith(`${whole}.`)));
	return wanted.length > 0
		? [...new Set(["scenario", "verdict", ...wanted, "warnings", "assumed"])]
		: undefined;
}

/** Nothing said of where it runs: the planner answers for the setup that it opens with. */
function openingNote(operation: Operation, filled: Arguments): string[] {
	const scenario = operation.name === "plan" || operation.name.startsWith("report_");
	const said = ["configuration", "model", "gpu"].some((key) => key in filled);
	return scenario && !said
		? ["no card and no model said: it is the setup that the planner opens with; scenario says which"]
		: [];
}

function notesOn({ unclear }: Figures): string[] {
	return unclear.map(
		(format) => `${format}: said of neither weights nor cache; say weights=${format} or kv=${format}`,
	);
}

/** Only reports tell money in another currency, and with a rate that somebody gives. */
function currencyNote({ currency }: Figures, { parameters }: Operation): string[] {
	const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
	return currency !== null && takes("context") && !takes("currency")
		? [`money is told in US dollars here; the reports take currency=${currency} with its rate`]
		: [];
}

/** Numbers of a question about a load that went into nothing: whoever asked should know. */
function leftNotes({ left }: Figures, operation: Operation, used: unknown): string[] {
	const asksLoad =
		operation.parameters.some(({ name }) => name === "context") || operation.name === "simulate";
	if (!asksLoad) return [];
	const known = JSON.stringify(used);
	return left
		.filter((text) => {
			const [digits = ""] = /\d[\d.,]*/.exec(text) ?? [];
			return digits.length > 0 && text !== "1" && !known.includes(digits);
		})
		.map((text) => `"${text}" was not read: put it into the arguments, or say what it is`);
}

/** A question back. */
export interface Question {
	question: string;
	choices: Choice[];
	/** Arguments that have to be said, where there is no choice to offer. */
	unsaid?: string[];
}

/** What is to be asked where the task names several measured setups, or several cards; null: it is clear. */
export function setupQuestion(operation: Operation, setup: Setup): Question | null {
	const { configurations, gpus, models } = setup;
	const measured = takesConfiguration(operation);
	if (operation.name === "compare") return compareQuestion(setup);
	const ofOneCard = measured || operation.schema.properties?.gpu !== undefined;
	if (ofOneCard && !searchesCards(operation) && kindsOfCards(gpus) > 1)
		return {
			question: "Several cards are named. Which one? The operation fleet looks at all of them at once.",
			choices: gpus.slice(0, MOST_CHOICES).map((id) => ({ label: id, arguments: { gpu: id } })),
		};
	if (measured && configurations.length === 1) return null;
	if (measured && configurations.length > 1)
		return {
			question: `Which of these ${configurations.length} measured configurations?`,
			choices: configurations.slice(0, MOST_CHOICES).map(choiceOf),
		};
	if (operation.path.startsWith("/configurations/{id}")) return null;
	if (searchesCards(operation)) return severalOf("model", models);
	const takes = (name: string) =>
		operation.schema.properties?.[name] !== undefined || operation.name === "simulate";
	const byId = operation.name === "get_gpu" || operation.name === "get_model";
	if (takes("model") || byId) {
		const question = severalOf("model", models, byId ? "id" : "model");
		if (question) return question;
	}
	if (takes("gpu") || byId) {
		const question = severalOf("card", gpus, byId ? "id" : "gpu");
		if (question) return question;
	}
	const needsModel = measured || operation.name === "memory";
	if (needsModel && gpus.length > 0 && models.length === 0)
		return {
			question: "Which model? Nothing that was measured on this card tells; list_models has the names.",
			choices: [],
			unsaid: ["model"],
		};
	if (measured && models.length > 0 && gpus.length === 0)
		return {
			question: "On which card? This model is not measured; list_gpus has the names.",
			choices: [],
			unsaid: ["gpu"],
		};
	return null;
}

function choiceOf({ id, label, origin, attribution }: ConfigurationName): Choice {
	const whose = origin === "own" ? "" : ` (${attribution ?? origin})`;
	return { label: `${label}${whose}`, arguments: { configuration: id } };
}

const searchesCards = ({ name }: Operation): boolean => name === "fleet" || name === "economics";

/** How many kinds of cards are named: "h100-sxm-80gb" and "h100-pcie-80gb" are what "H100" may mean, "a100…" is another. */
const kindsOfCards = (ids: readonly string[]): number =>
	new Set(ids.map((id) => /^[a-z-]*\d+[a-z]*/.exec(id)?.[0] ?? id)).size;

function severalOf(what: string, ids: readonly string[], argument = what) {
	if (ids.length < 2) return null;
	const choices = ids.slice(0, MOST_CHOICES).map((id) => ({ label: id, arguments: { [argument]: id } }));
	return { question: `Which ${what}? ${ids.length} are called so.`, choices };
}

/** Words name too little to choose what is held against what: only ids are taken as they are. */
function compareQuestion({ configurations, gpus, models }: Setup) {
	const byIds = gpus.length === 0 && models.length === 0;
	if (byIds && configurations.length >= 2 && configurations.length <= 4) return null;
	return {
		question: "Which configurations, two to four of them? Give their ids as configuration: [A, B].",
		choices: configurations.slice(0, MOST_CHOICES).map(choiceOf),
	};
}
