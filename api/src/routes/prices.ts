import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { addPrice, listPrices, readPrice } from "../store/prices.ts";
import { envelope, pageQuery } from "./envelope.ts";
import {
	newPriceSchema,
	priceDetailSchema,
	priceItemSchema,
	priceKindSchema,
	priceOfEntry,
} from "./price-schema.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idParams, words } from "./text-schema.ts";

const tags = ["Prices"];

const list = createRoute({
	method: "get",
	path: "/prices",
	tags,
	summary: "The price book, newest reading first",
	description:
		"Rented, reserved, spot, agreed and owned GPUs, and hosted APIs. Current versions; history=true gives all that ever were.",
	request: {
		query: pageQuery.extend({
			gpu: words(100).optional().openapi({ description: "Only of this GPU" }),
			subject: words(100).optional().openapi({ description: "Only of this GPU or hosted model" }),
			kind: priceKindSchema.optional().openapi({ description: "Only prices of this kind" }),
			history: z.enum(["true", "false"]).optional().openapi({ description: "Superseded versions too" }),
		}),
	},
	responses: { 200: answers(envelope(priceItemSchema), "Prices"), ...problems(400) },
});

const one = createRoute({
	method: "get",
	path: "/prices/{id}",
	tags,
	summary: "One version of a price, superseded or not, with its history",
	request: { params: idParams("version of a price") },
	responses: { 200: answers(priceDetailSchema, "The price"), ...problems(404) },
});

const add = createRoute({
	method: "post",
	path: "/prices",
	tags,
	summary: "Add a price; versions are added, never changed",
	description:
		"A new price of the same kind, subject and seller (or of the version named in supersedes) supersedes the one before. " +
		"What the newest version says already is answered as it is.",
	request: { body: takes(newPriceSchema) },
	responses: { 201: answers(priceItemSchema, "The price"), ...problems(400, 401, 403, 422) },
});

/** The price book. */
export function priceRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(list, async (c) => {
			const { gpu, subject = gpu, history, ...query } = c.req.valid("query");
			return c.json(await listPrices(sql, { ...query, subject, history: history === "true" }), 200);
		})
		.openapi(one, async (c) => c.json(await readPrice(sql, c.req.valid("param").id), 200))
		.openapi(add, async (c) => {
			const price = priceOfEntry(c.req.valid("json"), c.get("caller")?.name ?? null);
			return c.json(await addPrice(sql, price), 201);
		});
}
