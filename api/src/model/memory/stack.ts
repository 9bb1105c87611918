import { bytes, count, figure } from "../trust/figures.ts";
import type { Quantity, Source } from "../trust/quantity.ts";
import { type Figure, state, type Wording } from "../trust/statement.ts";
import type { MemoryAnswer } from "./answer.ts";
import {
	type CacheCost,
	cacheCost,
	describePerToken,
	describeSequence,
	longestContext,
	sequenceBytes,
	sequencesIn,
} from "./cache-cost.ts";
import { defaultOverhead, isLlamaCpp, VLLM_UTILISATION } from "./defaults.ts";
import { given, type Layout, layoutOf, type MemoryInput, weakestOf } from "./input.ts";
import { bitsPerWeight, weightBytes } from "./weights.ts";

/** The numbers of the memory stack without words: what plan() and the charts read. Bytes per GPU; null: unknown. */
export interface MemoryFigures {
	layout: Layout;
	cost: CacheCost | null;
	missingCost: string;
	total: Figure;
	utilisation: Figure;
	weights: Figure;
	overhead: Figure & { low?: number; high?: number };
	pool: Figure;
	context: number;
	batch: number;
}

/**
 * What the card holds and how much of it is left for the cache.
 * pool = total × utilisation − weights − overhead, or the pool that the engine printed.
 */
export function memoryFigures(input: MemoryInput): MemoryFigures {
	const layout = layoutOf(input);
	const cost = cacheCost(input, layout);
	const total = totalOf(input);
	const utilisation = utilisationOf(input);
	const weights = weightsOf(input, layout);
	const overhead = overheadOf(input, total.value);
	return {
		layout,
		cost: typeof cost === "string" ? null : cost,
		missingCost: typeof cost === "string" ? cost : "",
		total,
		utilisation,
		weights,
		overhead,
		pool: poolOf(input, total, utilisation, weights, overhead),
		context: input.context ?? 0,
		batch: input.batch ?? 1,
	};
}

/** Sequences of `context` tokens that fit over all replicas; null where pool or geometry are unknown. */
export function maxSequences({ cost, pool, layout }: MemoryFigures, context: number): number | null {
	if (!cost || pool.value === null) return null;
	return sequencesIn(cost, pool.value, Math.max(1, context)) * layout.replicas;
}

/**
 * The memory stack of one GPU and what fits in it, each figure with its evidence and arithmetic.
 * @returns bytes per GPU; a negative pool says by how much the model does not fit
 * @source DESIGN 2.1, 2.2
 */
export function memoryStack(input: MemoryInput, wording: Wording = {}): MemoryAnswer {
	return stackOf(memoryFigures(input), input, wording);
}

/** The quantities of figures that were worked out before. */
export function stackOf(figures: MemoryFigures, input: MemoryInput, wording: Wording): MemoryAnswer {
	const { total, weights, overhead, cost } = figures;
	const sources = input.model?.sources ?? [];
	const part = (part: Figure) =>
		state(
			part.value,
			"bytes",
			part.evidence,
			() => (part.value === null ? part.from : `${bytes(part.value)}: ${part.from}`),
			wording,
			part.sources,
		);
	const overheadBytes = part(overhead);
	if (overhead.low !== undefined && overhead.high !== undefined)
		Object.assign(overheadBytes, { low: overhead.low, high: overhead.high });
	return {
		kvBytesPerToken: state(
			cost?.perToken ?? null,
			"bytes/token",
			cost?.tokenEvidence ?? "assumed",
			() => (cost ? describePerToken(cost) : figures.missingCost),
			wording,
			sources,
		),
		kvBytesPerSequence: state(
			cost ? sequenceBytes(cost, figures.context) : null,
			"bytes",
			cost?.sequenceEvidence ?? "assumed",
			() => (cost ? describeSequence(cost, figures.context) : figures.missingCost),
			wording,
			sources,
		),
		poolBytes: part(figures.pool),
		weightsBytes: part(weights),
		overheadBytes,
		totalBytes: part(total),
		reservedBytes: reserved(figures, wording),
		...use(figures, input, wording, sources),
	};
}

