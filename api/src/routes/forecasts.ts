import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import {
	type ConfigurationRecord,
	type ForecastItem,
	type LedgerRecord,
	type LedgerSummary,
	listForecastRecords,
	listForecasts,
} from "../store/forecast-ledger.ts";
import { envelope, pageQuery } from "./envelope.ts";
import { answers, problems } from "./problem-schema.ts";
import { evidenceSchema } from "./quantity-schema.ts";
import { router } from "./router.ts";
import { idText } from "./text-schema.ts";

const tags = ["Record"];
const count = z.number().int();
const error = z.number().nullable().openapi({ description: "Relative; null without any" });

const recordSchema = z.object({
	count,
	medianError: error,
	p90Error: error,
	intervalHeld: count.openapi({ description: "Forecasts whose 95 % interval held the measured value" }),
}) satisfies z.ZodType<LedgerRecord>;

const summarySchema = z
	.object({
		claimed: z.number().openapi({ description: "Share of the intervals that should hold" }),
		all: recordSchema,
		last: recordSchema.openapi({ description: "The newest 40" }),
		byEvidence: z.array(recordSchema.extend({ evidence: evidenceSchema })),
	})
	.openapi("ForecastSummary") satisfies z.ZodType<LedgerSummary>;

const forecastSchema = z
	.object({
		id: z.string(),
		configurationId: z.string(),
		label: z.string(),
		runId: z.string(),
		phase: z.string(),
		point: z.string().openapi({ description: "What was measured", example: "prefill 512+0×1" }),
		predictedSeconds: z.number(),
		lowSeconds: z.number(),
		highSeconds: z.number(),
		measuredSeconds: z.number(),
		evidence: evidenceSchema,
		error: z.number(),
		held: z.boolean(),
		createdAt: z.string(),
	})
	.openapi("Forecast") satisfies z.ZodType<ForecastItem>;

const originSchema = z.enum(["own", "example", "published"]);
const configurationRecordSchema = recordSchema
	.extend({
		configurationId: z.string(),
		label: z.string(),
		origin: originSchema,
		attribution: z.string().nullable(),
		lastAt: z.string(),
	})
	.openapi("ConfigurationRecord") satisfies z.ZodType<ConfigurationRecord>;

const originQuery = originSchema.optional().openapi({ description: "Only of configurations of this origin" });

const list = createRoute({
	method: "get",
	path: "/forecasts",
	tags,
	summary: "The forecast ledger, newest first, and what it adds up to",
	description:
		"Every run of a configuration that has laws already is predicted from them before it is added; prediction and " +
		"measurement are kept.",
	request: {
		query: pageQuery.extend({
			configuration: idText.optional().openapi({ description: "Only of this configuration" }),
			origin: originQuery,
		}),
	},
	responses: {
		200: answers(envelope(forecastSchema).extend({ summary: summarySchema }), "Forecasts"),
		...problems(400),
	},
});

const records = createRoute({
	method: "get",
	path: "/forecasts/configurations",
	tags,
	summary: "The record of forecasts of every configuration",
	request: { query: pageQuery.extend({ origin: originQuery }) },
	responses: { 200: answers(envelope(configurationRecordSchema), "Records"), ...problems(400) },
});

/** How well forecasts on one's own hardware came true. */
export function forecastRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(list, async (c) => c.json(await listForecasts(sql, c.req.valid("query")), 200))
		.openapi(records, async (c) => c.json(await listForecastRecords(sql, c.req.valid("query")), 200));
}
