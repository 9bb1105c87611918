import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { MOST_COMPARED, readComparison } from "../store/comparison.ts";
import { comparisonSchema } from "./compare-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idText } from "./text-schema.ts";

const several = z
	.union([idText.transform((id) => [id]), z.array(idText)])
	.refine((ids) => ids.length >= 2 && ids.length <= MOST_COMPARED, {
		message: `give two to ${MOST_COMPARED}, each as configuration=ID`,
	})
	.refine((ids) => new Set(ids).size === ids.length, { message: "each configuration once" })
	.openapi({
		type: "array",
		items: { type: "string" },
		description: "Ids; the others are held against the first",
	});

const comparison = createRoute({
	method: "get",
	path: "/compare",
	tags: ["Answers"],
	summary: "Two to four configurations side by side",
	description:
		"Differences at shapes that lie inside what was measured, judged against what identical measurements differ by; " +
		"and the conditions that differ or are not known.",
	request: { query: z.strictObject({ configuration: several }) },
	responses: { 200: answers(comparisonSchema, "The comparison"), ...problems(400, 404) },
});

/** What is faster, and by more than noise. */
export function compareRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(comparison, async (c) =>
		c.json(await readComparison(sql, c.req.valid("query").configuration), 200),
	);
}
