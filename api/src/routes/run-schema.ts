import { z } from "@hono/zod-openapi";
import { CHECKLIST, SAID_OF_RUN } from "../model/index.ts";
import type { ConfigurationDetail, ConfigurationItem } from "../store/configurations.ts";
import type { KeptDecision } from "../store/decisions.ts";
import type { StoredMeasurement } from "../store/measurements.ts";
import type { KeptCorrection } from "../store/run-conditions.ts";
import type { RunDetail, RunItem } from "../store/runs.ts";
import type { UploadAnswer } from "../store/upload.ts";
import { configurationFactsSchema, pinnedSchema } from "./facts-schema.ts";
import { failureSchema, fitsSchema, pointSchema } from "./fit-schema.ts";

const count = z.number().int();
const unknownNumber = z.number().nullable();
const unknownText = z.string().nullable();
const issues = z.array(z.object({ at: z.string(), reason: z.string() }));

const fitSummarySchema = z.object({
	form: z.string(),
	n: count,
	loo: unknownNumber,
	range: z.unknown(),
});

const configurationBase = configurationFactsSchema.extend({
	counts: z.object({ measurements: count, failures: count, excluded: count, runs: count }),
	createdAt: z.string(),
	updatedAt: z.string(),
});

export const configurationItemSchema = configurationBase
	.extend({
		fits: z.object({
			prefill: fitSummarySchema.nullable(),
			decode: fitSummarySchema.nullable(),
			serve: fitSummarySchema.nullable(),
		}),
	})
	.openapi("ConfigurationItem") satisfies z.ZodType<ConfigurationItem>;

const forecastSchema = z
	.object({ count, medianError: unknownNumber, intervalHeld: count })
	.openapi("ForecastRecord", {
		description:
			"Predictions made before the measurements: how many, their median error, intervals that held",
	});

export const configurationDetailSchema = configurationBase
	.extend({
		fits: fitsSchema,
		points: z.array(pointSchema),
		failures: z.array(failureSchema),
		pinned: pinnedSchema.nullable(),
		forecasts: forecastSchema,
	})
	.openapi("ConfigurationDetail") satisfies z.ZodType<ConfigurationDetail>;

export const measurementSchema = z
	.object({
		id: z.string(),
		configurationId: z.string(),
		runId: z.string(),
		at: z.string().openapi({ description: "Place in the file" }),
		phase: z.enum(["prefill", "decode", "mixed", "serve", "tools"]),
		status: z.enum(["ok", "partial", "failed"]),
		tokens: unknownNumber.openapi({
			description: "prefill, mixed: new tokens; serve: input tokens; tools: prompt tokens",
		}),
		depth: unknownNumber.openapi({
			description: "prefill, mixed, tools: cached tokens; decode: mean context",
		}),
		generated: unknownNumber.openapi({
			description: "serve: output tokens; decode, mixed: generated tokens",
		}),
		batch: unknownNumber.openapi({
			description: "Sequences together; serve: concurrency; tools: tools in the request",
		}),
		rate: unknownNumber,
		seconds: z.array(z.number()).openapi({ description: "Per repetition, where the source has them" }),
		secondsMean: unknownNumber,
		secondsStd: unknownNumber,
		repetitions: unknownNumber,
		reason: unknownText.openapi({ description: "Why it failed" }),
		details: z.record(z.string(), z.unknown()).nullable(),
		suspicions: z.array(z.string()),
		included: z.boolean().openapi({ description: "Whether fits read it" }),
		startedAt: unknownText,
	})
	.openapi("Measurement") satisfies z.ZodType<StoredMeasurement>;

const inOrOut = z.enum(["in", "out"]);
export const decisionSchema = z
	.object({
		id: z.string(),
		from: inOrOut,
		to: inOrOut.openapi({ description: "in: the fits read it; out: they do not" }),
		by: z.string().openapi({
			description: "Name of the key, 'this machine' without one, or the check that found it doubtful",
		}),
		reason: unknownText,
		at: z.string(),
		measurement: measurementSchema,
	})
	.openapi("KeptDecision") satisfies z.ZodType<KeptDecision>;

