import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { AppDeps } from "../deps.ts";
import { Problem } from "../problem.ts";
import type { AppEnv } from "../routes/router.ts";
import type { InnerApi } from "./call.ts";
import type { AgentContext } from "./context.ts";
import { isProfile, type Operation, PROFILES, type Profile } from "./operation.ts";
import { agentServer, type Mode, type Note } from "./server.ts";

/** A benchmark file of a few thousand rows; larger ones go to POST /runs. */
export const MOST_REQUEST_BYTES = 4 * 1024 * 1024;

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
		maxRequestBodySize: MOST_REQUEST_BYTES,
		onerror: (error) => log.info({ err: error, requestId: c.get("requestId") }, "an agent's request failed"),
	});
	return handler.fetch(c.req.raw);
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
