import { z } from "@hono/zod-openapi";
import {
	type AmountRange,
	type Currency,
	exactly,
	GPU_PRICE_KINDS,
	type GpuPrice,
	type PriceTerms,
	US_DOLLAR,
} from "../model/index.ts";
import type { NewPrice, PriceDetail, PriceItem } from "../store/prices.ts";
import { requirePast, today } from "./catalog-entry.ts";
import { words } from "./text-schema.ts";

const number = z.number();
export const priceKindSchema = z.enum([...GPU_PRICE_KINDS, "hosted"]).openapi("PriceKind");
const rangeSchema = z.object({ low: number, high: number }).openapi("AmountRange", {
	description: "In the entry's currency; low = high where the source gives one figure",
}) satisfies z.ZodType<AmountRange>;

/** The terms as they are answered; `amount` is how an amount is written. */
const termsOf = <A extends z.ZodType<AmountRange>>(amount: A) => {
	const share = z.number().min(0).max(1);
	const months = z.number().min(1).max(600);
	const cache = z.discriminatedUnion("scheme", [
		z.strictObject({ scheme: z.literal("none") }),
		z.strictObject({
			scheme: z.literal("paid write"),
			write: z
				.number()
				.min(0)
				.max(100)
				.openapi({ description: "Multiple of the input price", example: 1.25 }),
			read: z.number().min(0).max(100).openapi({ example: 0.1 }),
		}),
		z.strictObject({ scheme: z.literal("free write"), read: z.number().min(0).max(100) }),
		z.strictObject({
			scheme: z.literal("paid storage"),
			read: z.number().min(0).max(100),
			storagePerMillionTokenHour: amount,
		}),
	]);
	return z.discriminatedUnion("kind", [
		z.strictObject({ kind: z.literal("on-demand"), perGpuHour: amount }),
		z.strictObject({ kind: z.literal("agreed"), perGpuHour: amount }),
		z.strictObject({
			kind: z.literal("reserved"),
			perGpuHour: amount,
			upfrontPerGpu: amount,
			termMonths: months.openapi({ description: "Every hour of the term is paid, used or not" }),
		}),
		z.strictObject({
			kind: z.literal("spot"),
			perGpuHour: amount,
			lostShare: z.number().min(0).max(0.99).openapi({
				description: "Share of the paid hours whose work is lost to interruptions",
			}),
		}),
		z.strictObject({
			kind: z.literal("owned"),
			capexPerGpu: amount,
			lifetimeMonths: months,
			residualShare: share,
			watts: z.number().min(0).max(1e5),
			pue: z.number().min(1).max(10),
			perKwh: amount,
			staffPerGpuMonth: amount,
			hostingPerGpuMonth: amount,
		}),
		z.strictObject({
			kind: z.literal("hosted"),
			inputPerMillion: amount,
			outputPerMillion: amount,
			cache,
			minimumPrefixTokens: z.number().int().positive().max(1e9).nullable(),
			lifetimeSeconds: z.number().min(1).max(1e9).nullable(),
		}),
	]);
};

const termsSchema = termsOf(rangeSchema).openapi("PriceTerms") satisfies z.ZodType<PriceTerms>;

export const currencySchema = z
	.object({
		code: z.string(),
		usdPerUnit: number,
		rateSource: z.string().nullable(),
		rateReadOn: z.string().nullable(),
	})
	.openapi("Currency") satisfies z.ZodType<Currency>;

/** USD per GPU-hour as a plan's facts hold it. */
export const gpuPriceSchema = z
	.object({
		id: z.string(),
		gpuId: z.string(),
		kind: z.enum(GPU_PRICE_KINDS),
		usdPerGpuHourLow: number,
		usdPerGpuHourHigh: number,
		source: z.string(),
		readOn: z.string(),
		currency: currencySchema.optional().openapi({ description: "Of its source; left out: US dollars" }),
	})
	.openapi("GpuPrice") satisfies z.ZodType<GpuPrice>;

export const priceItemSchema = z
	.object({
		id: z.string().openapi({ description: "Of this version: it never changes" }),
		series: z.string(),
		version: z.number().int(),
		subject: z.string().openapi({ description: "Catalog id of a GPU, or the name of a hosted model" }),
		seller: z.string().nullable(),
		terms: termsSchema,
		currency: currencySchema,
		source: z.string(),
		readOn: z.string(),
		origin: z.enum(["seed", "user"]),
		usdPerGpuHour: rangeSchema.nullable().openapi({ description: "By the terms; null for a hosted API" }),
		supersedes: z.string().nullable(),
		supersededBy: z.string().nullable(),
		age: z
			.object({ days: number, old: z.boolean(), freshDays: number })
			.openapi({ description: "old: the source should be read again" }),
		enteredBy: z.string().nullable(),
		createdAt: z.string(),
	})
	.openapi("Price") satisfies z.ZodType<PriceItem>;

