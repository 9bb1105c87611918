import { count, figure } from "../trust/figures.ts";
import { type Evidence, weakest } from "../trust/quantity.ts";
import {
	bytesKept,
	type KvStorage,
	kvBytesPerToken,
	type LayerCosts,
	layerCosts,
	wholeBlocks,
} from "./attention.ts";
import { isLlamaCpp } from "./defaults.ts";
import type { AttentionGeometry } from "./facts.ts";
import { geometryOf, type Layout, type MemoryInput, storageOf } from "./input.ts";
import { elementBytes } from "./kv-type.ts";
import { slidingCells } from "./llama-cells.ts";
import { type HybridPages, hybridPages, pagesPerRequest } from "./pages.ts";

/** What a sequence costs in the cache of one GPU, in a form that can be evaluated thousands of times. */
export interface CacheCost {
	geometry: AttentionGeometry;
	storage: KvStorage & { blockTokens: number };
	costs: LayerCosts;
	pages: HybridPages | null;
	/** Tokens that sliding layers keep of a long sequence; null where they keep all. */
	windowTokens: number | null;
	perToken: number;
	/** Whether some layers hold a state whose size nobody gave: figures are then lower bounds. */
	stateUnknown: boolean;
	tokenEvidence: Evidence;
	sequenceEvidence: Evidence;
	/** What was assumed, in words, each starting with "; ". */
	caveat: string;
}

/** The cache cost of the question, or the words for what is missing. */
export function cacheCost(input: MemoryInput, layout: Layout): CacheCost | string {
	const known = geometryOf(input);
	if (!known.geometry) return known.missing;
	const { storage, evidence, from } = storageOf(input, layout);
	const { geometry } = known;
	const costs = layerCosts(geometry, storage);
	const stateUnknown = geometry.recurrentLayers > 0 && geometry.recurrentStateBytesPerLayer === null;
	const paged =
		!input.blockTokens && !isLlamaCpp(input.engine) && costs.recurrentBytes > 0 && costs.fullLayers > 0;
	const caveats = input.model?.caveats ?? [];
	const tokenEvidence = weakest(known.evidence, evidence, caveats.length > 0 ? "estimated" : "arithmetic");
	const windowsAssumed =
		geometry.slidingLayers > 0 && (input.windowsHonoured ?? input.pinned?.windowsHonoured ?? null) === null;
	return {
		geometry,
		storage,
		costs,
		windowTokens: windowOf(geometry, storage, isLlamaCpp(input.engine)),
		pages: paged ? hybridPages(costs, { statePagesPerGroup: input.statePagesPerGroup ?? 1 }) : null,
		perToken: kvBytesPerToken(geometry, storage),
		stateUnknown,
		tokenEvidence,
		sequenceEvidence: windowsAssumed || stateUnknown || !input.context ? "assumed" : tokenEvidence,
		caveat: [
			from,
			known.evidence === "assumed" ? "; geometry not re-read in a source" : "",
			windowsAssumed ? "; the engine is taken to honour sliding windows" : "",
			input.context ? "" : "; length not said: a default",
			stateUnknown
				? `; the state of ${geometry.recurrentLayers} recurrent layers is not known and not included`
				: "",
			...caveats.map((caveat) => `; ${caveat}`),
		].join(""),
	};
}

/** llama.cpp keeps a batch in flight beside the window, padded; vLLM frees blocks that left the window. */
function windowOf({ windowTokens }: AttentionGeometry, storage: KvStorage, llamaCpp: boolean): number | null {
	if (windowTokens === null || storage.windowsHonoured === false) return null;
	return llamaCpp ? slidingCells(Number.POSITIVE_INFINITY, windowTokens) : windowTokens;
}

/** Cache bytes of one sequence of `context` tokens on one GPU. */
export function sequenceBytes(cost: CacheCost, context: number): number {
	const { costs, storage, windowTokens, pages } = cost;
	if (pages) return pagesPerRequest(pages, context) * pages.pageBytes;
	return bytesKept(costs, windowTokens, storage, context);
}

/** Sequences of `context` tokens that fit in a pool: ⌊pool / bytes of one⌋, 0 for a pool below one. */
export function sequencesIn(cost: CacheCost, poolBytes: number, context: number): number {
	if (poolBytes <= 0) return 0;
	if (!cost.pages) return Math.floor(poolBytes / sequenceBytes(cost, context));
	return Math.floor(Math.floor(poolBytes / cost.pages.pageBytes) / pagesPerRequest(cost.pages, context));
}

