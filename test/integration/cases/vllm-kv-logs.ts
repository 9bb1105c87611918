import { type AttentionGeometry, blocksOf, kvBytesPerToken } from "@plimsoll/api/model";
import { sglangLog } from "../../../api/src/ingest/sglang/log.ts";
import { deploymentKvTokens, startupsOf } from "../../../api/src/ingest/vllm/log.ts";
import type { Startup } from "../../../api/src/ingest/vllm/startup.ts";
import { GIB, type Input, MIB, type Topic } from "./case.ts";

/** KV tokens, concurrency and needed memory, as the lines of a start-up log have them. */
export const vllmKvLogs: Topic = (input, field) => {
	if (input.has("log") || input.has("log_lines")) return ofLines(input, field);
	if (input.has("printed")) return ofSglang(input, field);
	if (input.has("layer_partition")) return ofStages(input, field);
	if (input.has("padded_head_dim")) return ofPaddedHeads(input, field);
	if (Array.isArray(input.raw.available_kv_gib)) return ofBlocks(input, field);
	return ofPool(input, field);
};

function ofLines(input: Input, field: string): unknown {
	const lines = input.texts(input.has("log") ? "log" : "log_lines");
	const [startup]: Startup[] = [...startupsOf(lines.join("\n")).values()].flat();
	const answers: Record<string, () => unknown> = {
		kv_tokens: () => startup && deploymentKvTokens(startup),
		total_tokens: () => startup && deploymentKvTokens(startup),
		max_concurrency: () => startup?.concurrency?.times,
	};
	return answers[field]?.();
}

/** A model whose layers all attend, in 16 bits. */
function dense(layers: number, kvHeads: number, headDim: number): AttentionGeometry {
	return {
		layers,
		fullLayers: layers,
		slidingLayers: 0,
		windowTokens: null,
		recurrentLayers: 0,
		recurrentStateBytesPerLayer: null,
		heads: kvHeads,
		kvHeads,
		headDimK: headDim,
		headDimV: headDim,
		slidingKvHeads: null,
		slidingHeadDim: null,
		mla: null,
	};
}

const bytesOf = (geometry: AttentionGeometry) => kvBytesPerToken(geometry, { kvK: "bf16", kvV: "bf16" });

/** Tokens that whole blocks of a pool hold. */
const tokensIn = (poolGib: number, perToken: number, input: Input) =>
	blocksOf(poolGib * GIB, perToken, input.optional("block_tokens") ?? 16).tokens;

function ofSglang(input: Input, field: string): unknown {
	const [item] = [...(sglangLog.document?.(`KV Cache is allocated. ${input.text("printed")}`, {}) ?? [])];
	if (item?.kind !== "memory") throw new Error("the line pins no memory");
	const perToken = bytesOf(
		dense(input.number("layers"), input.number("kv_heads_per_gpu"), input.number("head_dim")),
	);
	return {
		k_gib: ((item.memory.kvTokens ?? Number.NaN) * perToken) / 2 / GIB,
		kv_gib_total: (item.memory.kvPoolBytes ?? Number.NaN) / GIB,
	}[field];
}

/** Each pipeline rank holds its own layers; the case names the model's shape in words. */
function ofStages(input: Input, field: string): unknown {
	const shape = /(\d+) layers, (\d+) KV heads, (\d+)/.exec(input.text("model"));
	if (shape === null) throw new Error("input.model names no shape");
	const [layers = 0, kvHeads = 0, headDim = 0] = shape.slice(1).map(Number);
	const perToken = (held: number) => bytesOf(dense(held, kvHeads, headDim));
	const stages = input.numbers("layer_partition");
	const pool = input.number("available_kv_gib_rank0");
	const length = input.number("max_len");
	const answers: Record<string, () => unknown> = {
		needed_gib_all_layers: () => (length * perToken(layers)) / GIB,
		needed_gib_per_rank: () => stages.map((held) => (length * perToken(held)) / GIB),
		largest_len_if_all_layers: () => tokensIn(pool, perToken(layers), input),
		largest_len_rank0_by_its_layers: () => tokensIn(pool, perToken(stages[0] ?? 0), input),
	};
	return answers[field]?.();
}

/** DeepSeek's latent attention keeps 512 + 64 values of a token; an old engine kept padded heads instead. */
function ofPaddedHeads(input: Input, field: string): unknown {
	const layers = input.number("layers");
	const padded = dense(layers, input.number("heads"), input.number("padded_head_dim"));
	const latent = { ...padded, mla: { kvLoraRank: 512, qkRopeHeadDim: 64 } };
	const pool = input.number("available_kv_gib");
	const tokens = tokensIn(pool, bytesOf(padded), input);
	return {
		bytes_per_token: bytesOf(padded),
		kv_tokens: tokens,
		max_concurrency: tokens / input.number("max_len"),
		tokens_with_mla_same_memory: tokensIn(pool, bytesOf(latent), input),
	}[field];
}

function ofBlocks(input: Input, field: string): unknown {
	const perToken = input.number("bytes_per_token_per_gpu");
	const size = input.number("block_tokens");
	return {
		blocks: input.numbers("available_kv_gib").map((gib) => blocksOf(gib * GIB, perToken, size).blocks),
		block_mib: (perToken * size) / MIB,
	}[field];
}

function ofPool(input: Input, field: string): unknown {
	const perToken = input.number("bytes_per_token_per_gpu");
	const tokens = tokensIn(input.number("available_kv_gib"), perToken, input);
	const answers: Record<string, () => unknown> = {
		kv_tokens: () => tokens,
		max_concurrency: () => tokens / input.number("max_len"),
		needed_gib: () => (perToken * input.number("max_len")) / GIB,
		largest_max_len: () => tokens,
	};
	return answers[field]?.();
}