export const priceDetailSchema = priceItemSchema
	.extend({ versions: z.array(priceItemSchema).openapi({ description: "All of the entry, newest first" }) })
	.openapi("PriceWithHistory") satisfies z.ZodType<PriceDetail>;

/** Least of an amount that is not 0: quotients of smaller ones leave what a number holds. */
const LEAST = 1e-9;
const usd = z
	.number()
	.min(0)
	.max(1e9)
	.refine((amount) => amount === 0 || amount >= LEAST, `must be 0, or at least ${LEAST}`);
/** An amount as it may be entered: one figure, or a range. */
const enteredAmount = z
	.union([usd, z.strictObject({ low: usd, high: usd })])
	.transform((amount): AmountRange => (typeof amount === "number" ? exactly(amount) : amount))
	.refine(({ low, high }) => high >= low, { path: ["high"], message: "below low" });

export const newPriceSchema = z
	.strictObject({
		subject: words(100)
			.optional()
			.openapi({ description: "Catalog id of a GPU, or the name of a hosted model" }),
		terms: termsOf(enteredAmount).optional(),
		gpuId: words(100).optional().openapi({ description: "Short for an agreed price: the GPU" }),
		usdPerGpuHourLow: usd.optional().openapi({ description: "Short for an agreed price: USD per GPU-hour" }),
		usdPerGpuHourHigh: usd.optional().openapi({ description: "Left out: one figure, not a range" }),
		seller: words(200).optional(),
		currency: z
			.strictObject({
				code: z.string().regex(/^[A-Z]{3}$/, "three capital letters of ISO 4217"),
				usdPerUnit: z.number().min(1e-6).max(1e6),
				rateSource: words(300).optional(),
				rateReadOn: z.iso.date().optional(),
			})
			.optional()
			.openapi({ description: "Left out: US dollars" }),
		source: words(300),
		readOn: z.iso.date().optional().openapi({ description: "Day the source was read; left out: today" }),
		supersedes: z.uuid().optional().openapi({ description: "Version that this one takes the place of" }),
	})
	.refine(({ subject, gpuId }) => (subject === undefined) !== (gpuId === undefined), {
		path: ["subject"],
		message: "give either subject with terms, or gpuId with usdPerGpuHourLow",
	})
	.refine(({ terms, usdPerGpuHourLow }) => (terms === undefined) !== (usdPerGpuHourLow === undefined), {
		path: ["terms"],
		message: "give either subject with terms, or gpuId with usdPerGpuHourLow",
	})
	.refine((price) => (price.usdPerGpuHourHigh ?? Number.POSITIVE_INFINITY) >= (price.usdPerGpuHourLow ?? 0), {
		path: ["usdPerGpuHourHigh"],
		message: "below usdPerGpuHourLow",
	})
	.refine(({ currency }) => currency?.code !== "USD" || currency.usdPerUnit === 1, {
		path: ["currency", "usdPerUnit"],
		message: "a US dollar is 1 US dollar",
	})
	.openapi("NewPrice", {
		example: {
			subject: "h100-sxm-80gb",
			terms: { kind: "reserved", perGpuHour: 1.9, upfrontPerGpu: 0, termMonths: 12 },
			source: "our contract",
			readOn: "2026-10-01",
		},
	});

/** A new price as the store takes it. @throws Problem 422 where it was read on a day to come */
export function priceOfEntry(entry: z.infer<typeof newPriceSchema>, enteredBy: string | null): NewPrice {
	const low = entry.usdPerGpuHourLow ?? 0;
	const short = { kind: "agreed", perGpuHour: { low, high: entry.usdPerGpuHourHigh ?? low } } as const;
	const { currency } = entry;
	requirePast("readOn", entry.readOn);
	requirePast("currency.rateReadOn", currency?.rateReadOn);
	return {
		subject: entry.subject ?? entry.gpuId ?? "",
		terms: entry.terms ?? short,
		seller: entry.seller ?? null,
		currency: currency
			? { ...currency, rateSource: currency.rateSource ?? null, rateReadOn: currency.rateReadOn ?? null }
			: US_DOLLAR,
		source: entry.source,
		readOn: entry.readOn ?? today(),
		enteredBy,
		supersedes: entry.supersedes ?? null,
	};
}
