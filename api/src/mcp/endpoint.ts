import { createMcpHandler, type McpHttpHandler, readRequestBody } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { AppDeps } from "../deps.ts";
import { Problem } from "../problem.ts";
import type { AppEnv } from "../routes/router.ts";
import type { InnerApi } from "./call.ts";
import type { AgentContext } from "./context.ts";
import { isProfile, type Operation, PROFILES, type Profile } from "./operation.ts";
import { agentServer, type Mode, type Note } from "./server.ts";

/** A benchmark file of a few thousand rows; larger ones go to POST /runs. */
const MOST_REQUEST_BYTES = 4 * 1024 * 1024;
const MOST_MESSAGES = 20;

/** Answers one request of the Model Context Protocol, of this year's form or of last year's. Keeps nothing of it. */
export async function answerAgent(
	c: Context<AppEnv>,
	{ database, log }: AppDeps,
	api: InnerApi,
	operations: readonly Operation[],
	note: Note,
): Promise<Response> {
	const { origin, searchParams } = new URL(c.req.url);
	const context: AgentContext = {
		...{ api, sql: database.sql, log, operations, origin },
		profile: profileOf(searchParams.get("profile")),
		inner: { caller: c.get("caller"), attribution: c.get("attribution") },
	};
	const mode = modeOf(searchParams.get("mode"));
	const handler = createMcpHandler(() => agentServer(context, mode, note), {
		// Nothing here changes by itself: there is nothing to subscribe to.
		maxSubscriptions: 0,
		onerror: (error) => log.info({ err: error, requestId: c.get("requestId") }, "an agent's request failed"),
	});
	return c.req.method === "POST" ? answerMessage(handler, c.req.raw) : handler.fetch(c.req.raw);
}

/** A message, or a handful of them: each is a call, and a body could hold thousands. */
async function answerMessage(handler: McpHttpHandler, request: Request): Promise<Response> {
	const read = await readRequestBody(request, MOST_REQUEST_BYTES);
	if (read.tooLarge)
		throw new Problem(
			413,
			"Body too large",
			`The message has more than ${MOST_REQUEST_BYTES} bytes; post large files to POST /api/v1/runs.`,
		);
	let parsedBody: unknown;
	try {
		parsedBody = JSON.parse(read.text);
	} catch {
		throw new Problem(
			400,
			"Invalid input",
			"The body is no JSON: a message of the Model Context Protocol is one JSON object.",
		);
	}
	if (Array.isArray(parsedBody) && parsedBody.length > MOST_MESSAGES)
		throw new Problem(
			400,
			"Invalid input",
			`${parsedBody.length} messages in one request; at most ${MOST_MESSAGES}.`,
		);
	return handler.fetch(request, { parsedBody });
}

function profileOf(name: string | null): Profile {
	if (name === null) return "admin";
	if (isProfile(name)) return name;
	throw new Problem(
		400,
		"Unknown profile",
		`profile=${name.slice(0, 40)}: known are ${Object.keys(PROFILES).join(", ")}.`,
	);
}

function modeOf(name: string | null): Mode {
	if (name === null || name === "guided") return "guided";
	if (name === "catalogue" || name === "catalog") return "catalogue";
	throw new Problem(400, "Unknown mode", `mode=${name.slice(0, 40)}: known are guided and catalogue.`);
}
