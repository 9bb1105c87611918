import { decide } from "./config-reader.ts";
import type { LayerKind } from "./config-spellings.ts";
import { type GgufReader, peekOwn, rawOwn, readOwn } from "./gguf-reader.ts";

/** What every layer of a GGUF model keeps, and the window of the sliding ones. */
export interface GgufLayers {
	kinds: LayerKind[];
	windowTokens: number | null;
	/** Layers that hold a recurrent state, also beside attention. */
	recurrentLayers: number;
}

/** Every how many layers one is full, where llama.cpp knows it of the architecture. @source llama.cpp's load_hparams */
const PERIODS: Readonly<Record<string, number>> = {
	gemma2: 2,
	gemma3: 6,
	gemma3n: 5,
	"gemma-embedding": 6,
	cohere2: 4,
	olmo2: 4,
	exaone4: 4,
	"gpt-oss": 2,
	llama4: 4,
	smallthinker: 4,
	afmoe: 4,
	plamo3: 8,
};
/** In these the first layer of each period is the full one. */
const FULL_FIRST = /^smallthinker$/;
/** Windows that llama.cpp takes where the file names none. */
const WINDOWS: Readonly<Record<string, number>> = { gemma2: 4096, llama4: 8192 };
/** Architectures without attention. */
const ATTENTION_FREE = /^(mamba2?|rwkv\d.*|arwkv7)$/;
/** Every how many layers one is full, the others being recurrent. */
const INTERVALS = /^(qwen3next|qwen35(moe)?)$/;
const DEFAULT_INTERVAL = 4;

/**
 * Works out what every layer keeps.
 * @param kvHeads KV heads of each layer; layers with none are recurrent where the file names a state, else keep nothing
 */
export function ggufLayers(reader: GgufReader, kvHeads: readonly number[]): GgufLayers {
	const attention = attentionKinds(reader, kvHeads);
	const windowTokens = attention.includes("sliding") ? windowOf(reader) : null;
	const owning = owners(reader, attention);
	const beside = reader.architecture === "falcon-h1";
	return {
		kinds: owning,
		windowTokens,
		recurrentLayers: beside ? kvHeads.length : owning.filter((kind) => kind === "recurrent").length,
	};
}

function attentionKinds(reader: GgufReader, kvHeads: readonly number[]): LayerKind[] {
	const { architecture } = reader;
	if (ATTENTION_FREE.test(architecture)) {
		decide(reader, "layer kinds", `${architecture}: every layer recurrent`);
		return kvHeads.map(() => "recurrent");
	}
	if (INTERVALS.test(architecture)) {
		const interval = readOwn(reader, "layer kinds", "full_attention_interval") ?? DEFAULT_INTERVAL;
		return kvHeads.map((_, i) => ((i + 1) % interval === 0 ? "full" : "recurrent"));
	}
	const slides = slidingLayers(reader, kvHeads.length);
	const others = othersOf(reader, kvHeads.length);
	return kvHeads.map((heads, i) => (heads === 0 ? others(i) : slides[i] ? "sliding" : "full"));
}

/** What layers without KV heads are: recurrent, or feed-forward blocks alone. */
function othersOf(reader: GgufReader, layers: number): (i: number) => LayerKind {
	const state = peekOwn(reader, "ssm.state_size", "shortconv.l_cache");
	if (state === null || state === 0) return () => "none";
	const widths = rawOwn(reader, "feed_forward_length");
	// Nemotron-H: a layer is a mixer, attention, or a feed-forward block, and only the last has a width.
	const apart = Array.isArray(widths) && widths.length >= layers && widths.includes(0);
	decide(reader, "recurrent layers", "layers without KV heads, beside a state size");
	return (i) => (apart && widths[i] !== 0 ? "none" : "recurrent");
}

function windowOf(reader: GgufReader): number | null {
	return peekOwn(reader, "attention.sliding_window") ?? WINDOWS[reader.architecture] ?? null;
}

/** Whether each layer slides. */
function slidingLayers(reader: GgufReader, layers: number): boolean[] {
	const all = (slides: (i: number) => boolean) => Array.from({ length: layers }, (_, i) => slides(i));
	const window = windowOf(reader);
	if (!window) return all(() => false);
	const pattern = rawOwn(reader, "attention.sliding_window_pattern");
	const key = `${reader.architecture}.attention.sliding_window_pattern`;
	if (Array.isArray(pattern) && pattern.length > 0) {
		decide(reader, "layer kinds", `${key}: a list`);
		return all((i) => Boolean(pattern[i % pattern.length]));
	}
	const period = typeof pattern === "number" ? pattern : PERIODS[reader.architecture];
	if (period === undefined) {
		reader.caveats.push(
			`A window of ${window} tokens is named but not which layers use it: every layer is counted as full.`,
		);
		return all(() => false);
	}
	decide(reader, "window", `${window} tokens`);
	decide(
		reader,
		"layer kinds",
		pattern === period
			? `${key} = ${period}`
			: `every ${period}. layer full, the habit of ${reader.architecture}`,
	);
	if (period === 0) return all(() => true);
	const full = FULL_FIRST.test(reader.architecture) ? 0 : period - 1;
	return all((i) => i % period !== full);
}

/** Layers that read another layer's cache, and those that only draft further tokens, own none: the last ones. */
function owners(reader: GgufReader, kinds: LayerKind[]): LayerKind[] {
	const shared =
		readOwnCount(reader, "attention.shared_kv_layers") + readOwnCount(reader, "nextn_predict_layers");
	return kinds.map((kind, i) => (i >= kinds.length - shared ? "none" : kind));
}

function readOwnCount(reader: GgufReader, name: string): number {
	const count = peekOwn(reader, name) ?? 0;
	if (count > 0)
		decide(reader, "cache owners", `${reader.architecture}.${name} = ${count}: the last ones own none`);
	return count;
}
