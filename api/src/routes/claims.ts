import { createRoute } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { addClaim, listClaims, readClaim, removeClaim } from "../store/claims.ts";
import {
	claimKindSchema,
	claimOfEntry,
	claimSubjectSchema,
	ledgerEntrySchema,
	newClaimSchema,
} from "./claim-schema.ts";
import { envelope, pageQuery, searched } from "./envelope.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idParams } from "./text-schema.ts";

const tags = ["Claims"];
const params = idParams("claim");

const list = createRoute({
	method: "get",
	path: "/claims",
	tags,
	summary: "Figures that circulate and facts that answers rest on, each with the ground it stands on",
	description:
		"Open disputes first, then what has no source, then what circulates by topic, then effective lengths, presets, " +
		"cache schemes, prices and catalogs.",
	request: {
		query: pageQuery.extend({
			q: searched("the statement, the conditions, the source or what is said against it"),
			kind: claimKindSchema.optional(),
			about: claimSubjectSchema.optional(),
		}),
	},
	responses: { 200: answers(envelope(ledgerEntrySchema), "The ledger"), ...problems(400) },
});

const one = createRoute({
	method: "get",
	path: "/claims/{id}",
	tags,
	summary: "One entry of the ledger",
	request: { params },
	responses: { 200: answers(ledgerEntrySchema, "The entry"), ...problems(404) },
});

const add = createRoute({
	method: "post",
	path: "/claims",
	tags,
	summary: "Enter a figure that circulates",
	description:
		"A measurement says its method, a vendor's claim its source, an arithmetic its sum; what has no source is folklore. " +
		"What stands there already is answered as it is.",
	request: { body: takes(newClaimSchema) },
	responses: { 201: answers(ledgerEntrySchema, "The entry"), ...problems(400, 401, 403, 422) },
});

const remove = createRoute({
	method: "delete",
	path: "/claims/{id}",
	tags,
	summary: "Take an own claim out",
	request: { params },
	responses: { 204: { description: "Taken out" }, ...problems(401, 403, 404, 409) },
});

/** The claims ledger. */
export function claimRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(list, async (c) => c.json(await listClaims(sql, c.req.valid("query")), 200))
		.openapi(one, async (c) => c.json(await readClaim(sql, c.req.valid("param").id), 200))
		.openapi(add, async (c) => {
			const claim = claimOfEntry(c.req.valid("json"));
			return c.json(await addClaim(sql, claim, c.get("caller")?.name ?? null), 201);
		})
		.openapi(remove, async (c) => {
			await removeClaim(sql, c.req.valid("param").id);
			return c.body(null, 204);
		});
}
