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

/** Adds /openapi.json, which describes every route of the app. */
export function addOpenApi<S extends Schema, B extends string>(app: OpenAPIHono<AppEnv, S, B>) {
	app.openAPIRegistry.registerComponent("securitySchemes", "key", {
		type: "http",
		scheme: "bearer",
		description: "Needed for writing as soon as the server is not on loopback or uses DATABASE_URL",
	});
	app.get("/openapi.json", (c) =>
		c.json(
			app.getOpenAPI31Document({
				openapi: "3.1.0",
				info: INFO,
				servers: [{ url: "/api/v1" }],
				security: [{}, { key: [] }],
			}),
		),
	);
	return app;
}
