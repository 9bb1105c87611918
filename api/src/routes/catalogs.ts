import { createRoute } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { putGpu } from "../store/catalog-changes.ts";
import { listGpus, readGpu } from "../store/catalogs.ts";
import { gpuOfEntry, newGpuSchema } from "./catalog-entry.ts";
import { catalogQuery, envelope } from "./envelope.ts";
import { gpuFactsSchema } from "./facts-schema.ts";
import { putQuery } from "./model-entry.ts";
import { answers, problems, takes } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idParams } from "./text-schema.ts";

const tags = ["Catalogs"];

const gpus = createRoute({
	method: "get",
	path: "/gpus",
	tags,
	summary: "GPUs, by id",
	request: { query: catalogQuery },
	responses: { 200: answers(envelope(gpuFactsSchema), "GPUs"), ...problems(400) },
});

const gpu = createRoute({
	method: "get",
	path: "/gpus/{id}",
	tags,
	summary: "One GPU",
	request: { params: idParams("GPU") },
	responses: { 200: answers(gpuFactsSchema, "The GPU"), ...problems(404) },
});

const addGpu = createRoute({
	method: "post",
	path: "/gpus",
	tags,
	summary: "Add a GPU",
	request: { query: putQuery, body: takes(newGpuSchema) },
	responses: { 201: answers(gpuFactsSchema, "The GPU"), ...problems(400, 401, 403, 409) },
});

/** What is known of GPUs. */
export function catalogRoutes({ database: { sql } }: AppDeps) {
	return router()
		.openapi(gpus, async (c) => c.json(await listGpus(sql, c.req.valid("query")), 200))
		.openapi(gpu, async (c) => c.json(await readGpu(sql, c.req.valid("param").id), 200))
		.openapi(addGpu, async (c) => {
			const replace = c.req.valid("query").replace === "true";
			return c.json(await putGpu(sql, gpuOfEntry(c.req.valid("json")), replace), 201);
		});
}
