import { type Evidence, weakest } from "../trust/quantity.ts";
import type { Figure } from "../trust/statement.ts";
import type { KvStorage } from "./attention.ts";
import { isLlamaCpp, VLLM_BLOCK_TOKENS } from "./defaults.ts";
import type { AttentionGeometry, GpuFacts, KvType, ModelFacts, PinnedMemory } from "./facts.ts";

/** What is asked of memory. Figures given win over figures derived; what is left out takes a stated default. */
export interface MemoryInput {
	model?: ModelFacts | null;
	gpu?: GpuFacts | null;
	/** Figures that the engine printed for this configuration; left out where the question changes what they rest on. */
	pinned?: PinnedMemory | null;
	engine?: string | null;
	/** Geometry as plain figures; each replaces that of the model. */
	layers?: number | null;
	kvHeads?: number | null;
	headDim?: number | null;
	/** Memory of one card, bytes. */
	totalBytes?: number | null;
	gpus?: number | null;
	/** Ranks that split heads and weights. Default: all GPUs, with llama.cpp one. */
	tp?: number | null;
	/** Ranks that split layers. Default: one, with llama.cpp all GPUs. */
	stages?: number | null;
	/** Ranks that split the tokens of a sequence. Default one. */
	contextRanks?: number | null;
	/** Weight format, e.g. "bf16", "Q4_K_M". */
	weights?: string | null;
	/** Weight bytes per GPU. */
	weightsBytes?: number | null;
	/** Weight bytes over all GPUs as a tool printed them. */
	weightsBytesTotal?: number | null;
	kvK?: KvType | null;
	kvV?: KvType | null;
	/** Tokens of one sequence, prompt and output. */
	context?: number | null;
	/** Sequences at the same time. */
	batch?: number | null;
	/** Share of the card that the engine may use, 0…1. */
	utilisation?: number | null;
	/** Bytes per GPU for everything that is neither weights nor cache. */
	overheadBytes?: number | null;
	blockTokens?: number | null;
	windowsHonoured?: boolean | null;
	/** Pages of recurrent state a sequence holds in each group: 1, with prefix caching 2. */
	statePagesPerGroup?: number | null;
}

/** The geometry the question is about, how it is known, and what is missing where it is null. */
export interface KnownGeometry {
	geometry: AttentionGeometry | null;
	evidence: Evidence;
	missing: string;
}

const GEOMETRY_FIELDS = [
	"layers",
	"fullLayers",
	"slidingLayers",
	"windowTokens",
	"recurrentLayers",
	"recurrentStateBytesPerLayer",
	"kvHeads",
	"headDimK",
	"headDimV",
	"slidingKvHeads",
	"slidingHeadDim",
	"mla",
];

/** The geometry of the question: that of the model, with plain figures in its place where they are given. */
export function geometryOf(input: MemoryInput): KnownGeometry {
	const { model, layers, headDim, kvHeads } = input;
	if (!model) return plainGeometry(input);
	const unread = model.unverified.filter((field) => GEOMETRY_FIELDS.includes(field));
	const geometry: AttentionGeometry = {
		...model,
		...(layers && { layers, fullLayers: layers, slidingLayers: 0, recurrentLayers: 0 }),
		...(headDim && { headDimK: headDim, headDimV: headDim, slidingHeadDim: null, mla: null }),
		...(kvHeads && { kvHeads, slidingKvHeads: null, mla: null }),
	};
	return { geometry, evidence: unread.length > 0 ? "assumed" : "arithmetic", missing: "" };
}

function plainGeometry({ layers, kvHeads, headDim }: MemoryInput): KnownGeometry {
	if (!layers || !kvHeads || !headDim) {
		const lacking = Object.entries({ layers, "KV heads": kvHeads, "head width": headDim }).flatMap(
			([words, value]) => (value ? [] : [words]),
		);
		return {
			geometry: null,
			evidence: "assumed",
			missing: `KV bytes need the geometry of a model: pick a model, add its config.json to the catalog, or say the ${lacking.join(", ")}`,
		};
	}
	const geometry: AttentionGeometry = {
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
	return { geometry, evidence: "arithmetic", missing: "" };
}

/** How many ranks split heads, layers and tokens, and how many copies of the model that makes. */
export interface Layout {
	gpus: number;
	tp: number;
	stages: number;
	contextRanks: number;
	replicas: number;
}

/** The most ranks that spread the GPUs without rest and split the attention heads evenly, as engines ask for. */
function ranksOver(gpus: number, heads: number | null): number {
	for (let ranks = gpus; ranks > 1; ranks--)
		if (gpus % ranks === 0 && (heads === null || heads % ranks === 0)) return ranks;
	return 1;
}

/** Spreads the GPUs: vLLM splits heads over all of them, llama.cpp layers, and what is left over are replicas. */
export function layoutOf({ gpus, tp, stages, contextRanks, engine, model }: MemoryInput): Layout {
	const across = contextRanks ?? 1;
	const given = Math.max(1, gpus ?? (tp ?? 1) * (stages ?? 1) * across);
	const layers = isLlamaCpp(engine);
	const ranks =
		tp ??
		(layers ? 1 : ranksOver(Math.max(1, Math.floor(given / ((stages ?? 1) * across))), model?.heads || null));
	const split = stages ?? (layers && !tp ? given : 1);
	const replicas = Math.max(1, Math.floor(given / (ranks * split * across)));
	return { gpus: given, tp: ranks, stages: split, contextRanks: across, replicas };
}

/** Cache storage with the defaults said: 16-bit where no type is given. */
export function storageOf(
	input: MemoryInput,
	layout: Layout,
): { storage: KvStorage & { blockTokens: number }; evidence: Evidence; from: string } {
	const kvK = input.kvK ?? input.kvV ?? "bf16";
	const kvV = input.kvV ?? input.kvK ?? "bf16";
	const said = Boolean(input.kvK ?? input.kvV);
	return {
		storage: {
			kvK,
			kvV,
			tp: layout.tp,
			stages: layout.stages,
			contextRanks: layout.contextRanks,
			windowsHonoured: input.windowsHonoured ?? input.pinned?.windowsHonoured ?? true,
			blockTokens: input.blockTokens ?? (isLlamaCpp(input.engine) ? 1 : VLLM_BLOCK_TOKENS),
		},
		evidence: said ? "arithmetic" : "assumed",
		from: said ? "" : "; cache type not said: 16-bit assumed",
	};
}

/** A stated input of the question. */
export const given = (value: number, name: string): Figure => ({
	value,
	evidence: "arithmetic",
	from: () => `${name} as given`,
});

/** The weakest evidence of some figures. */
export const weakestOf = (...figures: { evidence: Evidence }[]): Evidence =>
	weakest(...figures.map((figure) => figure.evidence));