function reserved(
	{ total, utilisation, weights, overhead, pool }: MemoryFigures,
	wording: Wording,
): Quantity {
	const known = [total, weights, overhead, pool].every((figure) => figure.value !== null);
	const rest = (total.value ?? 0) - (weights.value ?? 0) - (overhead.value ?? 0) - (pool.value ?? 0);
	return state(
		known ? rest : null,
		"bytes",
		weakestOf(total, utilisation, weights, overhead, pool),
		() =>
			known
				? `${bytes(total.value ?? 0)} − ${bytes(weights.value ?? 0)} weights − ${bytes(overhead.value ?? 0)} overhead − ${bytes(pool.value ?? 0)} pool = ${bytes(rest)} that the engine leaves alone`
				: "not known: a part of the stack is missing",
		wording,
	);
}

function use(
	figures: MemoryFigures,
	{ model }: MemoryInput,
	wording: Wording,
	sources: readonly Source[],
): Pick<MemoryAnswer, "kvUsedBytes" | "freeBytes" | "maxSequences" | "maxContext"> {
	const { cost, pool, batch, context, layout } = figures;
	const each = Math.ceil(batch / layout.replicas);
	const used = cost ? each * sequenceBytes(cost, context) : null;
	const lacking = figures.missingCost || pool.from;
	const evidence = cost ? weakestOf(pool, { evidence: cost.sequenceEvidence }) : "assumed";
	const free = used === null || pool.value === null ? null : pool.value - used;
	const most = maxSequences(figures, context);
	const longest = cost && pool.value !== null ? longestContext(cost, pool.value, each) : null;
	const modelLimit = model?.maxContextTokens ?? null;
	return {
		kvUsedBytes: state(
			used,
			"bytes",
			cost?.sequenceEvidence ?? "assumed",
			() =>
				cost
					? `${count(each)} sequences × ${bytes(sequenceBytes(cost, context))} = ${bytes(used ?? 0)}`
					: lacking,
			wording,
		),
		freeBytes: state(
			free,
			"bytes",
			evidence,
			() =>
				free === null
					? lacking
					: `${bytes(pool.value ?? 0)} pool − ${bytes(used ?? 0)} used = ${bytes(free)}${free < 0 ? `: does not fit, short by ${bytes(-free)}` : ""}`,
			wording,
		),
		maxSequences: state(
			most,
			"sequences",
			evidence,
			() => (most === null ? lacking : describeMost(figures, most)),
			wording,
			[...sources, ...(pool.sources ?? [])],
		),
		maxContext: state(
			longest ?? (cost && pool.value !== null ? modelLimit : null),
			"tokens",
			evidence,
			() =>
				cost && pool.value !== null
					? `${longest === null ? "length costs no memory beyond the windows and states" : `longest at which ${count(each)} ${each === 1 ? "sequence fits" : "sequences fit"} in ${bytes(pool.value)}: ${count(longest)} tokens`}${modelLimit ? `; the model itself ends at ${count(modelLimit)}` : ""}`
					: lacking,
			wording,
			sources,
		),
	};
}

function describeMost({ cost, pool, layout, context }: MemoryFigures, most: number): string {
	const size = cost ? sequenceBytes(cost, context) : 0;
	const poolBytes = pool.value ?? 0;
	const times = layout.replicas > 1 ? ` × ${layout.replicas} replicas` : "";
	if (poolBytes <= 0)
		return `0: the pool is ${bytes(poolBytes)}, the model does not fit, short by ${bytes(-poolBytes)}`;
	const division = `⌊${bytes(poolBytes)} / ${bytes(size)}⌋${times} = ${count(most)}`;
	return most === 0
		? `${division}: one sequence of ${count(context)} tokens is short by ${bytes(size - poolBytes)}`
		: `${division} sequences of ${count(context)} tokens`;
}

function totalOf({ totalBytes, gpu }: MemoryInput): Figure {
	if (totalBytes) return given(totalBytes, "card memory");
	if (!gpu)
		return {
			value: null,
			evidence: "assumed",
			from: "the card's memory needs a GPU of the catalog, or totalBytes: pick a GPU",
		};
	const nominal = gpu.totalBytesBasis === "nominal";
	return {
		value: gpu.totalBytes,
		evidence: gpu.unverified.includes("totalBytes") ? "assumed" : nominal ? "vendor" : "transferred",
		from: nominal
			? `nominal memory of ${gpu.name}, an upper bound: the driver reports 1 to 6 % less`
			: `memory of ${gpu.name} as ${gpu.totalBytesBasis === "engine" ? "an engine" : "the driver"} reported it`,
		sources: gpu.sources,
	};
}

