import {
	type AttentionGeometry,
	dividedCells,
	elementBytes,
	type KvType,
	kvBytesPerSequence,
	kvTypeOf,
	slidingCells,
	slotTokens,
} from "@plimsoll/api/model";
import { type Input, MIB, type Topic } from "./case.ts";

/** Cache buffers as llama.cpp prints them. */
export const llamacppKvBuffers: Topic = (input, field) => {
	if (input.has("kv_lora_rank")) return latent(input, field);
	if (input.has("elements"))
		return input.texts("types").map((type) => (input.number("elements") * elementBytes(typeOf(type))) / MIB);
	if (input.has("swa_layers")) return windows(input, field);
	if (input.has("parallel")) return slots(input, field);
	if (input.has("head_dim")) return padded(input);
	return widths(input, field);
};

function typeOf(name: unknown): KvType {
	const type = typeof name === "string" ? kvTypeOf(name) : null;
	if (!type) throw new Error(`cache type ${name} is not known`);
	return type;
}

const uniform = (layers: number, headDimK: number, headDimV: number): AttentionGeometry => ({
	layers,
	fullLayers: layers,
	slidingLayers: 0,
	windowTokens: null,
	recurrentLayers: 0,
	recurrentStateBytesPerLayer: null,
	heads: 1,
	kvHeads: 1,
	headDimK,
	headDimV,
	slidingKvHeads: null,
	slidingHeadDim: null,
	mla: null,
});

const mib = (geometry: AttentionGeometry, kvK: KvType, kvV: KvType, context: number) =>
	kvBytesPerSequence(geometry, { kvK, kvV, context }) / MIB;

function widths(input: Input, field: string): unknown {
	const [k, v] = [input.number("n_embd_k_gqa"), input.number("n_embd_v_gqa")];
	const [typeK, typeV] = [typeOf(input.raw.type_k), typeOf(input.raw.type_v)];
	const of = (k: number, v: number) =>
		mib(uniform(input.number("layers"), k, v), typeK, typeV, input.number("cells"));
	return { total_mib: of(k, v), k_mib: of(k, 0), v_mib: of(0, v) }[field];
}

function latent(input: Input, field: string): unknown {
	const [rank, rope] = [input.number("kv_lora_rank"), input.number("qk_rope_head_dim")];
	const layers = input.number("layers");
	const cells = input.number("cells");
	const type = typeOf(input.raw.type_latent ?? input.raw.type);
	const mla = { ...uniform(layers, 0, 0), mla: { kvLoraRank: rank, qkRopeHeadDim: rope } };
	const whole = mib(mla, type, type, cells);
	if (input.has("type")) {
		const part = (width: number) => mib(uniform(layers, width, 0), type, type, cells);
		return { rope_mib: part(rope), latent_mib: part(rank), total_mib: whole }[field];
	}
	const copy = input.has("type_v_copy")
		? mib(uniform(layers, 0, rank), type, typeOf(input.raw.type_v_copy), cells)
		: 0;
	return { latent_mib: whole, transposed_v_mib: copy, total_mib: whole + copy }[field];
}

function windows(input: Input, field: string): unknown {
	const context = input.number("ctx");
	const type = typeOf(input.raw.type);
	const width = input.number("kv_width");
	const cells = slidingCells(context, input.number("n_swa"), input.number("slots"), input.number("n_ubatch"));
	return {
		swa_cells: cells,
		swa_mib: mib(uniform(input.number("swa_layers"), width, width), type, type, cells),
		full_mib: mib(uniform(input.number("full_layers"), width, width), type, type, context),
	}[field];
}

function slots(input: Input, field: string): unknown {
	const context = input.number("ctx_size");
	const { each, forWhole } = slotTokens(context, input.number("parallel"));
	return {
		tokens_per_slot: each,
		ctx_needed_for_4096_each: forWhole,
		kv_mib: (context * input.number("bytes_per_token")) / MIB,
	}[field];
}

function padded(input: Input): number[] {
	const dim = input.number("head_dim");
	const geometry = { ...uniform(input.number("layers"), dim, dim), kvHeads: input.number("kv_heads") };
	const type = typeOf(input.raw.type);
	return input
		.numbers("slots")
		.map((slots) => mib(geometry, type, type, dividedCells(input.number("ctx"), slots)));
}
