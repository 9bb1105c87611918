import type { AgentContext } from "./context.ts";
import { figuresIn } from "./figures.ts";
import { type Arguments, type Choice, filledCall, setupQuestion } from "./fill.ts";
import { type Operation, PROFILES } from "./operation.ts";
import { routeTask, type Suited } from "./route.ts";
import { setupOf } from "./setup.ts";

/** What plan_route says of a task: a call, or a question. It runs nothing. */
export async function taskAnswer(context: AgentContext, task: string): Promise<object> {
	const { operations, profile } = context;
	const routed = routeTask(task, operations);
	if (routed.kind === "none") return nothingFound(operations.filter(PROFILES[profile]));
	if (routed.kind === "several") return whichOperation(routed.candidates);
	const { operation, words, exact } = routed;
	if (exact && task.trim().split(/\s+/).length === 1) return described(operation);
	const figures = figuresIn(task);
	const setup = await setupOf(context.sql, task, figures);
	const call = filledCall(operation, task, figures, setup);
	const { arguments: given, select, missing, notes } = call;
	const question = setupQuestion(operation, setup);
	const base = {
		operation: operation.name,
		does: operation.summary,
		because: words,
		...(PROFILES[profile](operation) ? {} : { outsideProfile: profile }),
		...(operation.scope === null
			? {}
			: { changesThings: `needs a key with the scope ${operation.scope} where keys are used` }),
		...(notes.length > 0 ? { notes } : {}),
	};
	if (question) return { ...base, ...asked(operation, question, given, select) };
	if (missing.length > 0)
		return {
			question: `${operation.name} needs more: ${missing.map(({ name, what }) => `${name} (${what})`).join("; ")}`,
			...base,
			call: callOf(operation, given, select),
			example: operation.example,
		};
	const [configuration] = setup.configurations;
	return {
		...base,
		call: callOf(operation, given, select),
		...(given.configuration === configuration?.id && configuration
			? { configuration: `${configuration.label}, ${configuration.attribution ?? "measured here"}` }
			: {}),
		next: "plan_execute with this call",
	};
}

const callOf = (operation: Operation, given: object, select?: readonly string[]) => ({
	operation: operation.name,
	arguments: given,
	...(select ? { select } : {}),
});

/** A question with its choices: the call holds what they share, each choice what it adds. */
function asked(
	operation: Operation,
	{ question, choices }: { question: string; choices: readonly Choice[] },
	given: Arguments,
	select: readonly string[] | undefined,
): object {
	// A configuration makes model and card needless.
	const replaced = choices.some((choice) => choice.arguments.configuration !== undefined)
		? ["model", "gpu", "gpus"]
		: [];
	const shared = Object.fromEntries(Object.entries(given).filter(([key]) => !replaced.includes(key)));
	return {
		question,
		call: callOf(operation, shared, select),
		choices: choices.map(({ label, arguments: more }) => ({
			label,
			arguments: inPlace(operation, shared, more),
		})),
		...(choices.length > 0
			? { next: "plan_execute with this call and the arguments of one choice added" }
			: {}),
	};
}

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

function whichOperation(candidates: readonly Suited[]): object {
	return {
		question: "Which of these is meant?",
		choices: candidates.map(({ operation, words }) => ({
			operation: operation.name,
			does: operation.summary,
			because: words,
		})),
	};
}

function nothingFound(operations: readonly Operation[]): object {
	return {
		question:
			"What is to be found out? For example: how many users at 64K on our H100s with fp8 KV, and what per month.",
		operations: operations.map(({ name }) => name),
	};
}
