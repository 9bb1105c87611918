import { createRoute } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { putModel, removeModel } from "../store/catalog-changes.ts";
import { listModels, readModelEntry } from "../store/catalogs.ts";
import { catalogQuery, envelope } from "./envelope.ts";
import { modelAnswerSchema, modelBody, modelItemSchema, modelQuery, readEntry } from "./model-entry.ts";
import { answers, problems } from "./problem-schema.ts";
import { jsonObject, router } from "./router.ts";
import { idParams } from "./text-schema.ts";

const tags = ["Catalogs"];

const list = createRoute({
	method: "get",
	path: "/models",
	tags,
	summary: "Models, by id",
	request: { query: catalogQuery },
	responses: { 200: answers(envelope(modelItemSchema), "Models"), ...problems(400) },
});

const read = createRoute({
	method: "get",
	path: "/models/{id}",
	tags,
	summary: "One model",
	request: { params: idParams("model") },
	responses: { 200: answers(modelItemSchema, "The model"), ...problems(404) },
});

const add = createRoute({
	method: "post",
	path: "/models",
	tags,
	summary: "Add a model from its config.json, the header of its GGUF file, or by its fields",
	description:
		"Answers the geometry, the cache bytes of a token and the bytes of the weights that the file implies, and which of " +
		"its fields decided them. Configurations whose model has this name are matched to it.",
	request: {
		query: modelQuery,
		// A config.json is sent as it is: curl then calls it a form.
		body: { content: { "application/json": { schema: modelBody }, "*/*": { schema: modelBody } } },
	},
	responses: { 201: answers(modelAnswerSchema, "The model"), ...problems(400, 401, 403, 409, 413, 422) },
});

const remove = createRoute({
	method: "delete",
	path: "/models/{id}",
	tags,
	summary: "Take out a model that was added here",
	request: { params: idParams("model") },
	responses: { 204: { description: "It is gone" }, ...problems(401, 403, 404, 409) },
});

/** What is known of models. */
export function modelRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(list, async (c) => c.json(await listModels(sql, c.req.valid("query")), 200))
		.openapi(read, async (c) => c.json(await readModelEntry(sql, c.req.valid("param").id), 200))
		.openapi(add, async (c) => {
			const said = c.req.valid("query");
			const { entry, answer } = readEntry(await jsonObject(c), said);
			await putModel(sql, entry, said.replace === "true");
			return c.json(answer, 201);
		})
		.openapi(remove, async (c) => {
			await removeModel(sql, c.req.valid("param").id);
			return c.body(null, 204);
		});
}
