import { z } from "@hono/zod-openapi";
import type {
	ConfigurationFits,
	DecodeFit,
	DecodePoint,
	FailurePoint,
	PrefillFit,
	PrefillPoint,
	ServeFit,
	ServePoint,
} from "../model/index.ts";
import { evidenceSchema } from "./quantity-schema.ts";

const number = z.number();
const unknownNumber = z.number().nullable();

const lineage = {
	n: number.int().openapi({ description: "Distinct points the fit used" }),
	loo: unknownNumber.openapi({ description: "rms leave-one-out error on log seconds" }),
	noise: z
		.object({ relative: number, from: z.enum(["repeated runs", "repetitions"]) })
		.nullable()
		.openapi({ description: "Relative spread between identical measurements" }),
	measurementIds: z.array(z.string()),
	notes: z.array(z.string()),
};

const prefillFitSchema = z
	.object({
		phase: z.literal("prefill"),
		...lineage,
		form: z.enum([
			"f + a·max(0, u − k) + b·v",
			"f + a·u + b·v",
			"a·u + b·v",
			"roofline shape, scaled",
			"chunks of one size",
		]),
		coefficients: z.object({ a: number, b: number, f: number, k: number }),
		units: z.object({
			a: z.literal("seconds/token"),
			b: z.literal("seconds/token²"),
			f: z.literal("seconds"),
			k: z.literal("tokens"),
		}),
		evidence: evidenceSchema,
		range: z.object({ from: number, to: number }),
		work: z.object({ from: number, to: number }).optional().openapi({
			description: "Fitted range of the new tokens of one pass, B·n; absent where passes are composed",
		}),
		chunkTokens: unknownNumber,
		residuals: z.array(z.object({ at: number, log: number })),
	})
	.openapi("PrefillFit", {
		description: "t = f + a·max(0, u − k) + b·v with u = B·n, v = B·(n² + 2·n·d)",
	}) satisfies z.ZodType<PrefillFit>;

const decodeFitSchema = z
	.object({
		phase: z.literal("decode"),
		...lineage,
		form: z.string(),
		g: z.enum(["none", "sqrt", "log2", "roofline", "experts"]),
		activeShare: number.optional().openapi({ description: "Share of the weights that one sequence touches" }),
		coefficients: z.object({ c0: number, c1: number, c2: number, c3: number }),
		units: z.object({
			c0: z.literal("seconds"),
			c1: z.literal("seconds"),
			c2: z.literal("seconds/token"),
			c3: z.literal("seconds"),
		}),
		evidence: evidenceSchema,
		range: z.object({
			batch: z.tuple([number, number]),
			context: z.tuple([number, number]),
			read: number.optional().openapi({ description: "Most cached tokens that a measured step read, B·L" }),
		}),
	})
	.openapi("DecodeFit", {
		description: "t(B, L) = c0 + c1·B + c2·B·L + c3·g(B), seconds per step",
	}) satisfies z.ZodType<DecodeFit>;

const percentilesSchema = z.object({ p50: unknownNumber, p99: unknownNumber });

const seriesSchema = z
	.array(
		z.object({ input: number, output: number, residuals: z.array(z.object({ at: number, log: number })) }),
	)
	.optional()
	.openapi({ description: "ln(measured / law) by requests in flight, for each kind of request" });

const serveFitSchema = z
	.object({
		phase: z.literal("serve"),
		...lineage,
		form: z.string(),
		coefficients: z.object({ c0: number, c1: number, c2: number, c3: number, c4: number }),
		evidence: evidenceSchema,
		range: z.object({
			concurrency: z.tuple([number, number]),
			input: z.tuple([number, number]),
			output: z.tuple([number, number]),
		}),
		ttft: z
			.object({
				coefficients: z.array(number),
				form: z.string(),
				n: number.int().optional(),
				loo: unknownNumber,
				series: seriesSchema,
			})
			.nullable(),
		series: seriesSchema,
		percentiles: z
			.object({ ttft: percentilesSchema, tpot: percentilesSchema })
			.optional()
			.openapi({ description: "Percentiles over the mean, where the points carry both" }),
	})
	.openapi("ServeFit", {
		description: "tpot = c0 + c1·B + c2·B·L + c3·P + c4·√B, P = B·input/output",
	}) satisfies z.ZodType<ServeFit>;

export const fitsSchema = z
	.object({
		prefill: prefillFitSchema.nullable(),
		decode: decodeFitSchema.nullable(),
		serve: serveFitSchema.nullable(),
	})
	.openapi("ConfigurationFits") satisfies z.ZodType<ConfigurationFits>;

const pointBase = {
	n: number.int().openapi({ description: "Measurements behind the point" }),
	betweenRuns: unknownNumber,
	withinRun: unknownNumber,
	measurementIds: z.array(z.string()),
};

const prefillPointSchema = z.object({
	phase: z.literal("prefill"),
	...pointBase,
	tokens: number,
	cached: number,
	batch: number,
	seconds: number,
}) satisfies z.ZodType<PrefillPoint>;

const decodePointSchema = z.object({
	phase: z.literal("decode"),
	...pointBase,
	batch: number,
	context: number,
	seconds: number,
}) satisfies z.ZodType<DecodePoint>;

const servePointSchema = z.object({
	phase: z.literal("serve"),
	...pointBase,
	input: number,
	output: number,
	concurrency: unknownNumber,
	rate: unknownNumber,
	ttftSeconds: unknownNumber,
	ttftP50Seconds: unknownNumber,
	ttftP99Seconds: unknownNumber,
	tpotSeconds: unknownNumber,
	tpotP50Seconds: unknownNumber,
	tpotP99Seconds: unknownNumber,
	outputTokensPerSecond: unknownNumber,
}) satisfies z.ZodType<ServePoint>;

export const pointSchema = z
	.discriminatedUnion("phase", [prefillPointSchema, decodePointSchema, servePointSchema])
	.openapi("Point", { description: "Every measurement of one shape, summarised on the log scale" });

export const failureSchema = z
	.object({
		phase: z.enum(["prefill", "decode", "serve"]),
		tokens: unknownNumber,
		batch: unknownNumber,
		reason: z.string(),
		measurementId: z.string(),
	})
	.openapi("Failure", { description: "Where a configuration stopped" }) satisfies z.ZodType<FailurePoint>;
