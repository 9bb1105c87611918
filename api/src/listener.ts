import { existsSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { nameProtocolHeader } from "./environment.ts";
import { type InProcessApp, offerInProcess } from "./in-process.ts";
import { problemBody } from "./problem.ts";
import { isKnownHost } from "./routes/access.ts";
import { SECURITY_HEADERS } from "./routes/headers.ts";

const PROTOCOL_HEADER = "x-forwarded-proto";
const DASHBOARD = resolve(import.meta.dirname, "../../web/build/handler.js");
const API_PATH = /^\/(?:api|mcp|healthz|readyz|metrics)(?:[/?]|$)/;
/** The page that explains the API is one of the dashboard's. */
const DOCS_PATH = /^\/api\/docs(?:[/?]|$)/;

type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** One listener for both faces: API calls to the app, everything else to the dashboard. */
export async function createListener(
	app: InProcessApp,
	hosts: readonly string[] | null,
): Promise<RequestListener> {
	// Globals stay Node's own: the dashboard's framework makes requests of its own.
	const api = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
	const page = await loadDashboard(app);
	return (request, response) => {
		const path = request.url ?? "";
		if (API_PATH.test(path) && !DOCS_PATH.test(path)) return void api(request, response);
		for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
		if (!isKnownHost(hostnameOf(request), hosts)) return refuseHost(response);
		// Without a proxy in front, the scheme is the one of this server.
		request.headers[PROTOCOL_HEADER] ??= "http";
		page(request, response);
	};
}

/** The built dashboard; where it is missing or broken, a page that says how to build it. The API answers anyway. */
async function loadDashboard(app: InProcessApp): Promise<Page> {
	if (!existsSync(DASHBOARD)) return notBuilt;
	offerInProcess(app);
	nameProtocolHeader(PROTOCOL_HEADER);
	try {
		const { handler } = await import(pathToFileURL(DASHBOARD).href);
		return (request, response) => handler(request, response, () => notBuilt(request, response));
	} catch (error) {
		console.error("The dashboard cannot be loaded; npm run build makes it anew.", error);
		return notBuilt;
	}
}

function hostnameOf(request: IncomingMessage): string {
	return URL.parse(`http://${request.headers.host ?? ""}`)?.hostname ?? "";
}

function refuseHost(response: ServerResponse): void {
	const body = problemBody(421, "Unknown host name", "This server is not called so; see ALLOWED_HOSTS.");
	response.writeHead(421, { "content-type": "application/problem+json" }).end(JSON.stringify(body));
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<title>Plimsoll</title>
<h1>The dashboard is not built yet</h1>
<p>The API answers: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>. For the dashboard run <code>npm run build</code> in
${join(DASHBOARD, "../../..")} and start again; <code>npm start</code> does both.</p>
`;

function notBuilt(_request: IncomingMessage, response: ServerResponse): void {
	response.writeHead(503, { "content-type": "text/html; charset=utf-8" }).end(NOT_BUILT);
}
