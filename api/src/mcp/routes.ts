import type { AppDeps } from "../deps.ts";
import type { Tell } from "../routes/result-sizes.ts";
import { router } from "../routes/router.ts";
import { estimatedTokens } from "../tokens.ts";
import type { InnerApi } from "./call.ts";
import { type ApiDescription, type Operation, operationsOf } from "./operation.ts";
import type { Note } from "./server.ts";

/**
 * The door for agents at /mcp.
 * @param app the whole app: every operation is one of its calls
 * @param describe what the API says of itself
 */
export function agentRoutes(deps: AppDeps, app: InnerApi, describe: () => object, tell: Tell) {
	// What the API can do does not change while it runs; nobody pays for it before the first agent comes.
	let operations: readonly Operation[] | null = null;
	return router().all("/mcp", async (c) => {
		const { answerAgent } = await import("./endpoint.ts");
		operations ??= operationsOf(describe() as ApiDescription);
		// The bridge for standard input and output says so; a label like the others.
		const transport = c.req.header("plimsoll-transport") === "stdio" ? ("stdio" as const) : ("mcp" as const);
		const attribution = { ...c.get("attribution"), transport };
		c.set("attribution", attribution);
		const note: Note = ({ operation, result, failed, inner }) => {
			const bytes = Buffer.byteLength(readOf(result));
			const caller = inner.caller?.name ?? null;
			const status = failed ? 400 : 200;
			tell({ ...inner.attribution, operation, caller, status, bytes, tokens: estimatedTokens(bytes) });
		};
		return answerAgent(c, deps, app, operations, note);
	});
}

/** What an agent's model reads of a result: its texts, not the wrapping of the protocol. */
function readOf(result: object): string {
	const { content } = result as { content?: { text?: string }[] };
	return content
		? content.map((part) => part.text ?? JSON.stringify(part)).join("\n")
		: JSON.stringify(result);
}
