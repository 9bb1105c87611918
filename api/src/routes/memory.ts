import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { memoryStack } from "../model/index.ts";
import { readGpu, readModel } from "../store/catalogs.ts";
import { kvTypeSchema, memorySchema } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idText, words } from "./text-schema.ts";

const whole = (from: number, to: number, description: string, example?: number) =>
	z.coerce
		.number()
		.int()
		.min(from)
		.max(to)
		.optional()
		.openapi({ description, ...(example === undefined ? {} : { example }) });
const amount = (description: string, example?: number) =>
	z.coerce
		.number()
		.min(0)
		.max(1e16)
		.optional()
		.openapi({ description, ...(example === undefined ? {} : { example }) });

const memoryQuery = z.strictObject({
	model: idText.optional().openapi({ description: "Catalog id of a model", example: "llama-3.1-70b" }),
	layers: whole(1, 10_000, "Layers, where no model is named or to replace its figure"),
	kvHeads: whole(1, 10_000, "KV heads, to ask what another attention would cost"),
	headDim: whole(1, 100_000, "Dimension of a head"),
	gpu: idText.optional().openapi({ description: "Catalog id of a GPU", example: "h100-sxm-80gb" }),
	totalBytes: amount("Memory of one card; wins over that of the GPU"),
	gpus: whole(1, 100_000, "GPUs", 4),
	tp: whole(1, 10_000, "Tensor-parallel ranks", 4),
	weights: words(40).optional().openapi({ description: "Weight format", example: "bf16" }),
	kv: kvTypeSchema.optional().openapi({ description: "Cache type of K and V", example: "bf16" }),
	kvK: kvTypeSchema.optional().openapi({ description: "Cache type of K" }),
	kvV: kvTypeSchema.optional().openapi({ description: "Cache type of V" }),
	context: whole(1, 1_000_000_000, "Tokens of one sequence", 32_000),
	batch: whole(1, 100_000_000, "Sequences at the same time", 8),
	utilisation: z.coerce
		.number()
		.positive()
		.max(1)
		.optional()
		.openapi({ description: "Share of the card that the engine may use" }),
	weightsBytes: amount("Bytes of weights per GPU"),
	overheadBytes: amount("Bytes per GPU for everything else"),
	blockTokens: whole(1, 1_000_000, "Tokens of one cache block"),
	engine: words(40).optional().openapi({ description: "Engine, for its defaults", example: "vllm" }),
});

const memory = createRoute({
	method: "get",
	path: "/memory",
	tags: ["Answers"],
	summary: "What the card holds and how many sequences fit",
	description: "Figures given win over figures derived. All in bytes per GPU, with evidence and arithmetic.",
	request: { query: memoryQuery },
	responses: { 200: answers(memorySchema, "The memory stack"), ...problems(400, 404) },
});

/** What fits. */
export function memoryRoutes({ database: { sql } }: AppDeps) {
	return router().openapi(memory, async (c) => {
		const { model, gpu, kv, kvK, kvV, ...figures } = c.req.valid("query");
		const [modelFacts, gpuFacts] = await Promise.all([
			model === undefined ? null : readModel(sql, model),
			gpu === undefined ? null : readGpu(sql, gpu),
		]);
		const answer = memoryStack({
			...figures,
			model: modelFacts,
			gpu: gpuFacts,
			kvK: kvK ?? kv ?? null,
			kvV: kvV ?? kv ?? null,
		});
		return c.json(answer, 200);
	});
}