function utilisationOf({ utilisation, engine }: MemoryInput): Figure {
	if (utilisation) return given(utilisation, "share of the card");
	return isLlamaCpp(engine)
		? { value: 1, evidence: "assumed", from: "llama.cpp takes what is free: the whole card assumed" }
		: { value: VLLM_UTILISATION, evidence: "assumed", from: `vLLM's default share of ${VLLM_UTILISATION}` };
}

function weightsOf(input: MemoryInput, { tp, stages }: Layout): Figure {
	const { weightsBytes, weightsBytesTotal, pinned, model, weights } = input;
	const ranks = tp * stages;
	const split = ranks === 1 ? "" : ` / ${ranks} GPUs`;
	if (weightsBytes || weightsBytes === 0) return given(weightsBytes, "weights per GPU");
	if (pinned?.weightsBytes)
		return {
			value: pinned.weightsBytes,
			evidence: "measured",
			from: "weights as the engine printed them",
			sources: pinned.sources,
		};
	if (weightsBytesTotal)
		return {
			value: weightsBytesTotal / ranks,
			evidence: "measured",
			from: `${bytes(weightsBytesTotal)} of tensors as the tool printed them${split}`,
		};
	const bits = bitsPerWeight(weights ?? "bf16");
	if (!model?.paramsTotal || bits === null)
		return {
			value: null,
			evidence: "assumed",
			from: `weight bytes need ${model?.paramsTotal ? `bits per weight of '${weights}', which is not known` : "the parameter count of a model of the catalog"}: give weightsBytes`,
		};
	return {
		value: weightBytes(model.paramsTotal, bits) / ranks,
		evidence: weights && !model.unverified.includes("paramsTotal") ? "estimated" : "assumed",
		from: `${figure(model.paramsTotal / 1e9)} × 10⁹ parameters × ${bits} bits / 8${split}${weights ? ` (${weights})` : " (weight format not said: bf16 assumed)"}`,
		sources: model.sources,
	};
}

function overheadOf(
	{ overheadBytes, pinned, engine }: MemoryInput,
	total: number | null,
): MemoryFigures["overhead"] {
	if (overheadBytes || overheadBytes === 0) return given(overheadBytes, "overhead per GPU");
	const parts = [pinned?.activationBytes, pinned?.graphBytes, pinned?.otherBytes].filter(
		(part): part is number => typeof part === "number",
	);
	if (parts.length > 0)
		return {
			value: parts.reduce((sum, part) => sum + part, 0),
			evidence: "measured",
			from: `${parts.map((part) => bytes(part)).join(" + ")} as the engine printed them`,
			sources: pinned?.sources ?? [],
		};
	return defaultOverhead(engine ?? null, total);
}

function poolOf(
	input: MemoryInput,
	total: Figure,
	utilisation: Figure,
	weights: Figure,
	overhead: Figure,
): Figure {
	const { pinned, weightsBytes, overheadBytes, totalBytes, utilisation: share } = input;
	const overridden = [weightsBytes, overheadBytes, totalBytes, share].some((figure) => figure != null);
	if (pinned?.kvPoolBytes && !overridden)
		return {
			value: pinned.kvPoolBytes,
			evidence: "measured",
			from: "cache pool as the engine printed it",
			sources: pinned.sources,
		};
	const missing = [total, weights, overhead].find((figure) => figure.value === null);
	if (missing) return { value: null, evidence: "assumed", from: missing.from };
	const budget = (total.value ?? 0) * (utilisation.value ?? 1);
	const pool = budget - (weights.value ?? 0) - (overhead.value ?? 0);
	const sum = `${bytes(total.value ?? 0)} × ${utilisation.value} − ${bytes(weights.value ?? 0)} weights − ${bytes(overhead.value ?? 0)} overhead`;
	return {
		value: pool,
		evidence: weakestOf(total, utilisation, weights, overhead),
		from: pool < 0 ? `${sum}: does not fit, short by ${bytes(-pool)}` : sum,
		sources: [...(total.sources ?? []), ...(weights.sources ?? []), ...(overhead.sources ?? [])],
	};
}
