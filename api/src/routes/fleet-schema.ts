import { z } from "@hono/zod-openapi";
import { type FleetOption, GPU_PRICE_KINDS } from "../model/index.ts";
import type { CheckedFleet, CheckedOption } from "../simulation/fleet.ts";
import type { FleetAssumption } from "./fleet-query.ts";
import { scenarioSchema } from "./plan-schema.ts";
import { evidenceSchema, quantitySchema } from "./quantity-schema.ts";

const number = z.number();
const unknownText = z.string().nullable();

export const optionSchema = z
	.object({
		id: z.string(),
		label: z.string(),
		scenario: scenarioSchema.openapi({
			description: "Whose plan has the same times: the working replicas in the busiest hour",
		}),
		configuration: z.object({ id: z.string(), label: z.string(), attribution: unknownText }).nullable(),
		gpu: z.object({ id: unknownText, name: z.string() }),
		engine: unknownText,
		gpusPerReplica: number,
		tp: number,
		weights: unknownText,
		kv: unknownText,
		maxSequences: number,
		basis: evidenceSchema.openapi({ description: "How the laws of its times are known" }),
		binding: z
			.enum(["memory", "sequences", "ttft", "tpot", "throughput"])
			.openapi({ description: "What keeps a replica from taking more" }),
		working: number.openapi({ description: "Replicas that the load needs; the rest are spare" }),
		replicas: quantitySchema,
		gpus: quantitySchema,
		largestRequestsPerSecond: quantitySchema,
		running: quantitySchema,
		ttft: quantitySchema,
		tpot: quantitySchema,
		e2e: quantitySchema,
		utilisation: quantitySchema,
		idleShare: quantitySchema,
		cost: z.object({
			usdPerMonth: quantitySchema,
			usdPerRequest: quantitySchema,
			usdPerMillionInputTokens: quantitySchema,
			usdPerMillionOutputTokens: quantitySchema,
		}),
		energy: quantitySchema,
		ahead: z
			.array(
				z.object({
					months: number,
					peakRequestsPerSecond: quantitySchema,
					replicas: quantitySchema,
					gpus: quantitySchema,
					usdPerMonth: quantitySchema,
				}),
			)
			.openapi({ description: "After 12, 24 and 36 months of growth; empty where it does not grow" }),
		priceKind: z.enum(GPU_PRICE_KINDS).nullable().openapi({ description: "How that version is paid" }),
		priceId: unknownText.openapi({
			description: "Version of the price book; null: a price as given, or none",
		}),
		notes: z.array(z.string()),
	})
	.openapi("FleetOption") satisfies z.ZodType<FleetOption>;

const checkedOptionSchema = optionSchema
	.extend({
		simulated: z
			.object({
				working: number,
				holds: z.boolean(),
				ttft: quantitySchema.nullable(),
				tpot: quantitySchema.nullable(),
				e2e: quantitySchema.nullable(),
				goodShare: quantitySchema,
				simulations: number,
				seed: number,
			})
			.nullable()
			.openapi({
				description:
					"What the simulator found; null: closed form only. Where it is there, ttft, tpot and e2e of the option are its times",
			}),
	})
	.openapi("CheckedFleetOption") satisfies z.ZodType<CheckedOption>;

export const fleetSchema = z
	.object({
		demand: z.object({
			promptTokens: quantitySchema,
			outputTokens: quantitySchema,
			peakRequestsPerSecond: quantitySchema,
			requestsPerMonth: quantitySchema,
		}),
		candidates: number,
		feasible: number,
		kinds: number.openapi({ description: "Kinds of replica that hold the limits" }),
		listed: number.openapi({ description: "How many of them the list has" }),
		options: z.array(checkedOptionSchema),
		frontier: z.array(
			z.object({
				option: optionSchema,
				usdPerMonth: quantitySchema,
				latency: quantitySchema,
				moreThanNeeded: z.boolean(),
				simulated: z
					.boolean()
					.openapi({ description: "Whether the time is the simulator's; else closed form" }),
			}),
		),
		refused: z.array(
			z.object({
				binding: z.string(),
				candidates: number,
				examples: z.array(z.object({ label: z.string(), reason: z.string() })),
			}),
		),
		basis: evidenceSchema.nullable(),
		warning: unknownText.openapi({
			description: "Said where the first option rests on less than measurements",
		}),
		checked: z.object({ options: number, asked: number, reason: unknownText }),
		assumed: z.array(z.object({ key: z.string(), reason: z.string() })),
	})
	.openapi("Fleet") satisfies z.ZodType<CheckedFleet & { assumed: FleetAssumption[] }>;
