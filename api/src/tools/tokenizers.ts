/// <reference path="./mistral-tokenizer-js.d.ts" />
export const TOKENIZER_IDS = ["o200k", "mistral"] as const;
export type TokenizerId = (typeof TOKENIZER_IDS)[number];

/** What a tokenizer is called, and where its vocabulary comes from. */
export interface TokenizerName {
	id: TokenizerId;
	name: string;
	/** Models whose own tokenizer this is. */
	models: string;
	/** Package and licence. */
	source: string;
}

export const TOKENIZERS: TokenizerName[] = [
	{
		...{ id: "o200k", name: "o200k", models: "gpt-oss, GPT-4o and later" },
		source: "npm gpt-tokenizer 4.0.0, MIT",
	},
	{
		...{ id: "mistral", name: "Mistral 32k", models: "Mistral 7B, Mixtral 8x7B" },
		source: "npm mistral-tokenizer-js 1.0.0, MIT",
	},
];

/** Tokens of a text, exactly. */
type Count = (text: string) => number;

/** Vocabularies are megabytes: each is loaded when it is first asked for, and kept. */
const LOADERS: Record<TokenizerId, () => Promise<Count>> = {
	o200k: async () => {
		const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
		// Words like <|endoftext|> are plain text in a description.
		return (text) => countTokens(text, { disallowedSpecial: NONE });
	},
	mistral: async () => {
		const { default: mistral } = await import("mistral-tokenizer-js");
		// Without the mark of a beginning and the blank before it: the text stands inside a prompt.
		return (text) => mistral.encode(text, false, false).length;
	},
};

const NONE = new Set<string>();

const loaded = new Map<TokenizerId, Promise<Count>>();

function loadOnce(id: TokenizerId): Promise<Count> {
	const count = loaded.get(id) ?? LOADERS[id]();
	loaded.set(id, count);
	return count;
}

export type TokenCounts = Record<TokenizerId, number>;

/** Loads the tokenizers and counts with all of them. */
export async function counter(): Promise<(text: string) => TokenCounts> {
	const [o200k, mistral] = await Promise.all([loadOnce("o200k"), loadOnce("mistral")]);
	return (text) => ({ o200k: o200k(text), mistral: mistral(text) });
}

export const NO_TOKENS: TokenCounts = { o200k: 0, mistral: 0 };

export const addCounts = (a: TokenCounts, b: TokenCounts): TokenCounts => ({
	o200k: a.o200k + b.o200k,
	mistral: a.mistral + b.mistral,
});

/**
 * Longest run of letters, signs or blanks that is counted. Byte-pair merging takes the square of a run's length, and no text
 * that a model reads has one this long.
 */
export const LONGEST_RUN = 1000;

const RUN = new RegExp(
	`[\\p{L}\\p{M}]{${LONGEST_RUN + 1}}|[^\\s\\p{L}\\p{N}]{${LONGEST_RUN + 1}}|\\s{${LONGEST_RUN + 1}}`,
	"u",
);

/** Whether a text has a run that takes too long to count. */
export const hasEndlessRun = (text: string): boolean => RUN.test(text);
