import { z } from "@hono/zod-openapi";
import type { EffectiveLength, LengthWarning } from "../model/index.ts";
import type { NewEffectiveLength } from "../store/effective-lengths.ts";
import { requirePast, today } from "./catalog-entry.ts";
import { quantitySchema, sourceSchema } from "./quantity-schema.ts";
import { words } from "./text-schema.ts";

const tokens = z.number().int().min(1).max(1e9);
const boundSchema = z.enum(["up to", "at least", "below"]).openapi({
	description:
		"up to: the longest that reached the threshold; at least: the longest that was tested did; below: the shortest that was tested did not",
});
const evidenceSchema = z.enum(["measured", "published", "vendor"]).openapi({
	description: "measured: by you; published: by others, with their method; vendor: by the model's maker",
});

export const effectiveLengthSchema = z
	.object({
		id: z.string(),
		model: z.string().openapi({ description: "As the source names it" }),
		modelId: z.string().nullable().openapi({ description: "Catalog id; null: the catalog does not have it" }),
		task: z.string().openapi({ example: "NoLiMa" }),
		threshold: z.string().openapi({ example: "85 % of its score on short prompts" }),
		claimedTokens: z.number().nullable(),
		effectiveTokens: z.number().nullable().openapi({ description: "null: the source measures no length" }),
		bound: boundSchema,
		failedAtTokens: z.number().nullable().openapi({ description: "Shortest tested length that fell short" }),
		scores: z.array(z.object({ at: z.string(), percent: z.number() })),
		conditions: z.string().nullable(),
		evidence: evidenceSchema,
		source: sourceSchema,
		origin: z.enum(["seed", "user"]),
		enteredBy: z.string().nullable(),
	})
	.openapi("EffectiveLength", {
		description: "How far a window is used well: a fact of a model, a task and a threshold together",
	}) satisfies z.ZodType<EffectiveLength>;

export const lengthWarningSchema = z
	.object({
		entry: effectiveLengthSchema,
		unused: quantitySchema.openapi({ description: "Prompt tokens beyond it: paid for, not used" }),
		words: z.string(),
	})
	.openapi("LengthWarning") satisfies z.ZodType<LengthWarning>;

export const newEffectiveLengthSchema = z
	.strictObject({
		model: words(100).openapi({
			description: "Catalog id, or a name that the catalog knows or may come to know",
		}),
		task: words(100),
		threshold: words(200),
		effectiveTokens: tokens,
		bound: boundSchema.optional(),
		failedAtTokens: tokens.optional(),
		claimedTokens: tokens.optional(),
		conditions: words(500).optional(),
		evidence: evidenceSchema.optional().openapi({ description: "Left out: measured" }),
		source: words(300).openapi({ description: "Where it stands, or who measured it" }),
		href: z
			.url({ protocol: /^https?$/ })
			.max(500)
			.optional()
			.openapi({ description: "Web address of the source" }),
		readOn: z.iso.date().optional().openapi({ description: "Day it was measured or read; left out: today" }),
	})
	.refine(
		({ failedAtTokens, effectiveTokens }) => (failedAtTokens ?? Number.POSITIVE_INFINITY) > effectiveTokens,
		{
			path: ["failedAtTokens"],
			message: "must be longer than effectiveTokens, which still reached the threshold",
		},
	)
	.refine(({ bound = "up to", failedAtTokens }) => bound === "up to" || failedAtTokens === undefined, {
		path: ["failedAtTokens"],
		message: "only with the bound up to: the others say where the test ended",
	})
	.openapi("NewEffectiveLength", {
		example: {
			model: "llama-3.1-8b",
			task: "our contract questions",
			threshold: "90 % right",
			effectiveTokens: 24_000,
			failedAtTokens: 32_000,
			source: "our test set of March, 3 runs",
		},
	});

/** A new entry as the store takes it. @throws Problem 422 for a day to come */
export function lengthOfEntry(
	entry: z.infer<typeof newEffectiveLengthSchema>,
	enteredBy: string | null,
): NewEffectiveLength {
	requirePast("readOn", entry.readOn);
	const { model, task, threshold, effectiveTokens, bound = "up to", evidence = "measured" } = entry;
	const source = {
		label: entry.source,
		...(entry.href && { href: entry.href }),
		date: entry.readOn ?? today(),
	};
	return {
		...{ model, task, threshold, effectiveTokens, bound, evidence, source, enteredBy, scores: [] },
		claimedTokens: entry.claimedTokens ?? null,
		failedAtTokens: entry.failedAtTokens ?? null,
		conditions: entry.conditions ?? null,
	};
}
