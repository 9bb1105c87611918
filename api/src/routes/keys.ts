import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { createKey, type Key, listKeys, revokeKey, SCOPES } from "../store/keys.ts";
import { envelope, pageQuery } from "./envelope.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idParams, words } from "./text-schema.ts";

const tags = ["Access"];
const scopeSchema = z.enum(SCOPES);

const keySchema = z
	.object({
		id: z.string(),
		name: z.string(),
		scopes: z.array(scopeSchema),
		createdAt: z.string(),
		lastUsedAt: z.string().nullable(),
		revokedAt: z.string().nullable(),
	})
	.openapi("Key") satisfies z.ZodType<Key>;

const list = createRoute({
	method: "get",
	path: "/keys",
	tags,
	summary: "Keys, newest first, without their secrets",
	request: { query: pageQuery },
	responses: { 200: answers(envelope(keySchema), "Keys"), ...problems(400, 401, 403) },
});

const create = createRoute({
	method: "post",
	path: "/keys",
	tags,
	summary: "Make a key; its secret is answered this once",
	request: {
		body: takes(
			z
				.strictObject({ name: words(100), scopes: z.array(scopeSchema).min(1).max(SCOPES.length) })
				.openapi("NewKey", { example: { name: "ci", scopes: ["ingest"] } }),
		),
	},
	responses: {
		201: answers(keySchema.extend({ secret: z.string() }), "The key with its secret"),
		...problems(400, 401, 403),
	},
});

const revoke = createRoute({
	method: "delete",
	path: "/keys/{id}",
	tags,
	summary: "End a key",
	request: { params: idParams("key") },
	responses: { 200: answers(keySchema, "The key, revoked"), ...problems(401, 403, 404) },
});

const access = createRoute({
	method: "get",
	path: "/access",
	tags,
	summary: "Which access rules this server follows",
	responses: {
		200: answers(
			z.object({ keysNeeded: z.boolean().openapi({ description: "Whether writing needs a bearer key" }) }),
			"The rules",
		),
	},
});

/** Keys for programs that write. */
export function keyRoutes({ database: { sql }, access: { keysNeeded } }: AppDeps) {
	return router()
		.openapi(list, async (c) => c.json(await listKeys(sql, c.req.valid("query")), 200))
		.openapi(create, async (c) => c.json(await createKey(sql, c.req.valid("json")), 201))
		.openapi(revoke, async (c) => c.json(await revokeKey(sql, c.req.valid("param").id), 200))
		.openapi(access, (c) => c.json({ keysNeeded }, 200));
}
