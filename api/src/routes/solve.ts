import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { COST_PER, GOAL_USD, SOLVE_FOR, type Solution, solve } from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { readAsked } from "./asked.ts";
import { amountText } from "./number-schema.ts";
import { scenarioQuery, scenarioSchema } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { router } from "./router.ts";

const solutionSchema = z
	.object({
		solveFor: z.enum(SOLVE_FOR),
		answer: quantitySchema.openapi({
			description:
				"The most users, the longest prompt in tokens, the fewest GPUs or the highest USD per GPU-hour; null: there is none, or it is not known",
		}),
		beyond: z.string().openapi({ description: "What lies beyond the answer; empty where there is none" }),
		advice: z.string().openapi({ description: "What can be done where there is no answer" }),
		patch: scenarioSchema
			.partial()
			.nullable()
			.openapi({ description: "What takes the answer; null: nothing" }),
		unbounded: z
			.literal(true)
			.optional()
			.openapi({ description: "Of a price: none that can be said is too high; the answer is then null" }),
	})
	.openapi("Solution", {
		description: "A scenario solved for one of its variables",
	}) satisfies z.ZodType<Solution>;

const query = scenarioQuery.extend({
	for: z.enum(SOLVE_FOR).openapi({ description: "What is asked for; everything else is kept" }),
	goal: amountText(
		GOAL_USD.most,
		{ description: "USD that the load may cost; with for=price", example: 0.01 },
		GOAL_USD.least,
	),
	per: z.enum(COST_PER).optional().openapi({
		description: "What goal is for: a request (the default), 1M output tokens, 1M prompt tokens, or a month",
	}),
});

const route = createRoute({
	method: "get",
	path: "/solve",
	tags: ["Answers"],
	summary: "Solve a scenario for users, context, GPUs or price",
	description:
		"One variable becomes the answer and the others are kept: the most users, the longest prompt or the fewest GPUs " +
		"within every limit, or the highest price of a GPU-hour at which the load costs what it may. Takes the keys of a " +
		"scenario, as /plan does.",
	request: { query },
	responses: { 200: answers(solutionSchema, "The answer"), ...problems(400, 404) },
});

const OWN_KEYS = ["for", "goal", "per"] as const;

/** A scenario solved for one of its variables. */
export function solveRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(route, async (c) => {
		const { for: solveFor, goal, per = "request" } = c.req.valid("query");
		if (solveFor === "price" && !goal)
			throw invalidInput([{ at: "goal", reason: "say what the load may cost, in USD above 0" }]);
		const { searchParams } = new URL(c.req.url);
		for (const key of OWN_KEYS) searchParams.delete(key);
		const { scenario, facts } = await readAsked(sql, searchParams);
		return c.json(solve(solveFor, scenario, facts, goal ? { usd: goal, per } : null), 200);
	});
}
