import type { Evidence, Source } from "../trust/quantity.ts";
import type { AmountRange, CacheTerms } from "./price.ts";

/** What a provider says of its prompt cache: facts of a day, to be read again before money rests on them. */
export interface CacheScheme {
	id: string;
	provider: string;
	scheme: Exclude<CacheTerms["scheme"], "none">;
	/** Multiple of the input price for what is written; 1 where writing costs nothing extra. */
	write: number;
	/** Multiple of the input price for what is read; a range where models differ. */
	read: AmountRange;
	/** USD per million tokens and hour; null where storage is not charged. */
	storageUsdPerMillionTokenHour: AmountRange | null;
	/** Shortest prefix that is remembered, tokens: a range where models differ; null: not said. */
	minimumPrefixTokens: AmountRange | null;
	/** Seconds that an unused prefix is kept; null: not said. */
	lifetimeSeconds: AmountRange | null;
	/** Whether a hit starts the lifetime again; null: not said. */
	renewedByHit: boolean | null;
	notes: string[];
	evidence: Evidence;
	source: Source;
}

const anthropic = {
	provider: "Anthropic",
	scheme: "paid write",
	read: { low: 0.025, high: 0.1 },
	storageUsdPerMillionTokenHour: null,
	minimumPrefixTokens: { low: 512, high: 4096 },
	renewedByHit: true,
	notes: [
		"Reads cost 0.1 of the input price, 0.025 with two models.",
		"Shortest prefix 512, 1,024, 2,048 or 4,096 tokens, by model.",
		"At most 4 marks in a prompt; 20 blocks before a mark are looked at.",
	],
	evidence: "vendor",
	source: {
		label: "Anthropic, prompt caching",
		href: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
		date: "2026-09-21",
	},
} as const;

/** The schemes that are on the market, as their providers described them. */
export const CACHE_SCHEMES: readonly CacheScheme[] = [
	{
		...anthropic,
		id: "anthropic-5-minutes",
		write: 1.25,
		lifetimeSeconds: { low: 300, high: 300 },
		notes: [...anthropic.notes],
	},
	{
		...anthropic,
		id: "anthropic-1-hour",
		write: 2,
		lifetimeSeconds: { low: 3600, high: 3600 },
		notes: [...anthropic.notes],
	},
	{
		id: "openai",
		provider: "OpenAI",
		scheme: "free write",
		write: 1,
		read: { low: 0.5, high: 0.5 },
		storageUsdPerMillionTokenHour: null,
		minimumPrefixTokens: { low: 1024, high: 1024 },
		lifetimeSeconds: { low: 300, high: 3600 },
		renewedByHit: true,
		notes: [
			"Read price of the models it was announced with; later models list their own.",
			"Remembered in steps of 128 tokens, without being asked for; usually forgotten after 5 to 10 minutes without use, at the latest after an hour.",
		],
		evidence: "vendor",
		source: {
			label: "OpenAI, Prompt Caching in the API",
			href: "https://openai.com/index/api-prompt-caching/",
			date: "2026-11-30",
		},
	},
	{
		id: "deepseek",
		provider: "DeepSeek",
		scheme: "free write",
		write: 1,
		read: { low: 0.1, high: 0.1 },
		storageUsdPerMillionTokenHour: null,
		minimumPrefixTokens: null,
		lifetimeSeconds: null,
		renewedByHit: null,
		notes: ["$0.014 against $0.14 per million tokens when it was announced in August 2024; kept on disk."],
		evidence: "vendor",
		source: {
			label: "DeepSeek, Context Caching on Disk",
			href: "https://platform.deepseek.com/api-docs/news/news0802/",
			date: "2026-11-30",
		},
	},
	{
		id: "google-explicit",
		provider: "Google",
		scheme: "paid storage",
		write: 1,
		read: { low: 0.25, high: 0.25 },
		storageUsdPerMillionTokenHour: { low: 4.5, high: 4.5 },
		minimumPrefixTokens: { low: 1024, high: 2048 },
		lifetimeSeconds: { low: 3600, high: 3600 },
		renewedByHit: false,
		notes: [
			"Prices of Gemini 1.5 and 2.5 Pro: $1.25 per million prompt tokens, about $0.31 where they are remembered, $4.50 an hour for a million kept, even with no traffic.",
			"Kept for an hour unless told otherwise. Shortest prefix 1,024 (Flash) or 2,048 (Pro) tokens.",
		],
		evidence: "vendor",
		source: {
			label: "Google, context caching of the Gemini API",
			href: "https://ai.google.dev/gemini-api/docs/caching",
			date: "2026-11-30",
		},
	},
];
