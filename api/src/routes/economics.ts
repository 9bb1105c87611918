import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import {
	type Economics,
	fleetEconomics,
	type HostedTerms,
	type OwnedTerms,
	type PriceEntry,
} from "../model/index.ts";
import { invalidInput, notFound } from "../problem.ts";
import { readPrice, readPriceBook } from "../store/prices.ts";
import type { Queryable } from "../store/sql.ts";
import { searchOf } from "./fleet.ts";
import { fleetQuery } from "./fleet-query.ts";
import { optionSchema } from "./fleet-schema.ts";
import { wholeText } from "./number-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { router } from "./router.ts";
import { idText, words } from "./text-schema.ts";

const number = z.number();
const unknownNumber = z.number().nullable();

const economicsQuery = fleetQuery.extend({
	option: words(300).optional().openapi({ description: "Id of an option of /fleet; left out: the first" }),
	own: idText
		.optional()
		.openapi({ description: "Price of owned hardware; left out: the current one of this GPU" }),
	hosted: idText.optional().openapi({
		description:
			"Price list of a hosted API to compare with, or none; left out: the one entered here that was read last, else one of the same model",
	}),
	prefixes: wholeText(1, 1e9, { description: "Different prefixes kept at the same time, 1 where left out" }),
	months: wholeText(1, 120, { description: "Months looked ahead, 36 where left out" }),
});

const crossoverSchema = z
	.object({ first: quantitySchema, always: quantitySchema })
	.nullable()
	.openapi({ description: "Requests per month; null where one side has no price" });
const monthsSchema = z.array(
	z.object({
		month: number,
		requests: number,
		replicas: number,
		rent: unknownNumber,
		own: unknownNumber,
		ownNet: unknownNumber,
		api: unknownNumber,
	}),
);

const economicsSchema = z
	.object({
		option: optionSchema,
		economics: z.object({
			hostedUsdPerRequest: quantitySchema,
			rentAgainstApi: crossoverSchema,
			ownAgainstApi: crossoverSchema,
			outlay: z.object({ low: monthsSchema, middle: monthsSchema, high: monthsSchema }).openapi({
				description: "USD paid by the end of each month; ownNet less what the hardware is still worth",
			}),
			ownPaidBackAgainstRentFrom: unknownNumber.openapi({
				description: "Month from which all that was paid for owning is no more",
			}),
			ownPaidBackAgainstApiFrom: unknownNumber,
			ownCheaperThanRentFrom: unknownNumber.openapi({
				description: "The same less what the hardware is still worth: its value in the books, not cash",
			}),
			ownCheaperThanApiFrom: unknownNumber,
			rentCheaperThanApiFrom: unknownNumber,
			prefixCache: z
				.object({ secondsPerRequest: quantitySchema, gpus: quantitySchema, usdPerMonth: quantitySchema })
				.nullable(),
			sensitivity: z
				.object({
					base: unknownNumber,
					bars: z.array(
						z.object({
							key: z.string(),
							label: z.string(),
							low: number,
							high: number,
							atLow: unknownNumber,
							atHigh: unknownNumber,
							swing: unknownNumber,
						}),
					),
				})
				.openapi({ description: "USD per month with one assumption at its ends, the widest first" }),
		}) satisfies z.ZodType<Economics>,
		priceIds: z.object({
			rent: z.string().nullable(),
			own: z.string().nullable(),
			hosted: z.string().nullable(),
		}),
		assumed: z.array(z.object({ key: z.string(), reason: z.string() })),
	})
	.openapi("FleetEconomics");

const route = createRoute({
	method: "get",
	path: "/fleet/economics",
	tags: ["Answers"],
	summary: "Rent, buy or pay per request: crossover volumes, months ahead, prefix cache, sensitivity",
	description:
		"The query of /fleet, and what its option is compared with. Prices are named by their versions.",
	request: { query: economicsQuery },
	responses: {
		200: answers(economicsSchema, "The money of a fleet beside its alternatives"),
		...problems(400, 404),
	},
});

