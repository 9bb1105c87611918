import { z } from "@hono/zod-openapi";
import {
	BLOCK_BYTES_PER_32,
	type Capacity,
	type KvType,
	kvTypeOf,
	type MemoryAnswer,
	type Plan,
	type Scenario,
} from "../model/index.ts";
import { lengthWarningSchema } from "./length-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { words } from "./text-schema.ts";

const number = z.number();
const unknownNumber = z.number().nullable();
const unknownText = z.string().nullable();
const kvTypes = Object.keys(BLOCK_BYTES_PER_32) as [KvType, ...KvType[]];

export const kvTypeSchema = z.enum(kvTypes).openapi("KvType");

/** A cache type in a query string, under any of the names that tools use. */
export const kvTypeText = words(40).transform((name, context) => {
	const type = kvTypes.find((known) => known === kvTypeOf(name));
	if (!type) context.addIssue(`'${name}' is no cache type; known: ${kvTypes.join(", ")}`);
	return type ?? z.NEVER;
});

export const scenarioSchema = z
	.object({
		configuration: unknownText,
		model: unknownText,
		gpu: unknownText,
		engine: unknownText,
		gpus: unknownNumber,
		tp: unknownNumber,
		weights: unknownText,
		kvK: kvTypeSchema.nullable(),
		kvV: kvTypeSchema.nullable(),
		kvHeads: unknownNumber,
		context: number,
		output: number,
		concurrency: unknownNumber,
		rate: unknownNumber,
		cached: number,
		utilisation: unknownNumber,
		maxSequences: unknownNumber,
		price: unknownNumber,
		busy: number,
		ttftSlo: unknownNumber,
		tpotSlo: unknownNumber,
		weightsBytes: unknownNumber,
		totalBytes: unknownNumber,
		overheadBytes: unknownNumber,
	})
	.openapi("Scenario") satisfies z.ZodType<Scenario>;

export const memorySchema = z
	.object({
		kvBytesPerToken: quantitySchema,
		kvBytesPerSequence: quantitySchema,
		poolBytes: quantitySchema,
		weightsBytes: quantitySchema,
		overheadBytes: quantitySchema,
		totalBytes: quantitySchema,
		reservedBytes: quantitySchema,
		kvUsedBytes: quantitySchema,
		freeBytes: quantitySchema,
		maxSequences: quantitySchema,
		maxContext: quantitySchema,
	})
	.openapi("Memory", { description: "The memory stack; bytes per GPU" }) satisfies z.ZodType<MemoryAnswer>;

export const bindingSchema = z.enum(["memory", "ttft", "tpot", "throughput"]).nullable();

export const capacitySchema = z
	.object({
		users: quantitySchema.openapi({
			description: "Requests in flight within every limit; low and high at the bounds of the times",
		}),
		tpot: quantitySchema.openapi({ description: "Time per output token with so many" }),
		binding: bindingSchema.openapi({ description: "What one user more would cross" }),
		oneMore: z
			.object({ kind: z.enum(["wait", "ttft", "tpot"]), time: quantitySchema })
			.nullable()
			.openapi({
				description:
					"What one user more meets: a wait for a place, or a time over its limit; null: nothing that a law can say",
			}),
		reasons: z.array(z.string()),
	})
	.openapi("Capacity") satisfies z.ZodType<Capacity>;

export const planSchema = z
	.object({
		scenario: scenarioSchema.openapi({ description: "The scenario with every default filled in" }),
		assumed: z.array(z.object({ key: scenarioSchema.keyof(), reason: z.string() })),
		memory: memorySchema,
		ttft: quantitySchema,
		tpot: quantitySchema,
		e2e: quantitySchema,
		load: z.object({
			outputTokensPerSecond: quantitySchema,
			requestsPerSecond: quantitySchema,
			utilisation: quantitySchema,
			saturationConcurrency: quantitySchema,
		}),
		cost: z.object({
			usdPerMillionInputTokens: quantitySchema,
			usdPerMillionOutputTokens: quantitySchema,
			usdPerRequest: quantitySchema,
			usdPerMonth: quantitySchema,
		}),
		verdict: z.object({
			feasible: z.boolean(),
			decided: z.boolean().openapi({ description: "Whether enough is known to say so" }),
			sure: z.boolean().openapi({ description: "Whether the 95 % intervals say the same as their middles" }),
			binding: bindingSchema,
			reasons: z.array(z.string()),
		}),
	})
	.openapi("Plan") satisfies z.ZodType<Plan>;

/** A plan, how many users its configuration carries at these lengths, and where the prompt is longer than its model can use. */
export const planAnswerSchema = planSchema
	.extend({
		capacity: capacitySchema,
		warnings: z.array(lengthWarningSchema).openapi({
			description:
				"Tests whose effective length the prompt passes; empty where nothing is known of the model",
		}),
	})
	.openapi("PlanAnswer");

const asked = (description: string, example?: string) =>
	words()
		.optional()
		.openapi(example === undefined ? { description } : { description, example });

/** The keys of a scenario as a query string, described; `scenario.ts` reads them. */
export const scenarioQuery = z
	.object({
		configuration: asked("Id of a measured configuration; left out: a worked default"),
		model: asked("Catalog id of a model, where nothing is measured", "llama-3.1-70b"),
		gpu: asked("Catalog id of a GPU, where nothing is measured", "h100-sxm-80gb"),
		engine: asked("Engine, where nothing is measured", "vllm"),
		gpus: asked("GPUs", "8"),
		tp: asked("Tensor-parallel ranks", "8"),
		weights: asked("Weight format", "fp8"),
		kv: asked("Cache type of K and V", "fp8"),
		kvK: asked("Cache type of K"),
		kvV: asked("Cache type of V"),
		kvHeads: asked("KV heads, to ask what another attention would cost"),
		context: asked("Prompt tokens; 128K means 128,000", "16000"),
		output: asked("Output tokens", "500"),
		concurrency: asked("Requests in flight; not together with rate", "8"),
		rate: asked("Requests per second; not together with concurrency"),
		cached: asked("Share of the prompt that a prefix cache holds, 0…1"),
		utilisation: asked("Share of the card that the engine may use, 0…1"),
		maxSequences: asked("Sequences that one engine runs at most, as it is started"),
		price: asked("USD per GPU-hour", "2.5"),
		busy: asked("Share of the paid hours in which this load runs, 0…1"),
		ttftSlo: asked("Longest time to first token, seconds", "3"),
		tpotSlo: asked("Longest time per output token, seconds", "0.05"),
		weightsBytes: asked("Bytes of weights per GPU; wins over the derived figure"),
		totalBytes: asked(
			"Memory of one card, bytes; wins over that of the GPU, and stands for one that is not known",
		),
		overheadBytes: asked("Bytes per GPU for everything else; wins over the derived figure"),
	})
	.openapi("ScenarioQuery");
