import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { countExamples, removeExamples, restoreExamples } from "../store/examples.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";

const tags = ["Examples"];
const examplesSchema = z
	.object({ present: z.boolean(), runs: z.number().int() })
	.openapi("Examples", { description: "Whether the example data is in, and how many runs it has" });

const read = createRoute({
	method: "get",
	path: "/examples",
	tags,
	summary: "Whether the example data is in",
	responses: { 200: answers(examplesSchema, "Examples") },
});

const restore = createRoute({
	method: "post",
	path: "/examples",
	tags,
	summary: "Put the example data in",
	responses: { 200: answers(examplesSchema, "Examples"), ...problems(401, 403) },
});

const remove = createRoute({
	method: "delete",
	path: "/examples",
	tags,
	summary: "Take the example data out",
	responses: { 200: answers(examplesSchema, "Examples"), ...problems(401, 403) },
});

/** The data that a fresh installation starts with. */
export function exampleRoutes({ database: { sql }, limits }: AppDeps) {
	const answer = async () => {
		const runs = await countExamples(sql);
		return { present: runs > 0, runs };
	};
	return router()
		.openapi(read, async (c) => c.json(await answer(), 200))
		.openapi(restore, async (c) => {
			await restoreExamples(sql, limits);
			return c.json(await answer(), 200);
		})
		.openapi(remove, async (c) => {
			await removeExamples(sql);
			return c.json(await answer(), 200);
		});
}