/** The money of a fleet beside its alternatives. */
export function economicsRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(route, async (c) => {
		const query = c.req.valid("query");
		const { ask, assumed, found } = await searchOf(sql, query);
		const { options } = found.answer;
		const at = query.option === undefined ? 0 : options.findIndex(({ id }) => id === query.option);
		const [option, sized] = [options[at], found.sized[at]];
		if (!option || !sized)
			throw notFound("Option", query.option ?? "", "GET /fleet with the same query lists them.");
		const own = await ownPrice(sql, query.own, option.gpu.id);
		const modelId = sized.candidate.kind.facts.model?.id ?? null;
		const hosted = await hostedPrice(sql, query.hosted, modelId);
		const chosen = [
			{
				key: "check",
				reason:
					"replicas in closed form; Fleet simulates its first ones and may come out with another number",
			},
			...(own && query.own === undefined
				? [{ key: "own", reason: `owned GPUs at the price read last: ${namedPrice(own)}` }]
				: []),
			...(hosted && query.hosted === undefined
				? [
						{
							key: "hosted",
							reason: `compared with ${hosted.origin === "user" ? "the hosted price list entered here and read last" : "a hosted price list of the same model"}: ${hosted.subject}, ${namedPrice(hosted)}`,
						},
					]
				: []),
			...(hosted || query.hosted !== undefined
				? []
				: [
						{
							key: "hosted",
							reason:
								"compared with no hosted price list: none of this model is in the price book; name one of another",
						},
					]),
		];
		const compared = {
			...{ own, hosted },
			prefixTokens: Math.min(query.prefix ?? 0, found.figures.promptTokens),
			hitShare: query.hit ?? 0,
			prefixes: query.prefixes ?? 1,
			months: query.months ?? 36,
		};
		const economics = fleetEconomics(sized, option, ask, found.figures, compared);
		const priceIds = { rent: option.priceId, own: own?.id ?? null, hosted: hosted?.id ?? null };
		return c.json({ option, economics, priceIds, assumed: [...assumed, ...chosen] }, 200);
	});
}

type Priced<T> = PriceEntry & { terms: T };

/** A price of one kind. @throws Problem 404; 400 for one of another kind */
async function priceOf<T extends PriceEntry["terms"]>(
	sql: Queryable,
	id: string,
	kind: T["kind"],
	at: string,
): Promise<Priced<T>> {
	const price = await readPrice(sql, id);
	if (price.terms.kind !== kind)
		throw invalidInput([{ at, reason: `${id} is a price of kind ${price.terms.kind}, not ${kind}` }]);
	return price as unknown as Priced<T>;
}

/** The named price of owned hardware, else the newest one of the GPU, where there is one. */
async function ownPrice(
	sql: Queryable,
	id: string | undefined,
	gpuId: string | null,
): Promise<Priced<OwnedTerms> | null> {
	if (id !== undefined) return priceOf<OwnedTerms>(sql, id, "owned", "own");
	const book = gpuId === null ? [] : await readPriceBook(sql, [gpuId]);
	return readLast(book.filter((entry): entry is Priced<OwnedTerms> => entry.terms.kind === "owned"));
}

/**
 * The named price list, none where that is asked for, else the one entered here that was read last, else one of the same
 * model that came with the product: a list of another model is compared with only where somebody chose it.
 */
async function hostedPrice(
	sql: Queryable,
	id: string | undefined,
	modelId: string | null,
): Promise<Priced<HostedTerms> | null> {
	if (id === "none") return null;
	if (id !== undefined) return priceOf<HostedTerms>(sql, id, "hosted", "hosted");
	const book = await readPriceBook(sql);
	const lists = book.filter((entry): entry is Priced<HostedTerms> => entry.terms.kind === "hosted");
	return readLast(lists.filter(({ origin, subject }) => origin === "user" || subject === modelId));
}

/** What was entered here before what came with the product, then the newest reading, of one day the entry that came last. */
const readLast = <T extends PriceEntry>(book: readonly T[]): T | null =>
	[...book].sort(
		(a, b) =>
			Number(b.origin === "user") - Number(a.origin === "user") ||
			b.readOn.localeCompare(a.readOn) ||
			b.id.localeCompare(a.id),
	)[0] ?? null;

const namedPrice = ({ seller, source, readOn }: PriceEntry): string => `${seller ?? source}, ${readOn}`;
