import { z } from "@hono/zod-openapi";
import type { ConfigurationFacts, GpuFacts, ModelFacts, PinnedMemory, PlanFacts } from "../model/index.ts";
import { failureSchema, fitsSchema } from "./fit-schema.ts";
import { effectiveLengthSchema } from "./length-schema.ts";
import { kvTypeSchema } from "./plan-schema.ts";
import { gpuPriceSchema } from "./price-schema.ts";
import { sourceSchema } from "./quantity-schema.ts";

const number = z.number();
const unknownNumber = z.number().nullable();
const unknownText = z.string().nullable();

export const configurationFactsSchema = z
	.object({
		id: z.string(),
		label: z.string(),
		gpuName: unknownText,
		gpuId: unknownText.openapi({ description: "Catalog id; null: the catalog does not know the name" }),
		gpus: unknownNumber,
		engine: unknownText,
		engineVersion: unknownText,
		modelName: unknownText,
		modelId: unknownText,
		weights: unknownText,
		weightsBytesTotal: unknownNumber,
		kvK: unknownText,
		kvV: unknownText,
		tp: unknownNumber,
		pp: unknownNumber.optional().openapi({ description: "Pipeline stages" }),
		flags: z.record(z.string(), z.unknown()),
		origin: z.enum(["own", "example", "published"]),
		attribution: unknownText,
	})
	.openapi("ConfigurationFacts") satisfies z.ZodType<ConfigurationFacts>;

export const modelFactsSchema = z
	.object({
		id: z.string(),
		name: z.string(),
		family: z.string(),
		layers: number,
		fullLayers: number,
		slidingLayers: number,
		windowTokens: unknownNumber,
		recurrentLayers: number,
		recurrentStateBytesPerLayer: unknownNumber,
		heads: number,
		kvHeads: number,
		headDimK: number,
		headDimV: number,
		slidingKvHeads: unknownNumber,
		slidingHeadDim: unknownNumber,
		mla: z.object({ kvLoraRank: number, qkRopeHeadDim: number }).nullable(),
		hidden: unknownNumber,
		maxContextTokens: unknownNumber,
		paramsTotal: unknownNumber,
		paramsActive: unknownNumber,
		unverified: z.array(z.string()),
		caveats: z.array(z.string()),
		sources: z.array(sourceSchema),
	})
	.openapi("Model") satisfies z.ZodType<ModelFacts>;

export const gpuFactsSchema = z
	.object({
		id: z.string(),
		name: z.string(),
		vendor: z.string(),
		totalBytes: number,
		totalBytesBasis: z.enum(["engine", "driver", "nominal"]),
		bandwidthBytesPerSecond: unknownNumber,
		bf16DenseFlops: unknownNumber,
		fp8DenseFlops: unknownNumber,
		tdpWatts: unknownNumber,
		unverified: z.array(z.string()),
		sources: z.array(sourceSchema),
	})
	.openapi("Gpu") satisfies z.ZodType<GpuFacts>;

export const pinnedSchema = z
	.object({
		weightsBytes: unknownNumber,
		kvPoolBytes: unknownNumber,
		kvTokens: unknownNumber,
		activationBytes: unknownNumber,
		graphBytes: unknownNumber,
		otherBytes: unknownNumber,
		maxModelLen: unknownNumber,
		windowsHonoured: z.boolean().nullable(),
		sources: z.array(sourceSchema),
		utilisation: z.number().nullish().openapi({ description: "Share of the card that the engine was given" }),
		kvK: kvTypeSchema.nullish(),
		kvV: kvTypeSchema.nullish(),
		unknown: z
			.array(z.string())
			.optional()
			.openapi({ description: "Conditions that one side does not say, so that they could not be compared" }),
		remarks: z.array(z.string()).optional().openapi({
			description: "What qualifies the figures: lines that contradict each other, starts that differ",
		}),
	})
	.openapi("PinnedMemory", {
		description:
			"Figures that the engine itself printed, bytes per GPU, of starts that nothing known tells apart",
	}) satisfies z.ZodType<PinnedMemory>;

export const planFactsSchema = z
	.object({
		configuration: configurationFactsSchema.nullable(),
		model: modelFactsSchema.nullable(),
		gpu: gpuFactsSchema.nullable(),
		fits: fitsSchema,
		failures: z.array(failureSchema),
		pinned: pinnedSchema.nullable(),
		prices: z.array(gpuPriceSchema),
		runs: z
			.array(z.object({ phase: z.enum(["prefill", "decode", "serve"]), id: z.string(), label: z.string() }))
			.optional()
			.openapi({ description: "The newest runs behind the fit of each phase" }),
		effectiveLengths: z
			.array(effectiveLengthSchema)
			.optional()
			.openapi({ description: "How far the model uses its window, by task" }),
	})
	.openapi("PlanFacts", { description: "All that a plan reads" }) satisfies z.ZodType<PlanFacts>;
