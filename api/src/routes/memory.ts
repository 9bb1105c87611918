import { createRoute, z } from "@hono/zod-openapi";
import type { AppDeps } from "../deps.ts";
import { memoryStack } from "../model/index.ts";
import { readGpu, readModel } from "../store/catalogs.ts";
import { amountText, countText } from "./number-schema.ts";
import { kvTypeText, memorySchema } from "./plan-schema.ts";
import { answers, problems } from "./problem-schema.ts";
import { router } from "./router.ts";
import { idText, words } from "./text-schema.ts";

const bytes = (description: string) => amountText(1e16, { description });

const memoryQuery = z.strictObject({
	model: idText.optional().openapi({ description: "Catalog id of a model", example: "llama-3.1-70b" }),
	layers: countText(1, 10_000, { description: "Layers, where no model is named or to replace its figure" }),
	kvHeads: countText(1, 10_000, { description: "KV heads, to ask what another attention would cost" }),
	headDim: countText(1, 100_000, { description: "Dimension of a head" }),
	gpu: idText.optional().openapi({ description: "Catalog id of a GPU", example: "h100-sxm-80gb" }),
	totalBytes: bytes("Memory of one card; wins over that of the GPU"),
	gpus: countText(1, 100_000, { description: "GPUs", example: 4 }),
	tp: countText(1, 10_000, { description: "Tensor-parallel ranks", example: 4 }),
	weights: words(40).optional().openapi({ description: "Weight format", example: "bf16" }),
	kv: kvTypeText.optional().openapi({ description: "Cache type of K and V", example: "bf16" }),
	kvK: kvTypeText.optional().openapi({ description: "Cache type of K" }),
	kvV: kvTypeText.optional().openapi({ description: "Cache type of V" }),
	context: countText(1, 1_000_000_000, { description: "Tokens of one sequence", example: 32_000 }),
	batch: countText(1, 100_000_000, { description: "Sequences at the same time", example: 8 }),
	utilisation: amountText(1, { description: "Share of the card that the engine may use" }),
	weightsBytes: bytes("Bytes of weights per GPU"),
	overheadBytes: bytes("Bytes per GPU for everything else"),
	blockTokens: countText(1, 1_000_000, { description: "Tokens of one cache block" }),
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
