import { type ConfigReader, decide, need, openConfig, peek, read } from "./config-reader.ts";

/** What a layer keeps of the tokens it has seen. */
export type LayerKind = "full" | "sliding" | "recurrent" | "none";

/** Kinds of all layers, shared caches taken out, and the window of the sliding ones. */
export interface LayerKinds {
	layers: number;
	kinds: LayerKind[];
	windowTokens: number | null;
}

/** Layers of a config.json by what they keep. @throws RangeError without a layer count */
export const layersFromConfig = (config: unknown): LayerKinds => layerKinds(openConfig(config));

/** Counts of one kind. */
export const countOf = ({ kinds }: LayerKinds, kind: LayerKind): number =>
	kinds.filter((each) => each === kind).length;

/**
 * Works out what every layer keeps. Explicit lists win over patterns, patterns over the habits of a family.
 * @throws RangeError without a layer count
 */
export function layerKinds(reader: ConfigReader): LayerKinds {
	const layers = need(
		reader,
		"layers",
		"num_hidden_layers",
		"n_layer",
		"num_layers",
		"decoder_layers",
		"n_layers",
	);
	const windowTokens = windowOf(reader);
	const kinds = listed(reader, layers) ?? patterned(reader, layers, windowTokens);
	const owning = read(reader, "layers that share a cache", "num_kv_shared_layers") ?? 0;
	return {
		layers,
		kinds: kinds.map((kind, i) => (i >= layers - owning ? "none" : kind)),
		windowTokens: kinds.includes("sliding") ? windowTokens : null,
	};
}

function windowOf(reader: ConfigReader): number | null {
	if (reader.config.use_sliding_window === false) {
		decide(reader, "window", "use_sliding_window = false");
		return null;
	}
	return read(reader, "window", "sliding_window", "attention_chunk_size", "sliding_window_size");
}

const NAMES: [RegExp, LayerKind][] = [
	[/^(s|sliding|local|swa|chunked)/, "sliding"],
	[/linear|mamba|recurrent|ssm|gated_delta|conv/, "recurrent"],
	[/^(f|full|global|attention|hybrid)/, "full"],
];
const kindOf = (name: string): LayerKind => NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? "none";

/** Layer kinds that the config spells out one by one, or counts. */
function listed(reader: ConfigReader, layers: number): LayerKind[] | null {
	const { config } = reader;
	const types = config.layer_types ?? config.layers_block_type;
	if (Array.isArray(types) && types.every((type) => typeof type === "string")) {
		decide(reader, "layer kinds", `layer_types, a list of ${types.length}`);
		return types.map(kindOf);
	}
	if (types && typeof types === "object" && !Array.isArray(types))
		return counted(reader, Object.entries(types as Record<string, number>), "layer_types");
	const pattern = config.hybrid_override_pattern;
	if (typeof pattern === "string") {
		decide(
			reader,
			"layer kinds",
			"hybrid_override_pattern: * attention, M recurrent, - and E without a cache",
		);
		return [...pattern].map((letter) => (letter === "*" ? "full" : letter === "M" ? "recurrent" : "none"));
	}
	if (Array.isArray(config.hybrid_layer_pattern)) {
		decide(reader, "layer kinds", "hybrid_layer_pattern: 1 sliding, 0 full");
		return config.hybrid_layer_pattern.map((flag) => (flag ? "sliding" : "full"));
	}
	const { full_layers: full, sliding_layers: sliding, attention_blocks: blocks } = config;
	if (typeof full === "number")
		return counted(
			reader,
			[
				["full", full],
				["sliding", typeof sliding === "number" ? sliding : layers - full],
			],
			"full_layers",
		);
	if (typeof blocks === "number")
		return counted(
			reader,
			[
				["full", blocks],
				["no-op", layers - blocks],
			],
			"attention_blocks",
		);
	return blockConfigs(reader);
}

function counted(reader: ConfigReader, counts: [string, number][], key: string): LayerKind[] {
	decide(reader, "layer kinds", `${key}: ${counts.map(([name, n]) => `${n} ${name}`).join(", ")}`);
	return counts.flatMap(([name, n]) => Array<LayerKind>(n).fill(kindOf(name)));
}

/** Pruned Nemotron models say for each block whether it has attention. */
function blockConfigs(reader: ConfigReader): LayerKind[] | null {
	const blocks = reader.config.block_configs;
	if (!Array.isArray(blocks)) return null;
	const kinds = blocks.map(
		(block): LayerKind =>
			block?.attention?.no_op || block?.attention?.replace_with_linear ? "none" : "full",
	);
	decide(
		reader,
		"layer kinds",
		`block_configs: ${kinds.filter((kind) => kind === "full").length} blocks with attention`,
	);
	return kinds;
}

/** Layer kinds from a rule: every n-th full, or the habit of the family. */
function patterned(reader: ConfigReader, layers: number, window: number | null): LayerKind[] {
	const family = String(reader.config.model_type ?? "");
	const interval = peek(reader, "full_attention_interval", "attn_layer_period");
	if (interval) {
		const offset = peek(reader, "attn_layer_offset") ?? interval - 1;
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
	const first = peek(reader, "max_window_layers");
	if (first !== null && reader.config.use_sliding_window === true) {
		decide(reader, "layer kinds", `max_window_layers = ${first}: layers from there on slide`);
		return each(layers, (i) => (i < first ? "full" : "sliding"));
	}
	decide(reader, "layer kinds", "sliding_window without a pattern: every layer slides");
	return each(layers, () => "sliding");
}

/** Every how many layers one is full: said, or known of the family. */
function periodOf(reader: ConfigReader, family: string): number | null {
	const said = peek(
		reader,
		"sliding_window_pattern",
		"full_attention_every",
		"_sliding_window_pattern",
		"global_attn_every_n_layers",
	);
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
	[/^gemma3/, 6],
	[/^gemma4/, 6],
	[/^gpt_oss/, 2],
	[/^cohere2/, 4],
	[/^llama4/, 4],
];

const each = (layers: number, kind: (i: number) => LayerKind): LayerKind[] =>
	Array.from({ length: layers }, (_, i) => kind(i));
