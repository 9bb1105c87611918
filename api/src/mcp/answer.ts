import type { CallToolResult } from "@modelcontextprotocol/server";
import { Problem, type ProblemBody } from "../problem.ts";
import type { Answered } from "./call.ts";
import { digest, isJson, jsonOf, selected } from "./digest.ts";
import type { Arguments } from "./fill.ts";
import type { Pending } from "./long.ts";
import type { JsonSchema, Operation } from "./operation.ts";

const SCHEME = "plimsoll://";

export const textResult = (answer: unknown): CallToolResult => ({
	content: [{ type: "text", text: JSON.stringify(answer) }],
});

export const isPending = (outcome: Answered | Pending): outcome is Pending => "operationId" in outcome;

/** Address of a whole answer, as a client reads resources. */
const resourceOf = (path: string | null, operationId: string | null): string | null =>
	path !== null
		? `${SCHEME}${path}`
		: operationId !== null
			? `${SCHEME}/operations/${operationId}/answer`
			: null;

/**
 * What an agent is told of an answer: the parts it selected, or the whole where that is short, or a digest with a link to
 * the whole; a file is a link. A list that goes on carries the operationId that plan_continue takes.
 */
export function resultOf(
	operation: Operation,
	given: Arguments,
	answered: Answered,
	{
		select,
		operationId = null,
	}: { select?: readonly string[] | undefined; operationId?: string | null } = {},
): CallToolResult {
	const { status, path, type, body } = answered;
	if (status >= 400) return problemResult(jsonOf(answered) as ProblemBody, operation);
	const uri = resourceOf(path, operationId);
	const told = { operation: operation.name, status };
	if (!isJson(answered) && body.length > 0)
		return withLink(textResult({ ...told, type, bytes: body.length, file: path }), uri, operation, answered);
	const whole = jsonOf(answered);
	if (select && select.length > 0) {
		const { parts, unknown } = selected(whole, select);
		const lacking = unknown.length > 0 ? { notInAnswer: unknown, parts: Object.keys(whole ?? {}) } : {};
		const short = digest(parts);
		const result = textResult({ ...told, answer: short.answer, ...lacking });
		return short.cut ? withLink(result, uri, operation, answered) : result;
	}
	const { answer, cut } = digest(whole, operation.pages);
	const next = continuation(operation, given, whole);
	const result = textResult({ ...told, ...(cut ? { truncated: true } : {}), answer, ...next });
	return cut ? withLink(result, uri, operation, answered) : result;
}

function withLink(
	result: CallToolResult,
	uri: string | null,
	operation: Operation,
	{ type, body }: Answered,
): CallToolResult {
	if (uri === null) return result;
	const link = {
		type: "resource_link" as const,
		uri,
		name: operation.name,
		mimeType: type,
		size: body.length,
	};
	return { ...result, content: [...result.content, link] };
}

export function pendingResult(pending: Pending): CallToolResult {
	return textResult({ ...pending, next: "plan_continue with this operationId" });
}

/** An error that says what is wrong, where, and what would be right. */
export function problemResult(problem: ProblemBody, operation: Operation | null): CallToolResult {
	const properties = operation?.schema.properties ?? {};
	const wrong = [...new Set((problem.errors ?? []).map(({ at }) => at.split(/[.[]/)[0] ?? ""))];
	const schemas = Object.fromEntries(
		wrong
			.filter((name) => Object.hasOwn(properties, name))
			.map((name) => [name, properties[name] as JsonSchema]),
	);
	const right = Object.keys(schemas).length > 0 ? { schema: schemas } : {};
	const example = operation && problem.status === 400 ? { example: operation.example } : {};
	const { answer } = digest({ ...right, ...example });
	const hint =
		problem.status === 401
			? { hint: "Set the header Authorization: Bearer KEY in the configuration of this MCP server." }
			: {};
	return {
		...textResult({
			...(operation ? { operation: operation.name } : {}),
			error: problem,
			...(answer as object),
			...hint,
		}),
		isError: true,
	};
}

/** A failure of our own making as a result; anything else is the protocol's. */
export function failureResult(error: unknown, operation: Operation | null): CallToolResult {
	if (error instanceof Problem) return problemResult(error.body, operation);
	throw error;
}

const PAGE_MARK = "page.";

/** The id under which a list goes on: the call and its cursor, so that no process has to remember it. */
function continuation(
	{ pages, name }: Operation,
	given: Arguments,
	whole: unknown,
): { operationId?: string } {
	const { nextCursor } = (whole ?? {}) as { nextCursor?: unknown };
	if (!pages || typeof nextCursor !== "string") return {};
	const call = Buffer.from(JSON.stringify([name, { ...given, cursor: nextCursor }])).toString("base64url");
	return { operationId: PAGE_MARK + call };
}

/** The call of a page's id; null where it is none. Whatever it holds is checked like any other call. */
export function pageCall(operationId: string): { name: string; given: Arguments } | null {
	if (!operationId.startsWith(PAGE_MARK)) return null;
	try {
		const [name, given] = JSON.parse(
			Buffer.from(operationId.slice(PAGE_MARK.length), "base64url").toString(),
		);
		const sound =
			typeof name === "string" && typeof given === "object" && given !== null && !Array.isArray(given);
		return sound ? { name, given } : null;
	} catch {
		return null;
	}
}
