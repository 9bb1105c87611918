import { z } from "@hono/zod-openapi";
import { CLAIM_KINDS, CLAIM_SUBJECTS, CLAIM_TOPICS, type LedgerEntry } from "../model/index.ts";
import type { NewClaim } from "../store/claims.ts";
import { requirePast, today } from "./catalog-entry.ts";
import { sourceSchema } from "./quantity-schema.ts";
import { words } from "./text-schema.ts";

export const claimKindSchema = z.enum(CLAIM_KINDS).openapi("ClaimKind", {
	description:
		"measurement: with its method; vendor: a maker's or seller's word about its own; arithmetic: worked out from stated figures; folklore: without a source",
});
export const claimSubjectSchema = z.enum(CLAIM_SUBJECTS).openapi("ClaimSubject", {
	description:
		"claim: a figure that circulates; length: an effective length; preset, scheme, price, gpu, model: facts that answers rest on",
});
const topicSchema = z.enum(CLAIM_TOPICS);
const text = z.string();

export const ledgerEntrySchema = z
	.object({
		id: text,
		statement: text,
		kind: claimKindSchema,
		subject: claimSubjectSchema,
		topic: topicSchema,
		conditions: text.nullable().openapi({ description: "Method of a measurement, sum of an arithmetic" }),
		source: sourceSchema.nullable(),
		against: z
			.array(z.object({ statement: text, kind: claimKindSchema, source: sourceSchema.nullable() }))
			.openapi({ description: "Not empty: an open dispute" }),
		settledBy: text.nullable().openapi({ description: "What would settle it" }),
		href: text.nullable().openapi({ description: "Page of the thing itself" }),
		origin: z.enum(["seed", "user"]),
		enteredBy: text.nullable(),
	})
	.openapi("LedgerEntry") satisfies z.ZodType<LedgerEntry>;

export const newClaimSchema = z
	.strictObject({
		statement: words(500),
		kind: claimKindSchema,
		topic: topicSchema.optional().openapi({ description: "Left out: other" }),
		conditions: words(1000).optional(),
		source: words(300).optional(),
		href: z
			.url({ protocol: /^https?$/ })
			.max(500)
			.optional()
			.openapi({ description: "Web address of the source" }),
		readOn: z.iso.date().optional().openapi({ description: "Day of the source; left out: today" }),
		settledBy: words(500).optional(),
	})
	.refine(({ kind, source }) => kind === "folklore" || source !== undefined, {
		path: ["source"],
		message: "say where it stands; without a source it is folklore",
	})
	.refine(({ kind, source, href }) => kind !== "folklore" || (source ?? href) === undefined, {
		path: ["kind"],
		message: "folklore has no source: with one it is a measurement, a vendor's claim or an arithmetic",
	})
	.refine(({ kind, conditions }) => kind !== "measurement" || conditions !== undefined, {
		path: ["conditions"],
		message: "say the method: on what it was measured, how, and how often",
	})
	.refine(({ kind, conditions }) => kind !== "arithmetic" || conditions !== undefined, {
		path: ["conditions"],
		message: "write the sum, with its numbers put in",
	})
	.openapi("NewClaim", {
		example: {
			statement: "Our agent fills 31,000 tokens before the first turn.",
			kind: "measurement",
			topic: "window",
			conditions: "Token count of the first request, version 4.2, three sessions, no difference.",
			source: "our proxy's log",
			readOn: "2026-11-20",
			settledBy: "The same count after the next release.",
		},
	});

/** A new claim as the store takes it. @throws Problem 422 for a day to come */
export function claimOfEntry(entry: z.infer<typeof newClaimSchema>): NewClaim {
	requirePast("readOn", entry.readOn);
	const { statement, kind, topic = "other", source, href, readOn = today() } = entry;
	return {
		...{ statement, kind, topic, against: [] },
		conditions: entry.conditions ?? null,
		source: source === undefined ? null : { label: source, ...(href && { href }), date: readOn },
		settledBy: entry.settledBy ?? null,
	};
}
