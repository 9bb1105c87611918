import { z } from "@hono/zod-openapi";
import { EVIDENCE, type Quantity, type Source } from "../model/index.ts";

export const evidenceSchema = z
	.enum(EVIDENCE)
	.openapi("Evidence", { description: "How a number is known, from strong to weak" });

export const sourceSchema = z
	.object({
		label: z.string(),
		href: z.string().optional(),
		date: z.string().optional(),
		claim: z.string().optional().openapi({ description: "Id of its entry in the claims ledger" }),
	})
	.openapi("Source") satisfies z.ZodType<Source>;

const UNITS = [
	"bytes",
	"bytes/token",
	"tokens",
	"tokens/s",
	"tokens/month",
	"requests",
	"requests/s",
	"requests/hour",
	"requests/month",
	"sequences",
	"users",
	"GPUs",
	"GPU-hours",
	"replicas",
	"runs",
	"kWh/month",
	"seconds",
	"seconds/token",
	"seconds/token²",
	"USD",
	"USD/hour",
	"USD/month",
	"USD/million tokens",
	"USD/request",
	"ratio",
] as const satisfies readonly Quantity["unit"][];

export const quantitySchema = z
	.object({
		value: z.number().nullable().openapi({ description: "null: not known; arithmetic says why" }),
		unit: z.enum(UNITS),
		low: z.number().optional(),
		high: z.number().optional(),
		evidence: evidenceSchema,
		arithmetic: z.string().openapi({ description: "The formula with its numbers put in" }),
		beyond: z.string().optional().openapi({
			description: "Beyond what was measured: what is asked, what was measured, how far, what to measure",
		}),
		sources: z.array(sourceSchema).optional(),
	})
	.openapi("Quantity", {
		example: {
			value: 327680,
			unit: "bytes/token",
			evidence: "arithmetic",
			arithmetic: "80 layers × (8 × 128 × 2 B + 8 × 128 × 2 B) = 327,680 B/token",
		},
	}) satisfies z.ZodType<Quantity>;
