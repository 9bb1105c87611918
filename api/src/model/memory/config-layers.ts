import { type ConfigReader, decide, need, openConfig, peekCount, read } from "./config-reader.ts";
import { type LayerKind, spelledKinds } from "./config-spellings.ts";

/** Kinds of all layers, shared caches taken out, and the window of the sliding ones. */
export interface LayerKinds {
	layers: number;
	kinds: LayerKind[];
	windowTokens: number | null;
}

/** Layers of a config.json by what they keep. @throws RangeError without a layer count */
export const layersFromConfig = (config: unknown): LayerKinds => layerKinds(openConfig(config));

/** How many layers are of one kind. */
export const countOf = ({ kinds }: LayerKinds, kind: LayerKind): number =>
	kinds.filter((each) => each === kind).length;

const LAYER_KEYS = ["num_hidden_layers", "n_layer", "num_layers", "decoder_layers", "n_layers"];

/**
 * Works out what every layer keeps. Explicit lists win over patterns, patterns over the habits of a family.
 * @throws RangeError without a layer count
 */
export function layerKinds(reader: ConfigReader): LayerKinds {
	const layers = need(reader, "layers", ...LAYER_KEYS);
	const windowTokens = windowOf(reader);
	const kinds = spelledKinds(reader, layers) ?? patterned(reader, layers, windowTokens);
	if (kinds.length !== layers)
		reader.caveats.push(
			`${kinds.length} layers are listed, the layer count says ${layers}: the list counts.`,
		);
	const owning = ownersOf(reader, kinds);
	// A sliding layer whose window is switched off keeps everything.
	const kept = owning.map((kind) => (kind === "sliding" && windowTokens === null ? "full" : kind));
	return { layers, kinds: kept, windowTokens: kept.includes("sliding") ? windowTokens : null };
}

/** Layers that read another layer's cache own none: the last ones, or all but the first of each group. */
function ownersOf(reader: ConfigReader, kinds: LayerKind[]): LayerKind[] {
	const shared = peekCount(reader, "num_kv_shared_layers") ?? 0;
	if (shared > 0) decide(reader, "cache owners", `num_kv_shared_layers = ${shared}: the last ones own none`);
	const group = reader.config.use_cla === true ? (peekCount(reader, "cla_share_factor") ?? 1) : 1;
	if (group > 1) decide(reader, "cache owners", `cla_share_factor = ${group}: one layer of each group owns`);
	return kinds.map((kind, i) => (i >= kinds.length - shared || i % group !== 0 ? "none" : kind));
}

function windowOf(reader: ConfigReader): number | null {
	const { use_sliding_window: used, model_type: family } = reader.config;
	// Qwen2 names a window in every config and uses it only where it is switched on.
	if (used === false || (used === undefined && /^qwen2/.test(String(family)))) {
		decide(reader, "window", "use_sliding_window is off");
		return null;
	}
	return read(
		reader,
		"window",
		"sliding_window",
		"attention_chunk_size",
		"sliding_window_size",
		"attention_window_size",
	);
}

/** Layer kinds from a rule: every n-th full, or the habit of the family. */
function patterned(reader: ConfigReader, layers: number, window: number | null): LayerKind[] {
	const family = String(reader.config.model_type ?? "");
	const interval = peekCount(reader, "full_attention_interval", "attn_layer_period");
	if (interval) {
		const offset = peekCount(reader, "attn_layer_offset") ?? interval - 1;
		decide(reader, "layer kinds", `every ${interval}. layer full, the others recurrent`);
		return each(layers, (i) => (i % interval === offset ? "full" : "recurrent"));
	}
	if (/^(mamba|falcon_mamba|rwkv)/.test(family)) return each(layers, () => "recurrent");
	if (window === null) {
		decide(reader, "layer kinds", "no window, no list: every layer full");
		return each(layers, () => "full");
	}
	const every = periodOf(reader, family);
	if (every) return each(layers, (i) => ((i + 1) % every === 0 ? "full" : "sliding"));
	const first = peekCount(reader, "max_window_layers");
	if (first !== null && reader.config.use_sliding_window === true) {
		decide(reader, "layer kinds", `max_window_layers = ${first}: layers from there on slide`);
		return each(layers, (i) => (i < first ? "full" : "sliding"));
	}
	decide(reader, "layer kinds", "a window without a pattern: every layer slides");
	return each(layers, () => "sliding");
}

const PERIOD_KEYS = [
	"sliding_window_pattern",
	"_sliding_window_pattern",
	"full_attention_every",
	"global_attn_every_n_layers",
	"no_rope_layer_interval",
];

/** Every how many layers one is full: said, or known of the family. */
function periodOf(reader: ConfigReader, family: string): number | null {
	const said = peekCount(reader, ...PERIOD_KEYS);
	if (said) {
		decide(reader, "layer kinds", `every ${said}. layer full`);
		return said;
	}
	const habit = HABITS.find(([pattern]) => pattern.test(family));
	if (!habit) return null;
	decide(reader, "layer kinds", `every ${habit[1]}. layer full, the habit of ${family}`);
	return habit[1];
}

/** Families whose configs may leave their pattern out. @source their modelling code in transformers */
const HABITS: [RegExp, number][] = [
	[/^gemma2/, 2],
	[/^gemma3n/, 5],
	[/^gemma[34]/, 6],
	[/^gpt_oss/, 2],
	[/^(cohere2|llama4|exaone4|olmo3)/, 4],
];

const each = (layers: number, kind: (i: number) => LayerKind): LayerKind[] =>
	Array.from({ length: layers }, (_, i) => kind(i));
