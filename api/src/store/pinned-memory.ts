import type { Conditions } from "../ingest/index.ts";
import {
	bytes,
	count,
	isLlamaCpp,
	kvTypeOf,
	type PinnedMemory,
	percent,
	type Source,
} from "../model/index.ts";

export type MemoryFigures = Omit<PinnedMemory, "sources" | "kvK" | "kvV" | "unknown">;

/** Memory figures of one start of an engine, and how far they speak of the configuration that is asked about. */
export interface KnownStart {
	figures: MemoryFigures;
	conditions: Conditions;
	/** Conditions that could not be compared; empty for a start of this very configuration. */
	unknown: string[];
	source: Source;
}

/** What a configuration says of its own memory. */
export interface Asked {
	kvK: string | null;
	/** Memory of its card, bytes; null: the catalog does not know the GPU. */
	cardBytes: number | null;
}

/** Starts named as sources. */
const NAMED = 5;

/**
 * The figures of several starts as one. Each figure comes from the starts that match best (with the fewest conditions
 * that could not be compared) and have it; of starts that differ the tighter counts: the smallest cache, the largest of
 * what lies beside it.
 * @returns null where no start says anything
 */
export function mergeStarts(asked: Asked, all: readonly KnownStart[]): PinnedMemory | null {
	const starts = all.filter((start) => fitsOnCard(start, asked)).map((start) => asLimits(start, asked));
	const figures = FIGURES.map((figure) => tightest(figure, starts));
	const windows = best(starts, ({ figures: { windowsHonoured } }) => windowsHonoured);
	const used = starts.filter(
		(start) => figures.some(({ from }) => from.includes(start)) || windows.includes(start),
	);
	if (used.length === 0) return null;
	const value = (key: FigureKey) => figures.find((figure) => figure.key === key)?.value ?? null;
	return {
		weightsBytes: value("weightsBytes"),
		kvPoolBytes: value("kvPoolBytes"),
		kvTokens: value("kvTokens"),
		activationBytes: value("activationBytes"),
		graphBytes: value("graphBytes"),
		otherBytes: value("otherBytes"),
		maxModelLen: value("maxModelLen"),
		windowsHonoured:
			windows.length === 0 ? null : windows.every(({ figures }) => figures.windowsHonoured === true),
		utilisation: value("utilisation"),
		...cacheTypes(used),
		sources: sourcesOf(used),
		unknown: [...new Set(used.flatMap(({ unknown }) => unknown))],
		remarks: [
			...new Set([
				...used.flatMap(({ figures: { remarks } }) => remarks ?? []),
				...figures.flatMap(({ remark }) => remark ?? []),
			]),
		],
	};
}

type FigureKey = Exclude<keyof MemoryFigures, "windowsHonoured" | "remarks">;

interface FigureRule {
	key: FigureKey;
	name: string;
	takes: "smallest" | "largest";
	write: (value: number) => string;
}

const tokens = (value: number) => `${count(value)} tokens`;

const FIGURES: readonly FigureRule[] = [
	{ key: "weightsBytes", name: "weights", takes: "largest", write: bytes },
	{ key: "kvPoolBytes", name: "the cache", takes: "smallest", write: bytes },
	{ key: "kvTokens", name: "the tokens of the cache", takes: "smallest", write: tokens },
	{ key: "activationBytes", name: "activations", takes: "largest", write: bytes },
	{ key: "graphBytes", name: "graphs", takes: "largest", write: bytes },
	{ key: "otherBytes", name: "other memory", takes: "largest", write: bytes },
	{ key: "maxModelLen", name: "the longest request", takes: "smallest", write: tokens },
	{ key: "utilisation", name: "the share of the card", takes: "smallest", write: percent },
];

/** Starts that say something, of those the ones with the fewest conditions that could not be compared. */
function best(starts: readonly KnownStart[], of: (start: KnownStart) => unknown): KnownStart[] {
	const saying = starts.filter((start) => of(start) !== null);
	const fewest = Math.min(...saying.map(({ unknown }) => unknown.length));
	return saying.filter(({ unknown }) => unknown.length === fewest);
}

/** Figures closer than this are one figure, printed twice. */
const SAME = 0.005;

function tightest({ key, name, takes, write }: FigureRule, starts: readonly KnownStart[]) {
	const from = best(starts, ({ figures }) => figures[key] ?? null);
	const values = from.flatMap(({ figures }) => figures[key] ?? []);
	if (values.length === 0) return { key, value: null, from, remark: null };
	const [low, high] = [Math.min(...values), Math.max(...values)];
	const differ = high > low * (1 + SAME);
	return {
		...{ key, from, value: takes === "smallest" ? low : high },
		remark: differ
			? `Starts differ in ${name} (${write(low)} to ${write(high)}): the ${takes} is used.`
			: null,
	};
}

/** llama.cpp makes the cache that it is asked for; how much more there is room for, its figures do not say. */
function asLimits(start: KnownStart, { kvK }: Asked): KnownStart {
	const { figures, conditions } = start;
	if (isLlamaCpp(conditions.engine)) return { ...start, figures: withoutCache(figures) };
	// How many tokens a pool holds depends on a cache type that this start does not name.
	const unclear = conditions.kvK === null && kvK !== null && figures.kvPoolBytes !== null;
	return unclear ? { ...start, figures: { ...figures, kvTokens: null } } : start;
}

function withoutCache(figures: MemoryFigures): MemoryFigures {
	const { kvPoolBytes, kvTokens, remarks = [] } = figures;
	if (kvPoolBytes === null && kvTokens === null) return figures;
	const asked = [kvTokens === null ? "" : tokens(kvTokens), kvPoolBytes === null ? "" : bytes(kvPoolBytes)];
	const remark = `The cache of that start (${asked.filter(Boolean).join(", ")}) is what it was asked for, not all there is room for.`;
	return { ...figures, kvPoolBytes: null, kvTokens: null, maxModelLen: null, remarks: [...remarks, remark] };
}

/** Weights and cache of what an engine takes; the rest is scratch, most of all on small cards. */
const LEAST_FILLED = 0.6;
/** Share that vLLM takes of a card where its start does not say. */
const USUAL_SHARE = 0.9;

/** A start that does not name its GPU can only be of this one where its figures fill it. */
function fitsOnCard({ figures, unknown, conditions }: KnownStart, { cardBytes }: Asked): boolean {
	const { weightsBytes, kvPoolBytes, utilisation } = figures;
	if (!unknown.includes(GPU) || cardBytes === null || isLlamaCpp(conditions.engine)) return true;
	if (weightsBytes === null || kvPoolBytes === null) return true;
	const share = (weightsBytes + kvPoolBytes) / cardBytes;
	return share >= LEAST_FILLED * (utilisation ?? USUAL_SHARE) && share <= (utilisation ?? 1);
}

/** How the GPU is named among the conditions that could not be compared. */
export const GPU = "GPU";

function cacheTypes(starts: readonly KnownStart[]): Pick<PinnedMemory, "kvK" | "kvV"> {
	const said = starts.find(({ conditions }) => kvTypeOf(conditions.kvK) !== null)?.conditions;
	const kvK = kvTypeOf(said?.kvK);
	return { kvK, kvV: kvTypeOf(said?.kvV) ?? kvK };
}

function sourcesOf(starts: readonly KnownStart[]): Source[] {
	return [...new Map(starts.map(({ source }) => [source.href, source])).values()].slice(0, NAMED);
}
