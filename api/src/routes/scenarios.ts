import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import type { ChangeSince, FigureChange } from "../model/index.ts";
import {
	changeScenario,
	type KeptAnswer,
	keepScenario,
	type ListedScenario,
	listScenarios,
	readScenario,
	removeScenario,
	type ScenarioDetail,
	type ScenarioItem,
} from "../store/scenarios.ts";
import { readAsked } from "./asked.ts";
import { envelope, pageQuery } from "./envelope.ts";
import { planFactsSchema } from "./facts-schema.ts";
import { planSchema } from "./plan-schema.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { router } from "./router.ts";
import { idParams, words } from "./text-schema.ts";

const keptAnswerSchema = planSchema
	.extend({
		users: z.number().nullable().openapi({ description: "The most requests in flight within every limit" }),
	})
	.openapi("KeptAnswer") satisfies z.ZodType<KeptAnswer>;

const scenarioItemSchema = z
	.object({
		id: z.string(),
		name: z.string(),
		note: z.string().nullable(),
		query: z.string().openapi({ description: "The dashboard's address and /plan take it" }),
		keptBy: z.string().nullable(),
		createdAt: z.string(),
		answer: keptAnswerSchema.openapi({ description: "The answer of the moment it was kept" }),
	})
	.openapi("KeptScenario") satisfies z.ZodType<ScenarioItem>;

const listedSchema = scenarioItemSchema
	.extend({
		today: z.enum(["same", "other", "turned", "gone"]).openapi({
			description:
				"What today's facts make of it: the same answer, another figure, another verdict, or what it is about was taken out",
		}),
	})
	.openapi("ListedScenario") satisfies z.ZodType<ListedScenario>;

const changeSchema = z
	.object({
		figures: z.array(
			z.object({
				figure: z.string(),
				kept: quantitySchema,
				today: quantitySchema,
				relative: z.number().nullable(),
			}) satisfies z.ZodType<FigureChange>,
		),
		because: z.array(z.string()).openapi({ description: "Which facts are no longer the same" }),
		verdictTurned: z.boolean(),
	})
	.openapi("ChangeSince") satisfies z.ZodType<ChangeSince>;

const detailSchema = scenarioItemSchema
	.extend({
		facts: planFactsSchema.openapi({
			description: "Fits, prices and catalog entries that the kept answer used",
		}),
		today: keptAnswerSchema.nullable().openapi({ description: "From today's facts; null: no longer there" }),
		change: changeSchema.nullable(),
	})
	.openapi("KeptScenarioBesideToday") satisfies z.ZodType<ScenarioDetail>;

const tags = ["Scenarios"];
const params = idParams("scenario");

const list = createRoute({
	method: "get",
	path: "/scenarios",
	tags,
	summary: "Kept scenarios, newest first",
	request: { query: pageQuery },
	responses: { 200: answers(envelope(listedSchema), "Scenarios"), ...problems(400) },
});

const keep = createRoute({
	method: "post",
	path: "/scenarios",
	tags,
	summary: "Keep a scenario with the facts and the answer of today",
	description:
		"The fits, prices and catalog entries that the answer used are kept with it: it can be given again when they have " +
		"changed, and held against today's.",
	request: {
		body: takes(
			z
				.strictObject({ name: words(120), note: words(2000).nullish(), query: z.string().max(2000) })
				.openapi("NewScenario", {
					example: { name: "Chat at 16K, two cards", query: "context=16000&output=500&concurrency=8" },
				}),
		),
	},
	responses: { 201: answers(detailSchema, "Kept"), ...problems(400, 401, 403, 404, 422) },
});

const read = createRoute({
	method: "get",
	path: "/scenarios/{id}",
	tags,
	summary: "A kept scenario, and what newer facts would change",
	request: { params },
	responses: { 200: answers(detailSchema, "The scenario"), ...problems(404) },
});

const change = createRoute({
	method: "patch",
	path: "/scenarios/{id}",
	tags,
	summary: "Rename a scenario, note something on it, or put back one that was taken out",
	request: {
		params,
		body: takes(
			z
				.strictObject({
					name: words(120).optional(),
					note: words(2000).nullable().optional(),
					removed: z.literal(false).optional(),
				})
				.openapi("ScenarioChange", { example: { name: "Chat at 16K" } }),
		),
	},
	responses: { 200: answers(scenarioItemSchema, "The scenario"), ...problems(400, 401, 403, 404) },
});

const remove = createRoute({
	method: "delete",
	path: "/scenarios/{id}",
	tags,
	summary: "Take a scenario out of the list; it can be put back",
	request: { params },
	responses: { 204: { description: "Taken out" }, ...problems(401, 403, 404) },
});

/** What-if questions that are kept with their facts. */
export function scenarioRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(list, async (c) => c.json(await listScenarios(sql, c.req.valid("query")), 200))
		.openapi(keep, async (c) => {
			const { name, note = null, query } = c.req.valid("json");
			const asked = await readAsked(sql, new URLSearchParams(query), (key) => `query.${key}`);
			const keptBy = c.get("caller")?.name ?? null;
			return c.json(await keepScenario(sql, { name, note, ...asked, keptBy }), 201);
		})
		.openapi(read, async (c) => c.json(await readScenario(sql, c.req.valid("param").id), 200))
		.openapi(change, async (c) =>
			c.json(await changeScenario(sql, c.req.valid("param").id, c.req.valid("json")), 200),
		)
		.openapi(remove, async (c) => {
			await removeScenario(sql, c.req.valid("param").id);
			return c.body(null, 204);
		});
}
