import { bytes, count } from "../trust/figures.ts";
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
import { DEFAULT_CONTEXT } from "./defaults.ts";
import { type Layout, layoutOf, type MemoryInput, weakestOf } from "./input.ts";
import { type Overhead, overheadOf, poolOf, totalOf, utilisationOf, weightsOf } from "./parts.ts";

/** The numbers of the memory stack without words: what plan() and the charts read. Bytes per GPU; null: unknown. */
export interface MemoryFigures {
	layout: Layout;
	cost: CacheCost | null;
	missingCost: string;
	total: Figure;
	utilisation: Figure;
	weights: Figure;
	overhead: Overhead;
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
		context: input.context ?? DEFAULT_CONTEXT,
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
			() => (part.value === null ? part.from() : `${bytes(part.value)}: ${part.from()}`),
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
	const lacking = () => figures.missingCost || pool.from();
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
					: lacking(),
			wording,
		),
		freeBytes: state(
			free,
			"bytes",
			evidence,
			() =>
				free === null
					? lacking()
					: `${bytes(pool.value ?? 0)} pool − ${bytes(used ?? 0)} used = ${bytes(free)}${free < 0 ? `: does not fit, short by ${bytes(-free)}` : ""}`,
			wording,
		),
		maxSequences: state(
			most,
			"sequences",
			evidence,
			() => (most === null ? lacking() : describeMost(figures, most)),
			wording,
			() => [...sources, ...(pool.sources ?? [])],
		),
		maxContext: state(
			longest ?? (cost && pool.value !== null ? modelLimit : null),
			"tokens",
			evidence,
			() => (cost && pool.value !== null ? describeLongest(figures, model, longest) : lacking()),
			wording,
			sources,
		),
	};
}

/** What memory holds beside what the model was made for: an engine may be started beyond that, memory alone does not tell. */
function describeLongest(
	{ pool, batch, layout }: MemoryFigures,
	model: MemoryInput["model"],
	longest: number | null,
): string {
	const limit = model?.maxContextTokens ?? null;
	const made = limit === null ? "" : `${model?.name ?? "the model"} was made for ${count(limit)}`;
	if (longest === null)
		return `length costs no memory beyond the windows and states${made === "" ? "" : `; ${made}`}`;
	const each = Math.ceil(batch / layout.replicas);
	const held = `longest at which ${count(each)} ${each === 1 ? "sequence fits" : "sequences fit"} in ${bytes(pool.value ?? 0)}: ${count(longest)} tokens`;
	if (limit === null || longest <= limit) return `${held}${made === "" ? "" : `; ${made}`}`;
	return `${held}: memory holds ${count(longest)}, but ${made}`;
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
