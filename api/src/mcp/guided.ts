import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { invalidInput, notFound, Problem } from "../problem.ts";
import { failureResult, isPending, pageCall, pendingResult, resultOf, textResult } from "./answer.ts";
import { answerOf, requestOf } from "./call.ts";
import type { AgentContext } from "./context.ts";
import type { Arguments } from "./fill.ts";
import { executeLong, outcomeOf } from "./long.ts";
import { type Operation, PROFILES } from "./operation.ts";
import { taskAnswer } from "./task-answer.ts";

const WAIT_SECONDS = 5;
const MOST_WAIT_SECONDS = 25;

const text = { type: "string" } as const;
const wait = {
	type: "number",
	description: `Seconds to wait for a long one, 0…${MOST_WAIT_SECONDS}; default ${WAIT_SECONDS}`,
} as const;
const CONTINUE: Tool = {
	name: "plan_continue",
	description: "The next page of a list, or the answer of a long operation.",
	inputSchema: { type: "object", properties: { operationId: text, wait }, required: ["operationId"] },
	annotations: { readOnlyHint: true },
};

/** The three tools of the guided mode: their cost in a client's window stays the same however many operations there are. */
export const GUIDED_TOOLS: readonly Tool[] = [
	{
		name: "plan_route",
		description:
			"Start here. A task in words (English or Russian) → one operation with its call filled in, or a question back with choices. An operation's name → its full schema. Runs nothing.",
		inputSchema: { type: "object", properties: { task: text }, required: ["task"] },
		annotations: { readOnlyHint: true },
	},
	{
		name: "plan_execute",
		description:
			"Runs an operation. Arguments are checked against its full schema; an error says what to mend. Numbers come with evidence and arithmetic: pass the evidence on. null means not known.",
		inputSchema: {
			type: "object",
			properties: {
				operation: text,
				arguments: { type: "object" },
				select: { type: "array", items: text, description: "Parts of the answer, dotted: cost.usdPerMonth" },
				wait,
			},
			required: ["operation"],
		},
	},
	CONTINUE,
];

/** One tool for each operation of the profile, for clients that want it. */
export function catalogueTools(operations: readonly Operation[], profile: AgentContext["profile"]): Tool[] {
	return [...operations.filter(PROFILES[profile]).map(toTool), CONTINUE];
}

function toTool({ name, summary, description, schema, scope, method }: Operation): Tool {
	return {
		name,
		description: description === "" ? summary : `${summary}. ${description}`,
		inputSchema: schema as Tool["inputSchema"],
		annotations: { readOnlyHint: scope === null, destructiveHint: method === "DELETE" },
	};
}

/** Runs a tool; every failure that the caller can mend is a result that says how. */
export async function callTool(
	context: AgentContext,
	mode: "guided" | "catalogue",
	{ name, given }: { name: string; given: Arguments },
	signal: AbortSignal,
): Promise<{ result: CallToolResult; operation: string }> {
	const operation =
		mode === "catalogue" ? (context.operations.find((one) => one.name === name) ?? null) : null;
	const tool = operation ? "operation" : name;
	try {
		if (tool !== "operation") refuseUnknown(tool, given);
		switch (tool) {
			case "operation":
				return { result: await execute(context, operation as Operation, given, {}, signal), operation: name };
			case "plan_route":
				return {
					result: textResult(await taskAnswer(context, textOf(given, "task", 2000))),
					operation: name,
				};
			case "plan_execute":
				return await guidedExecute(context, given, signal);
			case "plan_continue":
				return await goOn(context, given, signal);
		}
		throw invalidInput([
			{ at: "name", reason: `there is no tool ${name.slice(0, 80)}; tools/list has them` },
		]);
	} catch (error) {
		return { result: failureResult(error, operation), operation: operation?.name ?? "tool" };
	}
}

async function guidedExecute(context: AgentContext, given: Arguments, signal: AbortSignal) {
	const operation = operationOf(context, textOf(given, "operation", 100));
	try {
		const options = { select: selectOf(given), wait: waitOf(given) };
		const result = await execute(context, operation, objectOf(given), options, signal);
		return { result, operation: operation.name };
	} catch (error) {
		return { result: failureResult(error, operation), operation: operation.name };
	}
}

