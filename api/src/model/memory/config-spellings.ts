import type { LayerKind } from "./config-layers.ts";
import { type ConfigReader, decide, MOST_LAYERS } from "./config-reader.ts";

/** Kinds of all layers as one spelling gives them; null where the config does not use it. */
type Spelling = (config: Record<string, unknown>, layers: number) => LayerKind[] | null;

const NAMES: [RegExp, LayerKind][] = [
	[/^(s|sliding|local|swa|chunked)/, "sliding"],
	[/linear|mamba|recurrent|ssm|gated_delta|conv|lightning/, "recurrent"],
	[/^(f|full|global|attention|hybrid)/, "full"],
];
const kindOf = (name: string): LayerKind => NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? "none";

const isNumber = (value: unknown): value is number => typeof value === "number";
const isText = (value: unknown): value is string => typeof value === "string";
const repeat = (kinds: readonly LayerKind[], layers: number): LayerKind[] =>
	Array.from({ length: layers }, (_, i) => kinds[i % kinds.length] ?? "full");

/** One kind several times. @throws RangeError for a count that no model has */
function times(n: number, kind: LayerKind): LayerKind[] {
	if (!Number.isInteger(n) || n < 0 || n > MOST_LAYERS)
		throw new RangeError(`layers: ${n} is no count of layers`);
	return Array<LayerKind>(n).fill(kind);
}

/** A name for each layer, or a count for each name. */
const named =
	(key: string): Spelling =>
	({ [key]: types }) => {
		if (Array.isArray(types) && types.length > 0 && types.every(isText)) return types.map(kindOf);
		if (typeof types !== "object" || types === null || Array.isArray(types)) return null;
		const counts = Object.entries(types).filter((entry): entry is [string, number] => isNumber(entry[1]));
		return counts.flatMap(([name, n]) => times(n, kindOf(name)));
	};

/** A 0 or 1 for each layer. */
const flagged =
	(key: string, zero: LayerKind, one: LayerKind): Spelling =>
	({ [key]: flags }) =>
		Array.isArray(flags) && flags.length > 0 && flags.every(isNumber)
			? flags.map((flag) => (flag === 0 ? zero : one))
			: null;

/** Indices of the layers that attend fully. */
const indexed =
	(of: (config: Record<string, unknown>) => unknown, first: 0 | 1): Spelling =>
	(config, layers) => {
		const full = of(config);
		if (!Array.isArray(full) || !full.every(isNumber)) return null;
		return Array.from({ length: layers }, (_, i) => (full.includes(i + first) ? "full" : "recurrent"));
	};

/** "LLLG": local and global, repeated. */
const letters: Spelling = ({ sliding_window_pattern: pattern }, layers) =>
	isText(pattern) && /^[LG]+$/.test(pattern)
		? repeat(
				[...pattern].map((letter) => (letter === "G" ? "full" : "sliding")),
				layers,
			)
		: null;

/** "M-M*": recurrent, attention, and blocks without a cache. */
const hybridLetters: Spelling = ({ hybrid_override_pattern: pattern }) =>
	isText(pattern)
		? [...pattern].map((letter) => (letter === "*" ? "full" : letter === "M" ? "recurrent" : "none"))
		: null;

/** RecurrentGemma: names repeated, attention always in a window. */
const blockTypes: Spelling = ({ block_types: types }, layers) =>
	Array.isArray(types) && types.every(isText)
		? repeat(
				types.map((type) => (type === "attention" ? "sliding" : kindOf(type))),
				layers,
			)
		: null;

/** Pruned Nemotron models say for each block whether it has attention. */
const blockConfigs: Spelling = ({ block_configs: blocks }) =>
	Array.isArray(blocks)
		? blocks.map((block) =>
				block?.attention?.no_op || block?.attention?.replace_with_linear ? "none" : "full",
			)
		: null;

/** Plain counts. */
const counted: Spelling = (config, layers) => {
	const {
		full_layers: full,
		sliding_layers: sliding,
		linear_layers: linear,
		attention_blocks: blocks,
	} = config;
	if (isNumber(blocks)) return fill({ full: blocks, none: layers - blocks });
	if (!isNumber(full)) return null;
	if (isNumber(linear)) return fill({ full, recurrent: linear });
	return fill({ full, sliding: isNumber(sliding) ? sliding : layers - full });
};

const fill = (counts: Partial<Record<LayerKind, number>>): LayerKind[] =>
	Object.entries(counts).flatMap(([kind, n]) => times(n, kind as LayerKind));

const SPELLINGS: [string, Spelling][] = [
	["layer_types", named("layer_types")],
	["layers_block_type", named("layers_block_type")],
	["hybrid_override_pattern: * attention, M recurrent, - and E without a cache", hybridLetters],
	["hybrid_layer_pattern: 1 sliding, 0 full", flagged("hybrid_layer_pattern", "full", "sliding")],
	["no_rope_layers: 1 chunked, 0 full", flagged("no_rope_layers", "full", "sliding")],
	["attn_type_list: 1 full, 0 recurrent", flagged("attn_type_list", "recurrent", "full")],
	["attn_layer_indices", indexed((config) => config.attn_layer_indices, 0)],
	["full_attn_layers", indexed((config) => Object(config.linear_attn_config).full_attn_layers, 1)],
	["sliding_window_pattern in letters", letters],
	["block_types", blockTypes],
	["block_configs: which blocks have attention", blockConfigs],
	["counts of layers", counted],
];

/** Layer kinds that the config spells out, by the first spelling that it uses; null where it uses none. */
export function spelledKinds(reader: ConfigReader, layers: number): LayerKind[] | null {
	for (const [from, spelling] of SPELLINGS) {
		const kinds = spelling(reader.config, layers);
		if (kinds === null) continue;
		decide(reader, "layer kinds", from);
		return kinds;
	}
	return null;
}
