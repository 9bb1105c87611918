import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { readVersions } from "../store/comparison.ts";
import { listConfigurations, readConfiguration, requireConfiguration } from "../store/configurations.ts";
import { decideMeasurement, listDecisions, readMeasurement } from "../store/decisions.ts";
import { readFacts } from "../store/facts.ts";
import { listConfigurationMeasurements } from "../store/measurements.ts";
import { versionsSchema } from "./compare-schema.ts";
import { envelope, originFilter, pageQuery, searched } from "./envelope.ts";
import { planFactsSchema } from "./facts-schema.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { router } from "./router.ts";
import {
	configurationDetailSchema,
	configurationItemSchema,
	decisionSchema,
	measurementSchema,
} from "./run-schema.ts";
import { idParams, idText, words } from "./text-schema.ts";

const tags = ["Configurations"];
const params = idParams("configuration");

const listQuery = pageQuery.extend({
	q: searched("the configuration's label, GPU, model, engine, version, weights or attribution"),
	origin: originFilter,
	gpu: idText
		.optional()
		.openapi({ description: "Only on this GPU of the catalog", example: "h100-sxm-80gb" }),
	model: idText
		.optional()
		.openapi({ description: "Only of this model of the catalog", example: "llama-3.1-8b" }),
	fitted: z
		.enum(["prefill", "decode", "serve"])
		.optional()
		.openapi({ description: "Only those with a fitted law of this phase" }),
});

const list = createRoute({
	method: "get",
	path: "/configurations",
	tags,
	summary: "Measured configurations, newest first",
	description: "Filters hold together; a cursor goes on only under the filters it was given for.",
	request: { query: listQuery },
	responses: { 200: answers(envelope(configurationItemSchema), "Configurations"), ...problems(400) },
});

const read = createRoute({
	method: "get",
	path: "/configurations/{id}",
	tags,
	summary: "One configuration with its fits, points, failures and forecast record",
	request: { params },
	responses: { 200: answers(configurationDetailSchema, "The configuration"), ...problems(404) },
});

const facts = createRoute({
	method: "get",
	path: "/configurations/{id}/facts",
	tags,
	summary: "All that a plan of this configuration reads",
	request: { params },
	responses: { 200: answers(planFactsSchema, "Facts"), ...problems(404) },
});

const measurements = createRoute({
	method: "get",
	path: "/configurations/{id}/measurements",
	tags,
	summary: "Measurements and failures of one configuration, newest first",
	request: { params, query: pageQuery },
	responses: { 200: answers(envelope(measurementSchema), "Measurements"), ...problems(400, 404) },
});

const measurement = createRoute({
	method: "get",
	path: "/configurations/{id}/measurements/{measurementId}",
	tags,
	summary: "One measurement of a configuration, with the run that it came in",
	request: { params: params.extend({ measurementId: idText }) },
	responses: { 200: answers(measurementSchema, "The measurement"), ...problems(404) },
});

const decide = createRoute({
	method: "patch",
	path: "/configurations/{id}/measurements/{measurementId}",
	tags,
	summary: "Take a measurement into the fits or out of them",
	description:
		"The fits follow, and the decision is kept in the history. Needs the scope ingest where keys are used.",
	request: {
		params: params.extend({ measurementId: idText }),
		body: takes(
			z
				.strictObject({ included: z.boolean(), reason: words(500).nullish() })
				.openapi("Decision", { example: { included: false, reason: "the card was throttling" } }),
		),
	},
	responses: { 200: answers(measurementSchema, "The measurement"), ...problems(400, 401, 403, 404, 409) },
});

const decisions = createRoute({
	method: "get",
	path: "/configurations/{id}/decisions",
	tags,
	summary: "What was taken into the fits or out of them, by whom, when and why; newest first",
	request: { params, query: pageQuery },
	responses: { 200: answers(envelope(decisionSchema), "Decisions"), ...problems(400, 404) },
});

const versions = createRoute({
	method: "get",
	path: "/configurations/{id}/versions",
	tags,
	summary: "The same configuration on other versions of its engine, oldest first, and what changed with each",
	request: { params },
	responses: { 200: answers(versionsSchema, "Versions"), ...problems(404) },
});

/** What the measurements were grouped by, and what was fitted to them. */
export function configurationRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(list, async (c) => c.json(await listConfigurations(sql, c.req.valid("query")), 200))
		.openapi(read, async (c) => c.json(await readConfiguration(sql, c.req.valid("param").id), 200))
		.openapi(facts, async (c) => c.json(await readFacts(sql, c.req.valid("param").id), 200))
		.openapi(measurements, async (c) => {
			const page = await listConfigurationMeasurements(sql, c.req.valid("param").id, c.req.valid("query"));
			return c.json(page, 200);
		})
		.openapi(decisions, async (c) => {
			const { id } = c.req.valid("param");
			await requireConfiguration(sql, id);
			return c.json(await listDecisions(sql, id, c.req.valid("query")), 200);
		})
		.openapi(versions, async (c) => c.json(await readVersions(sql, c.req.valid("param").id), 200))
		.openapi(measurement, async (c) => {
			const { id, measurementId } = c.req.valid("param");
			return c.json(await readMeasurement(sql, id, measurementId), 200);
		})
		.openapi(decide, async (c) => {
			const { id, measurementId } = c.req.valid("param");
			const { included, reason } = c.req.valid("json");
			const decision = { included, reason: reason ?? null, by: c.get("caller")?.name ?? null };
			const measurement = await sql.begin((tx) => decideMeasurement(tx, id, measurementId, decision));
			return c.json(measurement, 200);
		});
}