const runBase = {
	id: z.string(),
	format: z.string().openapi({ example: "llama-bench jsonl" }),
	sha256: z.string().openapi({ description: "Of the unpacked bytes" }),
	label: unknownText,
	fileName: unknownText,
	bytes: count,
	accepted: count.openapi({ description: "Measurements stored" }),
	failed: count.openapi({ description: "Failures stored" }),
	origin: z.enum(["own", "example", "published"]),
	attribution: unknownText,
	createdAt: z.string(),
	sentBy: unknownText,
	tags: z.array(z.string()).openapi({ description: "Words that people sort runs by" }),
};

export const runItemSchema = z
	.object({
		...runBase,
		rejected: count,
		aside: count,
		configurations: z.array(z.object({ id: z.string(), label: z.string() })),
	})
	.openapi("Run") satisfies z.ZodType<RunItem>;

const senderRecord = z.record(z.string(), z.unknown()).nullable().openapi({
	description: "What the sender recorded about the machine and the command",
});

const runMemorySchema = z
	.array(
		z.object({
			at: z.string().openapi({ description: "Place in the file" }),
			configurationId: z.string(),
			figures: pinnedSchema.omit({ sources: true, kvK: true, kvV: true, unknown: true }),
			countsFor: z.array(z.object({ id: z.string(), label: z.string(), unknown: z.array(z.string()) })),
		}),
	)
	.openapi({
		description:
			"Memory figures of start-up logs and metrics, and the measured configurations they count for",
	}) satisfies z.ZodType<RunDetail["memory"]>;

const checklistSchema = z
	.array(
		z.object({
			key: z.enum(CHECKLIST),
			title: z.string(),
			state: z.enum(["known", "partly", "unknown"]),
			known: z.array(z.object({ name: z.string(), value: z.string() })),
			missing: z.array(z.object({ name: z.string(), how: z.string() })).openapi({
				description: "What nobody said, and how to record it",
			}),
		}),
	)
	.openapi({
		description: "The six things to record with a run, so that it can be compared",
	}) satisfies z.ZodType<RunDetail["checklist"]>;

const correctionSchema = z
	.object({
		id: z.string(),
		field: z.enum(SAID_OF_RUN),
		from: z.unknown().openapi({ description: "null: not known" }),
		to: z.unknown().openapi({ description: "null: not known" }),
		by: z.string().openapi({ description: "Name of the key, 'this machine' without one" }),
		reason: unknownText,
		at: z.string(),
	})
	.openapi("KeptCorrection") satisfies z.ZodType<KeptCorrection>;

export const runDetailSchema = runItemSchema
	.extend({
		conditions: senderRecord,
		checklist: checklistSchema,
		corrections: z.array(correctionSchema).openapi({ description: "Newest first; at most 100 of them" }),
		notes: z.array(z.string()),
		rejections: issues.openapi({ description: "At most 1,000 of them" }),
		asides: issues.openapi({ description: "At most 1,000 of them" }),
		memory: runMemorySchema,
		measurements: z.array(measurementSchema).openapi({ description: "The first 100" }),
	})
	.openapi("RunDetail") satisfies z.ZodType<RunDetail>;

export const uploadSchema = z
	.object({
		...runBase,
		conditions: senderRecord,
		duplicate: z.boolean(),
		rejected: issues.openapi({ description: "Rows that could not be read; at most 1,000 are listed" }),
		rejectedCount: count,
		aside: issues.openapi({ description: "Rows set aside with a reason; at most 1,000 are listed" }),
		asideCount: count,
		notes: z.array(z.string()),
		memory: runMemorySchema,
		configurations: z.array(configurationItemSchema.extend({ forecast: forecastSchema.nullable() })),
	})
	.openapi("Upload") satisfies z.ZodType<UploadAnswer>;
