import { z } from "@hono/zod-openapi";
import {
	type Currency,
	type CurrencyFigure,
	MOST_SUBJECTS,
	type Report,
	type ReportAssumption,
	type ReportLoad,
	US_DOLLAR,
} from "../model/index.ts";
import { invalidInput } from "../problem.ts";
import { TABLE_KEYS } from "../report/tables.ts";
import { requirePast } from "./catalog-entry.ts";
import { amountText } from "./number-schema.ts";
import { capacitySchema, planSchema, scenarioQuery, scenarioSchema } from "./plan-schema.ts";
import { currencySchema } from "./price-schema.ts";
import { evidenceSchema, quantitySchema } from "./quantity-schema.ts";
import { idText, words } from "./text-schema.ts";

const text = z.string();
const unknownText = text.nullable();
const number = z.number();

const boundedSchema = z.object({ middle: number, low: number, high: number });

const currencyFigureSchema = z
	.object({
		value: number.nullable(),
		low: number.optional(),
		high: number.optional(),
		unit: text.openapi({ example: "EUR/month" }),
		evidence: evidenceSchema,
		arithmetic: text,
	})
	.openapi("CurrencyFigure") satisfies z.ZodType<CurrencyFigure>;

const loadSchema = z
	.object({
		asked: z.boolean(),
		concurrency: number.nullable(),
		rate: number.nullable(),
		ttft: quantitySchema.openapi({ description: "Mean" }),
		ttftP50: quantitySchema,
		ttftP95: quantitySchema,
		percentilesBy: text.openapi({ description: "Where the percentiles come from, or why there are none" }),
		tpot: quantitySchema,
		e2e: quantitySchema,
		requestsPerSecond: quantitySchema,
		outputTokensPerSecond: quantitySchema,
		cost: planSchema.shape.cost,
		inCurrency: z
			.object({
				perMonth: currencyFigureSchema,
				perRequest: currencyFigureSchema,
				perMillionInputTokens: currencyFigureSchema,
				perMillionOutputTokens: currencyFigureSchema,
			})
			.nullable()
			.openapi({ description: "The cost in the currency of the report; null where that is US dollars" }),
		idleShare: quantitySchema,
		within: z
			.boolean()
			.nullable()
			.openapi({ description: "Within every limit; null: one could not be checked" }),
		reasons: z.array(text),
		evidence: evidenceSchema,
		outsideBy: number.openapi({ description: "Factor beyond what was measured; 1 inside" }),
		frontier: z.object({ ttft: z.boolean(), tpot: z.boolean() }),
		basis: z
			.object({
				requestsPerSecond: boundedSchema,
				promptShare: number,
				mostRequestsPerSecond: number,
			})
			.nullable()
			.openapi({ description: "What the formulas of money read" }),
	})
	.openapi("ReportLoad") satisfies z.ZodType<ReportLoad>;

const assumptionSchema = z
	.object({
		key: text,
		label: text,
		value: z.union([number, text]).nullable(),
		unit: quantitySchema.shape.unit.nullable(),
		low: number.optional(),
		high: number.optional(),
		evidence: evidenceSchema,
		basis: text,
		source: unknownText,
		href: unknownText,
		date: unknownText,
	})
	.openapi("ReportAssumption") satisfies z.ZodType<ReportAssumption>;

const fitSchema = z.object({
	phase: z.enum(["prefill", "decode", "serve"]),
	id: text,
	revision: number,
	fittedAt: text,
	runs: z.array(z.object({ id: text, label: text, format: text, postedAt: text, origin: text })),
});

export const reportSchema = z
	.object({
		title: text,
		madeOn: text,
		address: text.openapi({ description: "Makes the report anew" }),
		currency: currencySchema.openapi({ description: "In which money is told" }),
		cautions: z.array(text).openapi({ description: "On what weak ground the answers stand" }),
		subjects: z.array(
			z.object({
				name: text,
				label: text,
				headline: text,
				permalink: text,
				scenario: scenarioSchema,
				cautions: z.array(text),
				assumptions: z.array(assumptionSchema),
				capacity: capacitySchema,
				loads: z.array(loadSchema),
				ownership: z.array(
					z.object({
						months: number,
						usd: quantitySchema,
						inCurrency: currencyFigureSchema.nullable(),
						requests: quantitySchema,
					}),
				),
				method: text,
				engine: unknownText,
				engineVersion: unknownText,
				fits: z.array(fitSchema).readonly(),
			}),
		),
		method: z.array(text),
	})
	.openapi("Report") satisfies z.ZodType<Report>;

