import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { MOST_COMPARED, readComparison, readPlannedRuns } from "../store/comparison.ts";
import { comparisonSchema, plannedRunsSchema } from "./compare-schema.ts";
import { shareText } from "./number-schema.ts";
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

const arms = z
	.union([idText.transform((id) => [id]), z.array(idText)])
	.refine((ids) => ids.length <= 2, { message: "give one, or the two that are to be compared" })
	.openapi({
		type: "array",
		items: { type: "string" },
		description: "Ids of the arms; one where both are of one configuration",
	});

const planned = createRoute({
	method: "get",
	path: "/compare/repetitions",
	tags: ["Answers"],
	summary: "How often each arm of a planned comparison has to be run to see an effect above the noise",
	description:
		"By the noise floor between runs of the configurations. Where that is not known the answer is null: two identical " +
		"arms first.",
	request: {
		query: z.strictObject({
			configuration: arms,
			effect: shareText(-0.99, 1, {
				description: "Smallest difference in time worth finding, of the first arm's; left out: 5%",
				example: 0.05,
			}).refine(
				(effect) => effect !== 0,
				"must not be 0: no number of runs shows that there is no difference",
			),
			alpha: shareText(1e-6, 0.5, {
				description: "Share of equal arms that may be called different; left out: 5%",
				example: 0.05,
			}),
			power: shareText(0.5, 0.999, {
				description: "Share of such differences that are to be found; left out: 80%",
				example: 0.8,
			}),
		}),
	},
	responses: { 200: answers(plannedRunsSchema, "Runs of each arm"), ...problems(400, 404) },
});

/** What is faster, and by more than noise. */
export function compareRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(comparison, async (c) =>
			c.json(await readComparison(sql, c.req.valid("query").configuration), 200),
		)
		.openapi(planned, async (c) => {
			const { configuration, effect = 0.05, alpha = 0.05, power = 0.8 } = c.req.valid("query");
			return c.json(await readPlannedRuns(sql, configuration, { effect, alpha, power }), 200);
		});
}
