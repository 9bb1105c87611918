import {
	CLIENT_INFO_META_KEY,
	type ReadResourceResult,
	ResourceNotFoundError,
	Server,
	type ServerContext,
} from "@modelcontextprotocol/server";
import { labelled } from "../attribution.ts";
import { Problem } from "../problem.ts";
import { answerOf } from "./call.ts";
import type { AgentContext } from "./context.ts";
import { isJson } from "./digest.ts";
import type { Arguments } from "./fill.ts";
import { callTool, catalogueTools, GUIDED_TOOLS } from "./guided.ts";
import { outcomeOf } from "./long.ts";
import { PROFILES } from "./operation.ts";
import { learnAhead } from "./route.ts";

export type Mode = "guided" | "catalogue";

const INSTRUCTIONS =
	"Plimsoll plans GPU capacity for LLM serving from measurements: users, latency, memory, money. " +
	"plan_route turns a task into a call, plan_execute runs it, plan_continue goes on. " +
	"Every number has its evidence; say it with the number. null is not known, never 0.";

/** What an agent asked and how much it was told, for the log and the usage page. */
export type Note = (told: {
	operation: string;
	result: object;
	failed: boolean;
	inner: AgentContext["inner"];
}) => void;

/** One server for one request: nothing of one client can reach another. */
export function agentServer(context: AgentContext, mode: Mode, note: Note): Server {
	const server = new Server(
		{ name: "plimsoll", version: "1" },
		{ capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
	);
	const told = <T extends object>(operation: string, ctx: ServerContext, result: T, failed = false): T => {
		note({ operation, result, failed, inner: saidInEnvelope(context, ctx).inner });
		return result;
	};
	server.setRequestHandler("tools/list", (_request, ctx) => {
		if (mode === "guided") void learnAhead(context.operations);
		const tools = mode === "guided" ? [...GUIDED_TOOLS] : catalogueTools(context.operations, context.profile);
		return told("tools/list", ctx, { tools });
	});
	server.setRequestHandler("tools/call", async ({ params }, ctx) => {
		const called = { name: params.name, given: (params.arguments ?? {}) as Arguments };
		const { result, operation } = await callTool(
			saidInEnvelope(context, ctx),
			mode,
			called,
			ctx.mcpReq.signal,
		);
		return told(operation, ctx, result, result.isError === true);
	});
	server.setRequestHandler("resources/list", (_request, ctx) =>
		told("resources/list", ctx, { resources: [INDEX] }),
	);
	server.setRequestHandler("resources/templates/list", (_request, ctx) =>
		told("resources/templates/list", ctx, { resourceTemplates: TEMPLATES }),
	);
	server.setRequestHandler("resources/read", async ({ params }, ctx) =>
		told(
			"resources/read",
			ctx,
			await readResource(saidInEnvelope(context, ctx), params.uri, ctx.mcpReq.signal),
		),
	);
	return server;
}

/** The client's name as it says it in this very request, where the protocol has it there. */
function saidInEnvelope(context: AgentContext, ctx: ServerContext): AgentContext {
	const envelope: Record<string, unknown> = ctx.mcpReq.envelope ?? {};
	const said = envelope[CLIENT_INFO_META_KEY] as { name?: unknown; version?: unknown } | undefined;
	if (!said) return context;
	const { transport } = context.inner.attribution;
	return {
		...context,
		inner: { ...context.inner, attribution: labelled(transport, said.name, said.version) },
	};
}

const JSON_TYPE = "application/json";
const INDEX = {
	uri: "plimsoll:///operations",
	name: "operations",
	description: "Every operation in a line",
	mimeType: JSON_TYPE,
};
const TEMPLATES = [
	{
		uriTemplate: "plimsoll:///operations/{name}",
		name: "operation",
		description: "Schema and example",
		mimeType: JSON_TYPE,
	},
	{ uriTemplate: "plimsoll:///api/v1/{+call}", name: "answer", description: "A whole answer, or a file" },
];

/** A whole answer that a result linked to, or what an operation takes. Only reads: a link never changes anything. */
async function readResource(
	context: AgentContext,
	uri: string,
	signal: AbortSignal,
): Promise<ReadResourceResult> {
	const { protocol, pathname, search } = URL.parse(uri) ?? {};
	if (protocol !== "plimsoll:" || pathname === undefined) throw new ResourceNotFoundError(uri);
	const text = (value: unknown) => ({
		contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }],
	});
	const [, folder, name = "", part] = pathname.split("/");
	const { operations, profile } = context;
	if (folder === "operations" && name === "")
		return text(
			operations.filter(PROFILES[profile]).map(({ name, summary, scope }) => ({ name, summary, scope })),
		);
	if (folder === "operations" && part === "answer") return storedAnswer(context, uri, name);
	const operation = operations.find((one) => one.name === name);
	if (folder === "operations" && operation) return text(operation);
	if (!pathname.startsWith("/api/v1/")) throw new ResourceNotFoundError(uri);
	const request = new Request(new URL(`${pathname}${search}`, context.origin), { signal });
	const answered = await answerOf(context.api, request, context.inner);
	if (answered.status >= 400)
		throw new ResourceNotFoundError(uri, Buffer.from(answered.body).toString().slice(0, 2000));
	const body = Buffer.from(answered.body);
	const shown = isJson(answered) || answered.type.startsWith("text/");
	return {
		contents: [
			{
				uri,
				mimeType: answered.type,
				...(shown ? { text: body.toString() } : { blob: body.toString("base64") }),
			},
		] as ReadResourceResult["contents"],
	};
}

async function storedAnswer(context: AgentContext, uri: string, id: string): Promise<ReadResourceResult> {
	const outcome = await outcomeOf(context, id, 0).catch((error: unknown) => {
		if (error instanceof Problem) throw new ResourceNotFoundError(uri, error.message);
		throw error;
	});
	if (!("body" in outcome))
		throw new ResourceNotFoundError(uri, "It still runs: plan_continue waits for it.");
	return { contents: [{ uri, mimeType: outcome.type, text: Buffer.from(outcome.body).toString() }] };
}
