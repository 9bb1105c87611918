import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { type Advice, advise } from "../model/index.ts";
import { readPoints } from "../store/points.ts";
import type { Queryable } from "../store/sql.ts";
import { readAsked } from "./asked.ts";
import { scenarioQuery, scenarioSchema } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idParams } from "./text-schema.ts";

const seconds = z
	.number()
	.nullable()
	.openapi({ description: "By the laws, without loading the model; null: not known" });
const share = z
	.number()
	.nullable()
	.openapi({ description: "Half of the 95 % interval over the value; null: not known" });
const suretySchema = z.object({ ttft: share, tpot: share }).openapi("Surety");
const tools = ["llama-bench", "llama-batched-bench", "vllm bench serve", "sglang.bench_serving"] as const;

const adviceSchema = z
	.object({
		scenario: scenarioSchema,
		now: suretySchema,
		measurements: z
			.array(
				z.object({
					tool: z.enum(tools),
					what: z.string(),
					after: suretySchema,
					seconds,
					command: z.string().openapi({ description: "Makes the measurement and posts it here" }),
				}),
			)
			.openapi({ description: "Best first; empty where nothing is worth it" }),
		start: z
			.object({
				tool: z.enum(tools),
				runs: z.array(z.object({ what: z.string(), seconds })),
				seconds,
				script: z.string(),
			})
			.nullable()
			.openapi({ description: "The first runs of a setup that nobody measured" }),
		note: z.string(),
	})
	.openapi("Advice", {
		description: "Which further measurement would narrow the answer's interval most",
	}) satisfies z.ZodType<Advice>;

const tags = ["Answers"];
const description =
	"Each measurement that could be made is added as the laws expect it to come out, the laws are fitted again, and the " +
	"interval of the answer is read off. Takes the keys of a scenario, as /plan does.";

const ofConfiguration = createRoute({
	method: "get",
	path: "/configurations/{id}/advice",
	tags,
	summary: "What to measure next for a scenario on this configuration",
	description,
	request: { params: idParams("configuration"), query: scenarioQuery.omit({ configuration: true }) },
	responses: { 200: answers(adviceSchema, "The advice"), ...problems(400, 404) },
});

const ofScenario = createRoute({
	method: "get",
	path: "/advice",
	tags,
	summary: "What to measure next for a scenario",
	description,
	request: { query: scenarioQuery },
	responses: { 200: answers(adviceSchema, "The advice"), ...problems(400, 404) },
});

/** What would make an answer surer. */
export function adviceRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(ofConfiguration, async (c) => {
			const { id } = c.req.valid("param");
			const { origin, searchParams } = new URL(c.req.url);
			searchParams.set("configuration", id);
			return c.json(await answer(sql, searchParams, origin), 200);
		})
		.openapi(ofScenario, async (c) => {
			const { origin, searchParams } = new URL(c.req.url);
			return c.json(await answer(sql, searchParams, origin), 200);
		});
}

async function answer(sql: Queryable, query: URLSearchParams, server: string): Promise<Advice> {
	const { scenario, facts } = await readAsked(sql, query);
	const id = facts.configuration?.id ?? null;
	const points = id === null ? [] : ((await readPoints(sql, [id])).get(id) ?? []);
	return advise(scenario, facts, points, { server });
}