async function execute(
	context: AgentContext,
	operation: Operation,
	given: Arguments,
	{ select, wait = WAIT_SECONDS }: { select?: string[] | undefined; wait?: number },
	signal: AbortSignal,
): Promise<CallToolResult> {
	refuseOfReader(context, operation);
	if (operation.long) {
		const { id, outcome } = await executeLong(context, operation, given, wait);
		if (isPending(outcome)) return pendingResult(outcome);
		return resultOf(operation, given, outcome, { select, operationId: id });
	}
	const request = requestOf(operation, given, context.origin, signal);
	return resultOf(operation, given, await answerOf(context.api, request, context.inner), { select });
}

/** Whoever asks for the profile of readers is held to it; a key that may write makes no difference. */
function refuseOfReader({ profile }: AgentContext, { name, scope }: Operation): void {
	if (profile !== "reader" || scope === null) return;
	throw new Problem(
		403,
		"Read only",
		`${name} does more than read, and this connection has the profile reader: connect to /mcp without ?profile=reader for it.`,
	);
}

/** The next page, or a long operation. Neither changes anything, whatever the id says. */
async function goOn(context: AgentContext, given: Arguments, signal: AbortSignal) {
	const operationId = textOf(given, "operationId", 4000);
	const page = pageCall(operationId);
	if (page) {
		const operation = operationOf(context, page.name);
		if (!operation.pages || operation.method !== "GET")
			throw invalidInput([{ at: "operationId", reason: "is no page of a list" }]);
		return { result: await execute(context, operation, page.given, {}, signal), operation: operation.name };
	}
	const outcome = await outcomeOf(context, operationId, waitOf(given));
	if (isPending(outcome)) return { result: pendingResult(outcome), operation: outcome.operation };
	const operation = operationOf(context, outcome.operation);
	return { result: resultOf(operation, {}, outcome, { operationId }), operation: operation.name };
}

/** @throws Problem 404 that names what comes near */
function operationOf({ operations }: AgentContext, name: string): Operation {
	const found = operations.find((operation) => operation.name === name);
	if (found) return found;
	const [first = ""] = name.split("_");
	const near = operations.filter(
		(operation) => operation.name.includes(name) || operation.name.startsWith(first),
	);
	const known = (near.length > 0 ? near : operations).slice(0, 12).map((operation) => operation.name);
	throw notFound(
		"Operation",
		name.slice(0, 80),
		`Near it: ${known.join(", ")}. plan_route finds one by words.`,
	);
}

/** A misspelt argument would run something else than was meant. */
function refuseUnknown(tool: string, given: Arguments): void {
	const known = Object.keys(GUIDED_TOOLS.find(({ name }) => name === tool)?.inputSchema.properties ?? given);
	const wrong = Object.keys(given).filter((key) => !known.includes(key));
	if (wrong.length > 0)
		throw invalidInput(
			wrong.map((at) => ({
				at,
				reason: `unknown to ${tool}, which takes ${known.join(", ")}; what an operation takes stands in arguments`,
			})),
		);
}

function textOf(given: Arguments, at: string, most: number): string {
	const value = given[at];
	if (typeof value !== "string" || value.trim() === "")
		throw invalidInput([{ at, reason: "must be a text" }]);
	if (value.length > most) throw invalidInput([{ at, reason: `at most ${most} letters` }]);
	return value;
}

function objectOf({ arguments: value = {} }: Arguments): Arguments {
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Arguments;
	throw invalidInput([{ at: "arguments", reason: "must be an object: {context: 64000}" }]);
}

function selectOf({ select }: Arguments): string[] | undefined {
	if (select === undefined || select === null) return undefined;
	if (Array.isArray(select) && select.length <= 50 && select.every((path) => typeof path === "string"))
		return select;
	throw invalidInput([{ at: "select", reason: 'must be a list of paths: ["verdict", "cost.usdPerMonth"]' }]);
}

function waitOf({ wait }: Arguments): number {
	if (wait === undefined || wait === null) return WAIT_SECONDS;
	if (typeof wait === "number" && wait >= 0 && wait <= MOST_WAIT_SECONDS) return wait;
	throw invalidInput([{ at: "wait", reason: `must be a number of seconds from 0 to ${MOST_WAIT_SECONDS}` }]);
}
