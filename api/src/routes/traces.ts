import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import {
	addTrace,
	listTraces,
	readTrace,
	removeTrace,
	type TraceDetail,
	type TraceItem,
} from "../store/traces.ts";
import { envelope, pageQuery } from "./envelope.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idParams, words } from "./text-schema.ts";

const text = z.string();
const traceSchema = z
	.object({
		id: text,
		name: text,
		requests: z.number().int(),
		durationSeconds: z.number(),
		meanPromptTokens: z.number(),
		meanOutputTokens: z.number(),
		cachedShare: z
			.number()
			.nullable()
			.openapi({ description: "Share of the prompt tokens that a prefix cache could hold; null: not said" }),
		source: text,
		href: text.nullable(),
		licence: text.nullable(),
		citation: text.nullable(),
		notes: z.array(text),
		origin: z.enum(["seed", "user"]),
		createdAt: text,
	})
	.openapi("Trace") satisfies z.ZodType<TraceItem>;

const numbers = z.array(z.number());
const traceDetailSchema = traceSchema
	.extend({
		columns: z
			.object({
				arrivalSeconds: numbers,
				promptTokens: numbers,
				outputTokens: numbers,
				cachedTokens: numbers.optional(),
			})
			.openapi({ description: "An entry a request, in the order of arrival" }),
	})
	.openapi("TraceWithRequests") satisfies z.ZodType<TraceDetail>;

const tags = ["Load"];
const params = idParams("trace");

const list = createRoute({
	method: "get",
	path: "/traces",
	tags,
	summary: "Request traces: published ones with their source, then your own",
	request: { query: pageQuery },
	responses: { 200: answers(envelope(traceSchema), "Traces"), ...problems(400) },
});

const read = createRoute({
	method: "get",
	path: "/traces/{id}",
	tags,
	summary: "One trace with its requests",
	request: { params },
	responses: { 200: answers(traceDetailSchema, "The trace"), ...problems(404) },
});

const add = createRoute({
	method: "post",
	path: "/traces",
	tags,
	summary: "Keep a trace of your own",
	description:
		"The body is CSV with a header: arrival_s, prompt_tokens, output_tokens and, where known, prefix_cached_tokens. " +
		"Columns may stand in any order and have the names of Azure's, Mooncake's, BurstGPT's or Vidur's files; arrivals " +
		"may be seconds, milliseconds (arrival_ms) or instants. Every wrong line is named. Needs the scope ingest where " +
		"keys are used.",
	request: {
		query: z.strictObject({
			name: words(120).openapi({ description: "Its id is made of it", example: "chat, week 48" }),
		}),
		body: {
			required: true,
			content: {
				"text/csv": {
					schema: z.string().openapi({
						example:
							"arrival_s,prompt_tokens,output_tokens,prefix_cached_tokens\n0,374,44,0\n4.31,396,109,128\n",
					}),
				},
			},
		},
	},
	responses: { 201: answers(traceSchema, "Kept"), ...problems(400, 401, 403, 409, 413) },
});

const remove = createRoute({
	method: "delete",
	path: "/traces/{id}",
	tags,
	summary: "Take out a trace of your own",
	request: { params },
	responses: { 204: { description: "Taken out" }, ...problems(401, 403, 404, 409) },
});

/** Request traces to simulate. */
export function traceRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(list, async (c) => c.json(await listTraces(sql, c.req.valid("query")), 200))
		.openapi(read, async (c) => c.json(await readTrace(sql, c.req.valid("param").id), 200))
		.openapi(add, async (c) => {
			const { name } = c.req.valid("query");
			const sentBy = c.get("caller")?.name ?? null;
			return c.json(await addTrace(sql, { name, text: await c.req.text(), sentBy }), 201);
		})
		.openapi(remove, async (c) => {
			await removeTrace(sql, c.req.valid("param").id);
			return c.body(null, 204);
		});
}
