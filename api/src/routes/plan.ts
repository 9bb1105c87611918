import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { plan as answerPlan, BLANK_SCENARIO, capacity, lengthWarnings, unsaid } from "../model/index.ts";
import { readFactsOfScenario } from "../store/facts.ts";
import { readAsked } from "./asked.ts";
import { planFactsSchema } from "./facts-schema.ts";
import { planAnswerSchema, scenarioQuery } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idText } from "./text-schema.ts";

const tags = ["Answers"];

const plan = createRoute({
	method: "get",
	path: "/plan",
	tags,
	summary: "The whole what-if answer of a scenario",
	description:
		"Memory, time and money together, with a verdict. What is left out takes its default; `assumed` says which. " +
		"The dashboard's page takes the same query string.",
	request: { query: scenarioQuery },
	responses: { 200: answers(planAnswerSchema, "The plan"), ...problems(400, 404) },
});

const facts = createRoute({
	method: "get",
	path: "/facts",
	tags,
	summary: "All that a plan of a model and a GPU reads where nothing is measured",
	description: "Without either: the facts of the configuration that answers when none is asked for.",
	request: { query: z.object({ model: idText.optional(), gpu: idText.optional() }) },
	responses: { 200: answers(planFactsSchema, "Facts"), ...problems(400, 404) },
});

/** The three currencies together. */
export function planRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(plan, async (c) => {
			const query = new URL(c.req.url).searchParams;
			const { scenario, facts } = await readAsked(sql, query);
			const answer = answerPlan(scenario, facts);
			const assumed = [...unsaid((key) => query.has(key), scenario), ...answer.assumed];
			const warnings = lengthWarnings(answer.scenario.context, facts.effectiveLengths ?? []);
			return c.json({ ...answer, assumed, capacity: capacity(scenario, facts), warnings }, 200);
		})
		.openapi(facts, async (c) => {
			const { model = null, gpu = null } = c.req.valid("query");
			return c.json(await readFactsOfScenario(sql, { ...BLANK_SCENARIO, model, gpu }), 200);
		});
}
