import type { ErrorHandler, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AppDeps } from "../deps.ts";
import { Problem, problemBody, problemResponse } from "../problem.ts";
import type { AppEnv } from "./router.ts";

/** PostgreSQL and connection codes that mean "not now" rather than "wrong". */
const UNAVAILABLE = new Set([
	"ECONNREFUSED",
	"ECONNRESET",
	"CONNECT_TIMEOUT",
	"CONNECTION_CLOSED",
	"CONNECTION_ENDED",
	"CONNECTION_DESTROYED",
	"57014", // statement_timeout
	"57P01", // the server is being stopped
	"57P02",
	"57P03",
	"53300", // too many connections
	"55P03", // lock_timeout
	"40001",
	"40P01",
]);

/** What the framework itself refuses: bodies of calls that take JSON. */
const IN_WORDS: Partial<Record<number, string>> = {
	400: "The body is no JSON, or it is cut: send one JSON object, whole.",
	415: "The body is said to be of another type: send JSON, with the header content-type: application/json.",
};

/** Every failure as a problem document; what is nobody's business is logged and answered generically. */
export function errorHandler({ log }: AppDeps): ErrorHandler<AppEnv> {
	return (error, c) => {
		const requestId = c.get("requestId");
		if (error instanceof Problem) return answerProblem(error);
		if (error instanceof HTTPException && error.status < 500)
			return problemResponse(
				problemBody(error.status, "Invalid input", IN_WORDS[error.status] ?? "The request cannot be read."),
			);
		if (c.req.raw.signal.aborted) {
			log.info({ requestId, path: c.req.path }, "the client closed the connection");
			return problemResponse(problemBody(400, "Connection closed", "The request did not arrive whole."));
		}
		log.error({ requestId, method: c.req.method, path: c.req.path, err: error }, "request failed");
		if (UNAVAILABLE.has(codeOf(error)))
			return problemResponse(
				problemBody(503, "Database not available", "The database did not answer in time; try again."),
				{ "retry-after": "5" },
			);
		return problemResponse(
			problemBody(500, "Internal error", `Something failed here; the log has it under request ${requestId}.`),
		);
	};
}

function answerProblem(problem: Problem): Response {
	const headers: Record<string, string> = {};
	if (problem.status === 401) headers["www-authenticate"] = "Bearer";
	// The rest of a refused upload is not waited for.
	if (problem.status === 413) headers.connection = "close";
	return problemResponse(problem.body, headers);
}

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : "";
}

export const notFoundHandler: NotFoundHandler<AppEnv> = (c) =>
	problemResponse(
		problemBody(404, "Not found", `There is no ${c.req.method} ${c.req.path}; /api/docs lists the calls.`),
	);
