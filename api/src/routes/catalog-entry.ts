import { z } from "@hono/zod-openapi";
import { type GpuFacts, type ModelFacts, slugOf } from "../model/index.ts";
import { Problem } from "../problem.ts";
import type { NewEntry } from "../store/catalog-changes.ts";
import { words } from "./text-schema.ts";

/** What a person enters for a catalog: only what cannot be derived is asked for. */

export const slug = z
	.string()
	.max(80)
	.regex(/^[a-z0-9]+([.-][a-z0-9]+)*$/, "lower case letters, digits, dots and hyphens")
	.optional()
	.openapi({ description: "Left out: made from the name", example: "my-model-7b" });
const aliases = z
	.array(words())
	.max(50)
	.optional()
	.openapi({ description: "Further spellings that uploads use" });
const count = z.number().int().min(1).max(1e6);
const none = z.number().int().min(0).max(1e6);
const parameters = z.number().min(1).max(1e15);
const source = words(300)
	.optional()
	.openapi({ description: "Where the figures come from; left out: entered by hand" });

export const newModelSchema = z
	.strictObject({
		id: slug,
		name: words(),
		aliases,
		family: words(60).optional(),
		layers: count,
		slidingLayers: none.optional(),
		windowTokens: count.nullish(),
		recurrentLayers: none.optional(),
		recurrentStateBytesPerLayer: z.number().min(1).max(1e15).nullish(),
		heads: count,
		kvHeads: count,
		headDimK: count,
		headDimV: count.optional().openapi({ description: "Left out: that of K" }),
		slidingKvHeads: count.nullish(),
		slidingHeadDim: count.nullish(),
		mla: z.strictObject({ kvLoraRank: count, qkRopeHeadDim: count }).nullish(),
		hidden: count.nullish(),
		maxContextTokens: z.number().int().positive().max(1e9).nullish(),
		paramsTotal: parameters.nullish(),
		paramsActive: parameters
			.nullish()
			.openapi({ description: "Parameters touched per token; left out: all" }),
		source,
	})
	.refine((model) => (model.slidingLayers ?? 0) + (model.recurrentLayers ?? 0) <= model.layers, {
		path: ["layers"],
		message: "fewer than its sliding and recurrent layers together",
	})
	.refine((model) => !model.slidingLayers || model.windowTokens, {
		path: ["windowTokens"],
		message: "needed where there are sliding layers",
	})
	.refine(({ mla, heads, kvHeads }) => mla || heads % kvHeads === 0, {
		path: ["kvHeads"],
		message: "must divide heads",
	})
	.refine(({ paramsTotal, paramsActive }) => !paramsTotal || (paramsActive ?? 0) <= paramsTotal, {
		path: ["paramsActive"],
		message: "more than paramsTotal",
	})
	.openapi("NewModel", {
		example: {
			name: "My-Model-7B",
			layers: 32,
			heads: 32,
			kvHeads: 8,
			headDimK: 128,
			hidden: 4096,
			paramsTotal: 7.2e9,
		},
	});

const flops = z.number().min(1e9).max(1e18);

/** Bounds that no card comes near, so that a slip in a unit is noticed. */
export const newGpuSchema = z
	.strictObject({
		id: slug,
		name: words(),
		aliases,
		vendor: words(60).optional(),
		totalBytes: z.number().min(1e8).max(1e14),
		totalBytesBasis: z.enum(["engine", "driver", "nominal"]).optional(),
		bandwidthBytesPerSecond: z.number().min(1e9).max(1e15).nullish(),
		bf16DenseFlops: flops.nullish(),
		fp8DenseFlops: flops.nullish(),
		tdpWatts: z.number().min(1).max(1e5).nullish(),
		source,
	})
	.openapi("NewGpu", {
		example: { name: "My GPU 48GB", totalBytes: 48e9, bandwidthBytesPerSecond: 9e11, bf16DenseFlops: 2e14 },
	});

export const today = () => new Date().toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

/** @throws Problem 422 for a day that has begun nowhere on earth */
export function requirePast(at: string, day: string | undefined): void {
	// East of Greenwich tomorrow begins up to 14 hours earlier.
	if (day === undefined || Date.parse(day) <= Date.now() + DAY_MS) return;
	const reason = `${day} is still to come; give the day on which the source was read`;
	throw new Problem(422, "Not read yet", `${at}: ${reason}.`, [{ at, reason }]);
}

const sourcesOf = (said: string | undefined) => [{ label: said ?? "entered by hand", date: today() }];

export function modelOfEntry(entry: z.infer<typeof newModelSchema>): NewEntry<ModelFacts> {
	const { aliases = [], source: said, slidingLayers = 0, recurrentLayers = 0 } = entry;
	const { layers, heads, kvHeads, headDimK, name } = entry;
	return {
		aliases,
		facts: {
			...{ id: entry.id ?? slugOf(name), name, family: entry.family ?? "other", layers, heads, kvHeads },
			...{ slidingLayers, recurrentLayers, fullLayers: layers - slidingLayers - recurrentLayers },
			windowTokens: entry.windowTokens ?? null,
			recurrentStateBytesPerLayer: entry.recurrentStateBytesPerLayer ?? null,
			headDimK,
			headDimV: entry.headDimV ?? headDimK,
			slidingKvHeads: entry.slidingKvHeads ?? null,
			slidingHeadDim: entry.slidingHeadDim ?? null,
			mla: entry.mla ?? null,
			hidden: entry.hidden ?? null,
			maxContextTokens: entry.maxContextTokens ?? null,
			paramsTotal: entry.paramsTotal ?? null,
			paramsActive: entry.paramsActive ?? entry.paramsTotal ?? null,
			...{ unverified: [], caveats: [], sources: sourcesOf(said) },
		},
	};
}

export function gpuOfEntry(entry: z.infer<typeof newGpuSchema>): NewEntry<GpuFacts> {
	const { aliases = [], source: said, name, totalBytes } = entry;
	return {
		aliases,
		facts: {
			...{ id: entry.id ?? slugOf(name), name, vendor: entry.vendor ?? "not said", totalBytes },
			totalBytesBasis: entry.totalBytesBasis ?? "nominal",
			bandwidthBytesPerSecond: entry.bandwidthBytesPerSecond ?? null,
			bf16DenseFlops: entry.bf16DenseFlops ?? null,
			fp8DenseFlops: entry.fp8DenseFlops ?? null,
			tdpWatts: entry.tdpWatts ?? null,
			...{ unverified: [], sources: sourcesOf(said) },
		},
	};
}
