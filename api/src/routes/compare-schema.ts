import { z } from "@hono/zod-openapi";
import type { PhaseComparison } from "../model/index.ts";
import type { Comparison, EngineVersions, PlannedRuns } from "../store/comparison.ts";
import { configurationFactsSchema } from "./facts-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";

const number = z.number();
const phase = z
	.enum(["prefill", "decode", "serve"])
	.openapi({ description: "serve: time per token of clients" });

const timeSchema = z.object({
	seconds: number,
	from: z
		.enum(["measured", "fitted"])
		.openapi({ description: "At this very shape, or by the law inside its range" }),
	n: number.int().openapi({ description: "Measurements behind a measured time" }),
	loo: number.nullable(),
	noise: z.object({ relative: number, from: z.enum(["repeated runs", "repetitions"]) }).nullable(),
});

const differenceSchema = z
	.object({
		relative: number.openapi({ description: "Time over that of the first, minus 1: above 0 it takes more" }),
		floor: number.nullable().openapi({
			description: "Difference that 95 of 100 pairs of identical measurements stay below; null: not known",
		}),
		floorAssumed: z.boolean(),
		verdict: z.enum(["faster", "slower", "not distinguishable", "not decided"]),
		words: z.string().openapi({ example: "not distinguishable (floor 1.8 %)" }),
	})
	.openapi("Difference");

const summarySchema = z.object({ difference: differenceSchema.nullable(), words: z.string() });

const phaseSchema = z.object({
	phase,
	rows: z.array(
		z.object({
			shape: z.string().openapi({ example: "4,096 tokens" }),
			at: number,
			times: z.array(timeSchema.nullable()),
			differences: z.array(differenceSchema.nullable()),
		}),
	),
	summaries: z.array(summarySchema.nullable()),
}) satisfies z.ZodType<PhaseComparison>;

export const comparisonSchema = z
	.object({
		configurations: z.array(configurationFactsSchema.extend({ name: z.string() })),
		phases: z.array(phaseSchema),
		conditions: z.array(
			z.object({
				name: z.string(),
				values: z.array(z.string().nullable()),
				state: z.enum(["equal", "differs", "unknown"]),
			}),
		),
	})
	.openapi("Comparison", {
		description: "Times and conditions in the order of the configurations, each against the first",
	}) satisfies z.ZodType<Comparison>;

const noiseSchema = z
	.object({ relative: number, from: z.enum(["repeated runs", "repetitions"]) })
	.nullable()
	.openapi({ description: "Spread between identical measurements; null: nothing was repeated" });

export const plannedRunsSchema = z
	.object({
		effect: number,
		alpha: number,
		power: number,
		phases: z.array(
			z.object({
				phase,
				noise: z.array(noiseSchema).openapi({ description: "In the order of the configurations" }),
				perArm: quantitySchema.openapi({
					description: "Runs of each arm; null where two identical arms have to be measured first",
				}),
			}),
		),
	})
	.openapi("PlannedRuns") satisfies z.ZodType<PlannedRuns>;

export const versionsSchema = z
	.object({
		id: z.string(),
		versions: z.array(
			z.object({
				id: z.string(),
				label: z.string(),
				engineVersion: z.string(),
				unknown: z.array(z.string()),
				changes: z.array(z.object({ phase, against: z.string(), summary: summarySchema })),
			}),
		),
	})
	.openapi("EngineVersions", {
		description: "Configurations that are equal but for the engine's version, oldest first, at most 50",
	}) satisfies z.ZodType<EngineVersions>;
