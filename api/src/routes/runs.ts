import { Readable } from "node:stream";
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppDeps } from "../deps.ts";
import type { Said } from "../ingest/index.ts";
import type { Metrics } from "../metrics.ts";
import { Problem, type ProblemBody } from "../problem.ts";
import type { Progress } from "../store/copy-rows.ts";
import { correctConditions } from "../store/run-conditions.ts";
import {
	deleteRun,
	listRuns,
	RUN_ORDERS,
	readRaw,
	readRunDetail,
	readRunItem,
	readRunMeasurements,
	restoreRun,
	tagRun,
} from "../store/runs.ts";
import { packedLimit, tooLarge } from "../store/unpack.ts";
import { acceptUpload, describeUpload } from "../store/upload.ts";
import { conditionsHeader } from "./conditions-header.ts";
import { correctedConditions } from "./conditions-schema.ts";
import { envelope, originFilter, pageQuery, searched } from "./envelope.ts";
import { errorHandler } from "./errors.ts";
import { wholeText } from "./number-schema.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { type AppEnv, router } from "./router.ts";
import { measurementSchema, runDetailSchema, runItemSchema, uploadSchema } from "./run-schema.ts";
import { idParams, idText, words } from "./text-schema.ts";
import { progressSchema, tellProgress, wantsProgress } from "./upload-progress.ts";

const tags = ["Runs"];
const params = idParams("run");

const said = (description: string, example?: string) =>
	words()
		.optional()
		.openapi({ description, ...(example ? { example } : {}) });
const uploadQuery = z.strictObject({
	gpu: said("GPU, where the file does not say", "rtx-4090"),
	gpus: wholeText(0, 1_000_000, { description: "GPUs used; 0 on a CPU" }),
	model: said("Model", "llama-3.1-8b"),
	engine: said("Engine", "vllm"),
	engineVersion: said("Version of the engine"),
	weights: said("Weight format", "bf16"),
	kv: said("Cache type", "fp8"),
	tp: wholeText(1, 1_000_000, { description: "Tensor-parallel ranks" }),
	label: said("Free words to find the run by"),
	fileName: words(500).optional().openapi({ description: "Name of the file; no part of its identity" }),
});

const upload = createRoute({
	method: "post",
	path: "/runs",
	tags,
	summary: "Post a benchmark file",
	description:
		"The body is the tool's own file as it is, packed with gzip or not: llama-bench (json, jsonl, csv, sql, md), " +
		"vllm bench serve JSON, and the other formats that are recognised by content, or the canonical form. A zip, tar " +
		"or tar.gz of such files is one run of all its members. Parameters fill what the file does not say. The same " +
		"bytes with the same parameters are one run: repeating the call is safe. Needs the scope ingest where keys are used.",
	request: {
		query: uploadQuery,
		headers: conditionsHeader,
		body: {
			required: true,
			content: {
				"application/octet-stream": {
					schema: z.string().openapi({
						format: "binary",
						example:
							'{"plimsoll": 1, "gpu": "NVIDIA H100 80GB HBM3", "gpus": 1, "model": "llama-3.1-8b", "engine": "vllm", "measurements": [{"phase": "prefill", "tokens": 1024, "cached": 0, "batch": 1, "seconds": [0.123, 0.121]}]}',
					}),
				},
			},
		},
	},
	responses: {
		200: {
			description:
				"The same file was here before; nothing was stored twice. With accept: application/x-ndjson the answer to " +
				"any file that can be read: how far it is, one JSON object a line, and at last the outcome",
			content: {
				"application/json": { schema: uploadSchema },
				"application/x-ndjson": { schema: progressSchema },
			},
		},
		201: answers(uploadSchema, "Stored"),
		...problems(400, 401, 403, 413, 415, 422),
	},
});

/** So many tags a run may have. */
const MOST_TAGS = 20;
const tagText = words(40).regex(/^[^,]*$/, "must not hold a comma: it parts one tag from the next");

const listQuery = pageQuery.extend({
	q: searched(
		"the run's label, file name, format, attribution or tags, or in what one of its configurations is made of",
	),
	origin: originFilter,
	format: words(100)
		.optional()
		.openapi({ description: "Only of this format, as runs name it", example: "llama-bench jsonl" }),
	configuration: idText.optional().openapi({ description: "Only those that measured this configuration" }),
	tag: tagText.optional().openapi({ description: "Only those with this tag", example: "nightly" }),
	sort: z.enum(RUN_ORDERS).optional().openapi({
		description: "newest (where left out), oldest, name, or accepted: most measurements first",
	}),
});

const list = createRoute({
	method: "get",
	path: "/runs",
	tags,
	summary: "Uploaded files, newest first or in another order",
	description:
		"Filters hold together; a cursor goes on only under the filters and the order it was given for.",
	request: { query: listQuery },
	responses: { 200: answers(envelope(runItemSchema), "Runs"), ...problems(400) },
});

const read = createRoute({
	method: "get",
	path: "/runs/{id}",
	tags,
	summary: "One run with its rejections, its first measurements, and what is known of how it came about",
	request: { params },
	responses: { 200: answers(runDetailSchema, "The run"), ...problems(404) },
});

const raw = createRoute({
	method: "get",
	path: "/runs/{id}/raw",
	tags,
	summary: "The bytes that were posted",
	request: { params },
	responses: {
		200: {
			description: "The bytes as they were posted, without a gzip layer",
			content: { "application/octet-stream": { schema: z.string().openapi({ format: "binary" }) } },
		},
		...problems(404),
	},
});

