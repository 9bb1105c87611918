import { type ConfigReader, decide, isObject, MOST_LAYERS } from "./config-reader.ts";

/** What a layer keeps of the tokens it has seen. */
export type LayerKind = "full" | "sliding" | "recurrent" | "none";

/** Kinds of all layers as one spelling gives them; null where the config does not use it. */
type Spelling = (config: Record<string, unknown>, layers: number) => LayerKind[] | null;

/** Names of layers. @source ALLOWED_LAYER_TYPES of transformers; configs of Nemotron-H, Zamba2, RecurrentGemma, Jet-Nemotron */
const NAMES: [RegExp, LayerKind][] = [
	[/^(hybrid_)?(s|sliding(_window)?|local|swa|chunked)([_-]?att(entio)?n)?$/, "sliding"],
	[
		/^(linear|lightning|recurrent|mamba|ssm|gated_delta|delta|short_?conv|conv|kda|gdn|rwkv|jet)/,
		"recurrent",
	],
	[/^(f|(full|global|hybrid|softmax|self)([_-]?att(entio)?n)?|att(entio)?n)$/, "full"],
	// Sparse attention reads a part of the tokens and keeps them all.
	[/^(deepseek_sparse_attention|minimax_m3_sparse)$/, "full"],
	[/^(mlp|moe|ffn|feed_?forward|identity|no_?op|none)$/, "none"],
];

/** What a layer of some name keeps. @throws RangeError for a name that nobody knows: it may own a cache */
function kindOf(key: string, name: string): LayerKind {
	const known = NAMES.find(([pattern]) => pattern.test(name.toLowerCase()));
	if (known) return known[1];
	throw new RangeError(
		`${key}: the layer kind ${JSON.stringify(name.slice(0, 60))} is not known, so what it caches cannot be counted; ` +
			"known are full_attention, sliding_attention, chunked_attention, linear_attention, mamba, conv, hybrid, mlp, moe",
	);
}

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
		if (types === undefined || types === null || (Array.isArray(types) && types.length === 0)) return null;
		if (Array.isArray(types) && types.every(isText)) return types.map((name) => kindOf(key, name));
		if (isObject(types) && Object.values(types).every(isNumber))
			return Object.entries(types).flatMap(([name, n]) => times(Number(n), kindOf(key, name)));
		throw new RangeError(`${key}: expected a name for each layer, or a count for each name`);
	};

/** A 0 or 1 for each layer. */
const flagged =
	(key: string, zero: LayerKind, one: LayerKind): Spelling =>
	({ [key]: flags }) =>
		Array.isArray(flags) && flags.length > 0 && flags.every(isNumber)
			? flags.map((flag) => flagOf(key, flag, zero, one))
			: null;

function flagOf(key: string, flag: number, zero: LayerKind, one: LayerKind): LayerKind {
	if (flag === 0) return zero;
	if (flag === 1) return one;
	throw new RangeError(`${key}: ${flag} is neither 0 nor 1`);
}

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
	isText(pattern) ? [...pattern].map(hybridKind) : null;

const HYBRID_LETTERS: Readonly<Record<string, LayerKind>> = {
	"*": "full",
	M: "recurrent",
	"-": "none",
	E: "none",
};

function hybridKind(letter: string): LayerKind {
	const kind = HYBRID_LETTERS[letter];
	if (kind) return kind;
	throw new RangeError(`hybrid_override_pattern: the letter ${JSON.stringify(letter)} is none of * M - E`);
}

/** RecurrentGemma: names repeated, attention always in a window. */
const blockTypes: Spelling = ({ block_types: types }, layers) =>
	Array.isArray(types) && types.every(isText)
		? repeat(
				types.map((type) => (type === "attention" ? "sliding" : kindOf("block_types", type))),
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