/** Largest context at which `batch` sequences fit in a pool, by search; null where length costs nothing more. */
export function longestContext(cost: CacheCost, poolBytes: number, batch: number): number | null {
	const fits = (context: number) => sequencesIn(cost, poolBytes, context) >= batch;
	if (!fits(1)) return 0;
	let reach = 1;
	while (fits(reach * 2)) {
		reach *= 2;
		if (reach > 2 ** 40) return null;
	}
	let [from, to] = [reach, reach * 2];
	while (to - from > 1) {
		const middle = Math.floor((from + to) / 2);
		if (fits(middle)) from = middle;
		else to = middle;
	}
	return from;
}

/** "80 layers × 8 KV heads × 128 × 2 (K, V) × 2 bytes", with heads per GPU where they are split. */
export function describePerToken({ geometry, storage, costs, perToken, caveat }: CacheCost): string {
	const ranks = storage.contextRanks ?? 1;
	const split = (sum: string) => (ranks === 1 ? sum : `(${sum}) / ${ranks} context ranks`);
	const layers = storage.stages === 1 ? "layers" : `layers of ${geometry.fullLayers} on a GPU`;
	const parts =
		costs.fullLayers > 0 ? [`${costs.fullLayers} ${layers} × ${describeLayer(geometry, storage)}`] : [];
	if (geometry.slidingLayers > 0) parts.push(describeSliding(geometry, storage, costs));
	return `${split(parts.join(" + "))} = ${count(perToken)} bytes/token on each GPU${caveat}`;
}

function describeSliding({ windowTokens }: AttentionGeometry, storage: KvStorage, costs: LayerCosts): string {
	const all = `${costs.slidingLayers} sliding layers × ${figure(costs.sliding)} bytes`;
	if (storage.windowsHonoured === false || windowTokens === null) return `${all}, windows not honoured`;
	if (costs.fullLayers === 0) return `${all}, up to their ${count(windowTokens)} tokens`;
	return `0 for ${costs.slidingLayers} sliding layers beyond their ${count(windowTokens)} tokens`;
}

function describeLayer(geometry: AttentionGeometry, { kvK, kvV, tp = 1 }: KvStorage): string {
	const { mla, kvHeads, headDimK, headDimV } = geometry;
	const [k, v] = [elementBytes(kvK), elementBytes(kvV)];
	if (mla)
		return `(latent ${mla.kvLoraRank} + rope ${mla.qkRopeHeadDim}) × ${k} bytes (${kvK}), whole on every rank`;
	const heads = tp === 1 ? `${kvHeads} KV heads` : `max(1, ${kvHeads}/${tp}) KV heads`;
	return k === v && headDimK === headDimV
		? `${heads} × ${headDimK} × 2 (K, V) × ${k} bytes (${kvK})`
		: `${heads} × (${headDimK} × ${k} bytes (K ${kvK}) + ${headDimV} × ${v} bytes (V ${kvV}))`;
}

/** Words for the bytes of one sequence. */
export function describeSequence(cost: CacheCost, context: number): string {
	const { pages, costs, storage, windowTokens, perToken } = cost;
	const total = `${count(Math.round(sequenceBytes(cost, context)))} bytes`;
	if (pages)
		return `⌈${count(context)} / ${count(pages.blockTokens)}⌉ attention pages + ${pages.stateGroups} × ${pages.statePagesPerGroup} state pages = ${pagesPerRequest(pages, context)} pages × ${count(pages.pageBytes)} bytes = ${total}`;
	const tokens = wholeBlocks(context, storage.blockTokens);
	const rounded = tokens === context ? "" : ` (${count(context)} in blocks of ${storage.blockTokens})`;
	const parts = [`${count(perToken)} bytes × ${count(tokens)} tokens${rounded}`];
	if (windowTokens !== null && costs.fullLayers > 0 && costs.slidingLayers > 0)
		parts.push(
			`${costs.slidingLayers} sliding layers × ${count(costs.sliding)} bytes × ${count(Math.min(tokens, wholeBlocks(windowTokens, storage.blockTokens)))} tokens`,
		);
	if (costs.recurrentLayers > 0 && !cost.stateUnknown)
		parts.push(`state of ${costs.recurrentLayers} layers × ${count(costs.recurrentBytes)} bytes`);
	return `${parts.join(" + ")} = ${total}${cost.caveat}`;
}