/** A question as a query string. */
const planText = z.string().min(1).max(2000);

const several = (what: string, description: string, one = idText) =>
	z
		.union([one.transform((id) => [id]), z.array(one)])
		.refine((ids) => ids.length <= MOST_SUBJECTS, { message: `give ${MOST_SUBJECTS} at most` })
		.refine((ids) => new Set(ids).size === ids.length, { message: `each ${what} once` })
		.optional()
		.openapi({ type: "array", items: { type: "string" }, description });

/** The keys of a scenario, with more than one configuration where they are compared; or whole questions and kept scenarios. */
export const reportQuery = scenarioQuery
	.extend({
		configuration: several(
			"configuration",
			`Ids of one to ${MOST_SUBJECTS} measured configurations under the same load; left out: a worked default`,
		),
		scenario: several(
			"scenario",
			`Ids of one to ${MOST_SUBJECTS} kept scenarios, each as it was kept; in place of all other keys`,
		),
		plan: several(
			"plan",
			`One to ${MOST_SUBJECTS} questions, each the query string of /plan, beside kept scenarios too; in place of all other keys`,
			planText,
		),
	})
	.extend({
		currency: z
			.string()
			.regex(/^[A-Z]{3}$/, "three capital letters of ISO 4217")
			.optional()
			.openapi({ description: "In which money is told; left out: US dollars", example: "EUR" }),
		usdPerUnit: amountText(1e6, { description: "US dollars for one unit of it", example: 1.1 }, 1e-6),
		rateSource: words(300).optional().openapi({ description: "Where the rate stands" }),
		rateReadOn: z.iso.date().optional().openapi({ description: "Day on which it was read" }),
	})
	.openapi("ReportQuery");

/** Keys of the query that say how money is told, and not what is asked. */
export const CURRENCY_KEYS = ["currency", "usdPerUnit", "rateSource", "rateReadOn"] as const;

/** The currency of a query. @throws Problem 400 for a currency without its rate, a rate without its currency or of a day to come */
export function currencyOf(asked: z.output<typeof reportQuery>): Currency {
	const { currency: code, usdPerUnit, rateSource = null, rateReadOn = null } = asked;
	const rated = usdPerUnit ?? rateSource ?? rateReadOn;
	if (code === undefined && rated !== null)
		throw invalidInput([{ at: "currency", reason: "say of which currency the rate is: EUR" }]);
	if (code === undefined || code === US_DOLLAR.code) {
		if (usdPerUnit !== undefined && usdPerUnit !== 1)
			throw invalidInput([{ at: "usdPerUnit", reason: "a US dollar is 1 US dollar" }]);
		return US_DOLLAR;
	}
	if (usdPerUnit === undefined)
		throw invalidInput([
			{ at: "usdPerUnit", reason: `say how many US dollars one ${code} is: no rate is looked up` },
		]);
	requirePast("rateReadOn", rateReadOn ?? undefined);
	return { code, usdPerUnit, rateSource, rateReadOn };
}

/** How a CSV is written; `locale` sets what the others leave out. */
export const csvQuery = z.object({
	table: z
		.enum(TABLE_KEYS)
		.optional()
		.openapi({ description: "This table alone, its headings in the first line; left out: all of them" }),
	locale: z
		.enum(["en", "de", "ru"])
		.optional()
		.openapi({ description: "de, ru: semicolons, decimal commas and a byte order mark" }),
	separator: z.enum([",", ";", "tab"]).optional(),
	decimal: z.enum([".", ","]).optional(),
	bom: z
		.enum(["0", "1"])
		.optional()
		.openapi({ description: "1: begins with the mark that makes spreadsheets read UTF-8" }),
});
