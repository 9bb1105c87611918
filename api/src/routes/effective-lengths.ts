import { createRoute } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import {
	addEffectiveLength,
	listEffectiveLengths,
	removeEffectiveLength,
} from "../store/effective-lengths.ts";
import { envelope, pageQuery, searched } from "./envelope.ts";
import { effectiveLengthSchema, lengthOfEntry, newEffectiveLengthSchema } from "./length-schema.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idParams, idText } from "./text-schema.ts";

const tags = ["Catalogs"];

const list = createRoute({
	method: "get",
	path: "/effective-lengths",
	tags,
	summary: "How far models use their windows, by task and threshold",
	description:
		"Published tables and own measurements; a plan whose prompt is longer warns. Own entries first.",
	request: {
		query: pageQuery.extend({
			q: searched("the model, the task, the threshold or the source"),
			model: idText.optional().openapi({ description: "Only of this model of the catalog" }),
		}),
	},
	responses: { 200: answers(envelope(effectiveLengthSchema), "Effective lengths"), ...problems(400) },
});

const add = createRoute({
	method: "post",
	path: "/effective-lengths",
	tags,
	summary: "Add an effective length that was measured or read",
	description: "What stands in the table already is answered as it is.",
	request: { body: takes(newEffectiveLengthSchema) },
	responses: { 201: answers(effectiveLengthSchema, "The entry"), ...problems(400, 401, 403, 422) },
});

const remove = createRoute({
	method: "delete",
	path: "/effective-lengths/{id}",
	tags,
	summary: "Take an own entry out",
	request: { params: idParams("effective length") },
	responses: { 204: { description: "Taken out" }, ...problems(401, 403, 404, 409) },
});

/** How far windows are used. */
export function effectiveLengthRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(list, async (c) => c.json(await listEffectiveLengths(sql, c.req.valid("query")), 200))
		.openapi(add, async (c) => {
			const entry = lengthOfEntry(c.req.valid("json"), c.get("caller")?.name ?? null);
			return c.json(await addEffectiveLength(sql, entry), 201);
		})
		.openapi(remove, async (c) => {
			await removeEffectiveLength(sql, c.req.valid("param").id);
			return c.body(null, 204);
		});
}
