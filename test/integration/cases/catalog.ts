import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type GpuFacts, kvBytesPerToken } from "@plimsoll/api/model";

const shared = resolve(import.meta.dirname, "../../../../shared/data/models");

interface ModelRow {
	id: string;
	layers: number;
	heads: number;
	kv_heads: number;
	head_dim: number;
}
interface GpuRow {
	id: string;
	bf16_dense_tflops: number | null;
	fp16_dense_tflops: number | null;
	fp8_dense_tflops: number | null;
}

function rows<T>(file: string, key: string): T[] {
	const path = resolve(shared, file);
	if (!existsSync(path)) throw new Error(`no shared data at ../shared/data/models/${file}`);
	return JSON.parse(readFileSync(path, "utf8"))[key] as T[];
}

/** 16-bit cache bytes of a model whose case names it and nothing more. */
export function catalogKvBytes(name: string): number {
	const model = rows<ModelRow>("models.json", "models").find((row) => row.id.endsWith(`/${name}`));
	if (!model) throw new Error(`no model ${name} in the catalog`);
	const { layers, heads, kv_heads: kvHeads, head_dim: dim } = model;
	const geometry = {
		layers,
		fullLayers: layers,
		slidingLayers: 0,
		windowTokens: null,
		recurrentLayers: 0,
		recurrentStateBytesPerLayer: null,
	};
	const widths = {
		heads,
		kvHeads,
		headDimK: dim,
		headDimV: dim,
		slidingKvHeads: null,
		slidingHeadDim: null,
		mla: null,
	};
	return kvBytesPerToken({ ...geometry, ...widths }, { kvK: "bf16", kvV: "bf16" });
}

/** Dense peak of a GPU of the catalog in TFLOP/s. */
export function catalogPeak(name: string, type: "bf16" | "fp16" | "fp8"): GpuFacts["bf16DenseFlops"] {
	const gpu = rows<GpuRow>("gpus.json", "gpus").find((row) => row.id.startsWith(name));
	return gpu?.[`${type}_dense_tflops`] ?? null;
}
