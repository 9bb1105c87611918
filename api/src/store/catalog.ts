import type { ModelFacts } from "../model/memory/facts.ts";

/** A catalog row as far as names go. */
export interface CatalogEntry {
	id: string;
	name: string;
	/** Other spellings, lower case. */
	aliases: readonly string[];
}

export interface ModelEntry extends CatalogEntry {
	facts: Pick<ModelFacts, "family" | "paramsTotal">;
}

/** The only entry that fits; null where none does or several do. */
function onlyId(entries: readonly CatalogEntry[]): string | null {
	const [first, second] = entries;
	return first && !second ? first.id : null;
}

/** Entries one of whose spellings reads like the given name. */
function namedLike<E extends CatalogEntry>(
	name: string,
	entries: readonly E[],
	normalise: (name: string) => string,
): E[] {
	const wanted = normalise(name);
	if (wanted === "") return [];
	return entries.filter(({ id, name, aliases }) =>
		[id, name, ...aliases].some((spelling) => normalise(spelling) === wanted),
	);
}

const MAKERS = /\b(nvidia|amd|intel|geforce|radeon|instinct|tesla)\b/g;

/** Lower case without maker, marks, remarks in parentheses and a leading or trailing count ("8x", "x8"). */
function normaliseGpu(name: string): string {
	return name
		.toLowerCase()
		.replace(/\([^)]*\)/g, " ")
		.replace(/^\s*\d{1,3}\s*[x×]\s*|\s[x×]\s*\d{1,3}\s*$/g, " ")
		.replace(MAKERS, " ")
		.replace(/(\d)\s+gb\b/g, "$1gb")
		.replace(/[^a-z0-9.]+/g, " ")
		.trim();
}

/** "A, A" (a list of equal devices) is A; different devices are no single GPU. */
function oneDevice(name: string): string {
	const devices = new Set(name.split(",").map((device) => device.trim()));
	return devices.size === 1 ? [...devices].join() : "";
}

/**
 * The catalog's id of a GPU as a tool names it.
 * @returns the id; null where the name is unknown or could be several
 */
export function matchGpu(name: string, entries: readonly CatalogEntry[]): string | null {
	return onlyId(namedLike(oneDevice(name), entries, normaliseGpu));
}

/** Ids of the cards that a name which fits none exactly may mean: each of its words begins a word of theirs. */
export function gpusLike(name: string, entries: readonly CatalogEntry[]): string[] {
	const words = normaliseGpu(name).split(" ").filter(Boolean);
	if (words.length === 0) return [];
	const fits = (spelling: string) => {
		const theirs = normaliseGpu(spelling).split(" ");
		return words.every((word) => theirs.some((one) => one.startsWith(word)));
	};
	return entries.filter(({ id, name, aliases }) => [id, name, ...aliases].some(fits)).map(({ id }) => id);
}

/** Base name of a path or hub id; the model's name inside a hub cache path. */
function baseName(name: string): string {
	const cached = /models--[^/\\]*?--([^/\\]+)/.exec(name);
	return cached?.[1] ?? name.split(/[/\\]/).filter(Boolean).at(-1) ?? "";
}

/** Endings that say how weights are stored: GGUF types, float widths, quantisation recipes, shards. */
const STORAGE = new RegExp(
	`[-._ ](${[
		"gguf|\\d{5}-of-\\d{5}|imatrix|i1|ud|dynamic|quantized|mostly|mix",
		"t?i?q\\d(_\\w+)?|bf16|f16|f32|fp16|fp32|fp8|fp4|nvfp4|mxfp4(_moe)?",
		"awq|gptq|bnb|exl[23]|mlx|int[248]|w\\d+a\\d+|\\d-?bit|\\d+(\\.\\d+)? bpw",
	].join("|")})$`,
);
/** Words of tuning: the shape of the network stays the same. */
const TUNING = /^(instruct|chat|it|hf)$/;

function withoutStorage(name: string): string {
	// "Q4_K - Medium" of llama.cpp's type names.
	const shorter = name
		.replace(/ - (small|medium|large)$/, "")
		.replace(STORAGE, "")
		.replace(/[-._ ]+$/, "");
	return shorter === name ? name : withoutStorage(shorter);
}

/** "meta-llama/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf" → "llama-3.1-8b". */
function normaliseModel(name: string): string {
	return withoutStorage(baseName(name).toLowerCase().trim())
		.replace(/^(meta|nvidia)[-_ ]/, "")
		.replace(/^([a-z]+)(?=\d)/, "$1-")
		.split(/[-_ ]+/)
		.filter((word) => !TUNING.test(word))
		.join("-");
}

/** Architectures in llama.cpp's type names ("qwen3moe 30B.A3B Q8_0") and the families they run. */
const FAMILIES: Record<string, readonly string[]> = {
	llama: ["llama", "mistral", "mixtral"],
	llama4: ["llama4"],
	qwen2: ["qwen2"],
	qwen3: ["qwen3"],
	qwen3moe: ["qwen3_moe"],
	qwen3next: ["qwen3_next"],
	qwen35: ["qwen3_5"],
	qwen35moe: ["qwen3_5_moe"],
	gemma: ["gemma"],
	gemma2: ["gemma"],
	gemma3: ["gemma"],
	gemma4: ["gemma4"],
	deepseek2: ["deepseek_v2", "deepseek_v3", "kimi_k2"],
	"gpt-oss": ["gpt_oss"],
	glm4: ["glm4"],
	phi3: ["phi3"],
	falcon: ["falcon"],
	olmo2: ["olmo2"],
	"minimax-m2": ["minimax_m2"],
	jamba: ["jamba"],
	nemotron_h: ["nemotron_h"],
	nemotron_h_moe: ["nemotron_h"],
	lfm2: ["lfm2"],
	lfm2moe: ["lfm2_moe"],
};

/** Two counts of the same network: a printed one is rounded to four digits. */
const SAME_COUNT = 0.005;
/** A name whose network has clearly another size is another network. */
const OTHER_NETWORK = 0.1;

const apart = (a: number, b: number): number => Math.abs(a - b) / b;

/** Entries of the architecture that a llama.cpp type name begins with and of the same parameter count. */
function sameNetwork(name: string, entries: readonly ModelEntry[], paramsTotal: number): ModelEntry[] {
	const [, architecture = ""] = /^(\S+) [\d.x?]+[bm]?(\.a[\d.]+b)?( |$)/i.exec(name.trim()) ?? [];
	const families = FAMILIES[architecture.toLowerCase()] ?? [];
	return entries.filter(
		({ facts }) =>
			(families.includes(facts.family) || facts.family === architecture.toLowerCase()) &&
			facts.paramsTotal !== null &&
			apart(facts.paramsTotal, paramsTotal) <= SAME_COUNT,
	);
}

/**
 * The catalog's id of a model as a file or a server names it: hub id, GGUF file, path, or type name.
 * A type name like "llama 8B Q4_K - Medium" says too little alone: it needs the parameter count.
 * @param paramsTotal parameters that the tool counted, where it prints them
 * @returns the id; null where the name is unknown or could be several
 */
export function matchModel(
	name: string,
	entries: readonly ModelEntry[],
	paramsTotal: number | null = null,
): string | null {
	const named = namedLike(name, entries, normaliseModel);
	if (paramsTotal === null) return onlyId(named);
	const fitting = named.filter(
		({ facts }) => facts.paramsTotal === null || apart(facts.paramsTotal, paramsTotal) <= OTHER_NETWORK,
	);
	return onlyId(named.length > 0 ? fitting : sameNetwork(name, entries, paramsTotal));
}
