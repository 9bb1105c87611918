import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { type Lift, type Lifts, lifts } from "../model/index.ts";
import { readAsked } from "./asked.ts";
import { bindingSchema, scenarioQuery, scenarioSchema } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { router } from "./router.ts";

const liftSchema = z
	.object({
		change: z.string().openapi({ description: "In words", example: "fp8 KV cache" }),
		patch: scenarioSchema.partial().openapi({ description: "What it sets in the scenario" }),
		users: quantitySchema.openapi({ description: "The most within every limit" }),
		ttft: quantitySchema.openapi({ description: "With so many users" }),
		usdPerRequest: quantitySchema.openapi({ description: "With so many users" }),
		carries: z
			.boolean()
			.nullable()
			.openapi({ description: "Whether the load that was asked for is carried; null: not known" }),
	})
	.openapi("Lift") satisfies z.ZodType<Lift>;

const liftsSchema = z
	.object({
		binding: bindingSchema.openapi({ description: "What one user more would cross" }),
		now: liftSchema,
		changes: z.array(liftSchema).openapi({ description: "Single changes that carry more, most users first" }),
		longestContext: quantitySchema.openapi({
			description: "The longest prompt that lets the load be carried",
		}),
		fewestGpus: quantitySchema.openapi({ description: "The fewest GPUs that carry the load" }),
		fewestGpusPatch: scenarioSchema
			.partial()
			.nullable()
			.openapi({ description: "What takes so many GPUs; null: there is no such number" }),
	})
	.openapi("Lifts", { description: "What would lift the limit" }) satisfies z.ZodType<Lifts>;

const route = createRoute({
	method: "get",
	path: "/lifts",
	tags: ["Answers"],
	summary: "What would lift the limit of a scenario",
	description:
		"Each single change is tried, with as many users as it then carries, in time, memory and money; and the scenario is " +
		"solved for its length and its GPUs. Takes the keys of a scenario, as /plan does.",
	request: { query: scenarioQuery },
	responses: { 200: answers(liftsSchema, "The changes"), ...problems(400, 404) },
});

/** What would carry more. */
export function liftRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(route, async (c) => {
		const { scenario, facts } = await readAsked(sql, new URL(c.req.url).searchParams);
		return c.json(lifts(scenario, facts), 200);
	});
}