const measurements = createRoute({
	method: "get",
	path: "/runs/{id}/measurements",
	tags,
	summary: "Measurements and failures of one run, in the order of its file",
	request: { params, query: pageQuery },
	responses: { 200: answers(envelope(measurementSchema), "Measurements"), ...problems(400, 404) },
});

const change = createRoute({
	method: "patch",
	path: "/runs/{id}",
	tags,
	summary: "Say which tags a run has, or correct what was recorded of it",
	description:
		"The tags given take the place of those it had; an empty list takes all off. They change no answer. Conditions are " +
		"merged by field, and each correction is kept with who made it and when. Needs the scope ingest where keys are used.",
	request: {
		params,
		body: takes(
			z
				.strictObject({
					tags: z.array(tagText).max(MOST_TAGS).optional(),
					conditions: correctedConditions.optional(),
					reason: words(500).nullish().openapi({ description: "Why the conditions are corrected" }),
				})
				.refine(({ tags, conditions }) => tags !== undefined || conditions !== undefined, {
					message: "must hold tags, conditions or both",
				})
				.openapi("RunChange", { example: { tags: ["nightly", "driver 570"] } }),
		),
	},
	responses: { 200: answers(runItemSchema, "The run"), ...problems(400, 401, 403, 404, 422) },
});

const remove = createRoute({
	method: "delete",
	path: "/runs/{id}",
	tags,
	summary: "Delete a run; it can be restored",
	description:
		"Its measurements count nowhere any more and the fits follow. Needs the scope admin where keys are used.",
	request: { params },
	responses: { 204: { description: "Deleted" }, ...problems(401, 403, 404) },
});

const restore = createRoute({
	method: "post",
	path: "/runs/{id}/restore",
	tags,
	summary: "Bring a deleted run back",
	request: { params },
	responses: { 200: answers(runItemSchema, "The run"), ...problems(401, 403, 404) },
});

/** Uploads and what became of them. */
export function runRoutes(deps: AppDeps, metrics: Metrics) {
	const { database, limits } = deps;
	const { sql } = database;
	/** What a failure answers, as an object. */
	const problemOf = async (error: Error, c: Context<AppEnv>): Promise<ProblemBody> =>
		(await errorHandler(deps)(error, c)).json() as Promise<ProblemBody>;
	return router()
		.openapi(upload, async (c) => {
			const { fileName, ...conditions } = c.req.valid("query");
			refuseForm(c.req.header("content-type"));
			refuseLength(c.req.header("content-length"), limits.maxBodyBytes);
			const take = async (progress: Progress) => {
				const stored = await acceptUpload(
					sql,
					{
						body: bodyOf(c.req.raw),
						encoding: c.req.header("content-encoding"),
						said: conditions as Said,
						fileName,
						sentBy: c.get("caller")?.name ?? null,
						conditions: c.req.valid("header")["plimsoll-conditions"],
						progress,
					},
					limits,
				);
				const answer = await describeUpload(sql, stored);
				metrics.countUpload(answer);
				return answer;
			};
			if (wantsProgress(c.req.header("accept")))
				return tellProgress(take, (error) => problemOf(error, c)) as Promise<never>;
			const answer = await take(() => {});
			return answer.duplicate ? c.json(answer, 200) : c.json(answer, 201);
		})
		.openapi(list, async (c) => c.json(await listRuns(sql, c.req.valid("query")), 200))
		.openapi(read, async (c) => c.json(await readRunDetail(sql, c.req.valid("param").id), 200))
		.openapi(raw, async (c) => rawResponse(await readRaw(sql, c.req.valid("param").id)))
		.openapi(measurements, async (c) => {
			const page = await readRunMeasurements(sql, c.req.valid("param").id, c.req.valid("query"));
			return c.json(page, 200);
		})
		.openapi(change, async (c) => {
			const { id } = await readRunItem(sql, c.req.valid("param").id);
			const { tags, conditions, reason = null } = c.req.valid("json");
			const by = c.get("caller")?.name ?? null;
			await sql.begin(async (tx) => {
				if (conditions !== undefined) await correctConditions(tx, id, conditions, { by, reason });
				if (tags !== undefined) await tagRun(tx, id, tags);
			});
			return c.json(await readRunItem(sql, id), 200);
		})
		.openapi(remove, async (c) => {
			await deleteRun(sql, c.req.valid("param").id);
			return c.body(null, 204);
		})
		.openapi(restore, async (c) => c.json(await restoreRun(sql, c.req.valid("param").id), 200));
}

function bodyOf(request: Request): AsyncIterable<Uint8Array> {
	return request.body ?? new ReadableStream({ start: (controller) => controller.close() });
}

/** `curl -F` wraps the file: what would be stored is not what the tool wrote. */
function refuseForm(contentType = ""): void {
	if (!contentType.toLowerCase().startsWith("multipart/")) return;
	throw new Problem(
		415,
		"Unsupported content type",
		"Send the file itself as the body, not a form: curl --data-binary @FILE (without -F).",
	);
}

/** An announced length beyond the limit is refused before the first byte; a packed body is only longer inside. */
function refuseLength(contentLength: string | undefined, maxBytes: number): void {
	if (Number(contentLength) > packedLimit(maxBytes)) throw tooLarge(maxBytes);
}

function rawResponse(file: Awaited<ReturnType<typeof readRaw>>): Response {
	return new Response(Readable.toWeb(Readable.from(file.chunks)) as ReadableStream, {
		headers: {
			// Never a type that a browser would show or run.
			"content-type": "application/octet-stream",
			"content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
			"content-length": String(file.bytes),
			etag: `"${file.sha256}"`,
		},
	});
}
