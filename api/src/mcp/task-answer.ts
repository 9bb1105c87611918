import type { AgentContext } from "./context.ts";
import { type Figures, figuresIn } from "./figures.ts";
import {
	type Arguments,
	type FilledCall,
	filledCall,
	type Question,
	setupQuestion,
	takesConfiguration,
} from "./fill.ts";
import { ideasIn } from "./lexicon.ts";
import { type Operation, PROFILES } from "./operation.ts";
import { routeTask, type Suited } from "./route.ts";
import { type Setup, setupOf } from "./setup.ts";

const CHANGES = ["delete", "change", "setTo", "restore"] as const;

/** What plan_route says of a task: a call, or a question. It runs nothing. */
export async function taskAnswer(context: AgentContext, task: string): Promise<object> {
	const { operations, profile, sql } = context;
	const routed = routeTask(task, operations);
	if (routed.kind === "one" && routed.exact && !/\s/.test(task.trim())) return described(routed.operation);
	const figures = figuresIn(task);
	const setup = await setupOf(sql, task, figures);
	const filled = (operation: Operation) => filledCall(operation, task, figures, setup);
	if (routed.kind === "none") {
		const candidates = speaksOfLoad(figures, setup)
			? operations.filter(({ name }) => OF_LOADS.has(name))
			: [];
		if (candidates.length === 0) return nothingFound(operations.filter(PROFILES[profile]));
		const suited = candidates.map((operation) => ({ operation, probability: 0, words: [] }));
		return whichOperation({ candidates: suited, doubt: null }, filled, setup);
	}
	if (routed.kind === "several") return whichOperation(routed, filled, setup);
	const { operation, words, others } = routed;
	return {
		operation: operation.name,
		does: operation.summary,
		because: words,
		...(others.length > 0 ? { orElse: others } : {}),
		...(PROFILES[profile](operation) ? {} : { outsideProfile: profile }),
		...(operation.scope === null
			? {}
			: { changesThings: `needs a key with the scope ${operation.scope} where keys are used` }),
		...callOrQuestion(operation, withUnheard(filled(operation), operation, task), setup),
	};
}

/** What may be meant where a task names a load or a setup and no word says what is asked. */
const OF_LOADS: ReadonlySet<string> = new Set(["plan", "memory", "fleet", "simulate"]);

function speaksOfLoad(
	{ contextTokens, users, requestsPerSecond }: Figures,
	{ configurations, gpus, models }: Setup,
): boolean {
	const named = configurations.length + gpus.length + models.length > 0;
	const load = contextTokens !== null || users !== null || requestsPerSecond !== null;
	return named && load;
}

/** Words that ask for a change where only a reading was found: they are not to pass as done. */
function withUnheard(filled: FilledCall, { name, method }: Operation, task: string): FilledCall {
	if (method !== "GET") return filled;
	const ideas = ideasIn(task);
	const [said] = CHANGES.map((idea) => ideas.get(idea)).filter(Boolean);
	if (!said) return filled;
	const note = `“${said}” asks for a change; ${name} only reads, and no operation was found that does it: nothing is changed`;
	return { ...filled, notes: [...filled.notes, note] };
}

function callOrQuestion(operation: Operation, filled: FilledCall, setup: Setup): object {
	const { missing, notes } = filled;
	const noted = notes.length > 0 ? { notes } : {};
	const question = setupQuestion(operation, setup);
	if (question) return { ...noted, ...asked(operation, question, filled) };
	const call = callOf(operation, filled);
	if (missing.length > 0) {
		const lacks = missing.map(({ name, what }) => `${name} (${what})`).join("; ");
		return { ...noted, question: `${operation.name} needs more: ${lacks}`, call, example: operation.example };
	}
	const [configuration, another] = setup.configurations;
	const measured =
		configuration && !another && takesConfiguration(operation)
			? { configuration: `${configuration.label}, ${configuration.attribution ?? "measured here"}` }
			: {};
	// Nothing is taken out on words alone: "do not delete it" holds the same ones.
	if (operation.method === "DELETE")
		return {
			...noted,
			question: `${operation.name} takes it out. Is that what is wanted? Only then plan_execute with this call.`,
			call,
		};
	return { ...noted, call, ...measured, next: "plan_execute with this call" };
}

const callOf = (
	operation: Operation,
	{ arguments: given, select }: Pick<FilledCall, "arguments" | "select">,
) => ({
	operation: operation.name,
	arguments: given,
	...(select ? { select } : {}),
});

/** A question with its choices: the call holds what they share, each choice what it adds. */
function asked(
	operation: Operation,
	{ question, choices, unsaid = [] }: Question,
	{ arguments: given, select }: FilledCall,
) {
	// A configuration makes model and card needless.
	const adds = new Set(choices.flatMap((choice) => Object.keys(choice.arguments)));
	const replaced = adds.has("configuration") ? [...adds, "model", "gpu", "gpus"] : [...adds];
	const shared = Object.fromEntries(Object.entries(given).filter(([key]) => !replaced.includes(key)));
	const added = choices.map(({ label, arguments: more }) => ({
		label,
		arguments: inPlace(operation, shared, more),
	}));
	const open = choices.length > 0 ? [...adds] : unsaid;
	return {
		question,
		call: callOf(operation, {
			arguments: { ...shared, ...inPlace(operation, shared, Object.fromEntries(open.map(asChoice))) },
			...(select ? { select } : {}),
		}),
		choices: added,
		...(choices.length > 0
			? { next: "plan_execute with this call and the arguments of one choice in place of CHOOSE" }
			: {}),
	};
}

/** Without it the call would run on the setup that the planner opens with, and answer what nobody asked. */
const asChoice = (key: string) => [key, "CHOOSE"] as const;

/** The arguments of a choice where the operation has them: in its path, its query or its body. */
function inPlace({ path, schema }: Operation, given: Arguments, more: Arguments): Arguments {
	if (path.startsWith("/configurations/{id}")) return { id: more.configuration };
	const inBody = schema.properties?.body !== undefined && schema.properties.configuration === undefined;
	return inBody && !("id" in more) ? { body: { ...(given.body as Arguments), ...more } } : more;
}

/** Everything about an operation that was named. */
function described(operation: Operation): object {
	const { name, summary, description, schema, example, scope } = operation;
	return { operation: name, does: summary, ...(description ? { description } : {}), scope, schema, example };
}

function whichOperation(
	{ candidates, doubt }: { candidates: readonly Suited[]; doubt: string | null },
	filled: (operation: Operation) => FilledCall,
	setup: Setup,
): object {
	return {
		question:
			doubt === null
				? "Which of these is meant?"
				: `“${doubt}”: is one of these meant at all? The first changes things; only where that is wanted, plan_execute with it.`,
		choices: candidates.map(({ operation, words }) => ({
			...openCall(operation, filled(operation), setup),
			does: operation.summary,
			because: words,
		})),
	};
}

/** A call of which it may have to be said yet what it is of. */
function openCall(operation: Operation, filled: FilledCall, setup: Setup): object {
	const noted = filled.notes.length > 0 ? { notes: filled.notes } : {};
	const question = setupQuestion(operation, setup);
	if (!question) return { ...callOf(operation, filled), ...noted };
	const { call } = asked(operation, question, filled);
	return { ...call, ...noted, asks: question.question };
}

function nothingFound(operations: readonly Operation[]): object {
	return {
		question:
			"What is to be found out? For example: how many users at 64K on our H100s with fp8 KV, and what per month.",
		operations: operations.map(({ name }) => name),
	};
}
