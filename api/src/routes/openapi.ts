import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Schema } from "hono";
import type { AppEnv } from "./router.ts";

const INFO = {
	title: "Plimsoll",
	version: "1",
	description:
		"GPU capacity planning for LLM serving, from your own measurements. Post benchmark files as the tools wrote " +
		"them, and ask what a context length costs in memory, time and money. Errors are application/problem+json. " +
		"Lists answer {items, totalCount, returned, offset, truncated, nextCursor}; limit is 20, at most 100. " +
		"A number that a person reads is a quantity with its evidence and arithmetic.",
};

/** The name of a call, by its method and its path with {parameters}. */
export type NameOf = (method: string, path: string) => string;

/** Adds /openapi.json, which describes every route of the app under the names that agents call them by. */
export function addOpenApi<S extends Schema, B extends string>(
	app: OpenAPIHono<AppEnv, S, B>,
	nameOf: NameOf,
) {
	app.openAPIRegistry.registerComponent("securitySchemes", "key", {
		type: "http",
		scheme: "bearer",
		description: "Needed for writing as soon as the server is not on loopback or uses DATABASE_URL",
	});
	app.get("/openapi.json", (c) => c.json(describeApi(app, nameOf)));
	return app;
}

/** Every route of the app, as OpenAPI 3.1. */
export function describeApi<S extends Schema, B extends string>(
	app: OpenAPIHono<AppEnv, S, B>,
	nameOf: NameOf,
) {
	const document = app.getOpenAPI31Document({
		openapi: "3.1.0",
		info: INFO,
		servers: [{ url: "/api/v1" }],
		security: [{}, { key: [] }],
	});
	for (const [path, calls] of Object.entries(document.paths ?? {}))
		for (const [method, call] of Object.entries(calls))
			Object.assign(call, { operationId: nameOf(method.toUpperCase(), path) });
	return document;
}
