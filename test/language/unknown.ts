import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BLANK_SCENARIO } from "@plimsoll/api/model";
import type { Translate } from "../../web/src/lib/language/translate.ts";

/** Names, and words that other languages borrow: what may stand in Latin letters on a translated page. */
const NAMES = new Set(
	[
		"Plimsoll Llama Qwen DeepSeek Gemma Mistral Mixtral Phi Granite Falcon Nemotron Kimi MiniMax Yi Command Ada Hopper",
		"Blackwell Ampere Ada Lovelace Workstation Server Max Ti Super Pro Ultra Instinct Radeon GeForce Tesla Xeon Ryzen",
		"Anthropic OpenAI Google Vertex Gemini Claude Azure Lambda Akash Vast RunPod OpenRelay NVIDIA Intel Apple Arc",
		"Splitwise Vidur InferenceX InferenceMAX AIConfigurator NoLiMa MLPerf LongBench HuggingFace Linux Ubuntu Docker",
		"Spark silybench privum mercatus npm Haiku Opus Thinkmate",
		"https jsonl node plimsoll Sonnet Flash Jamba Mini mini Large ln llama.cpp vllm sglang bf16 tiny nano chat bench kv ub flash attn fa tp pp dp ep instruct it base log max",
		"curl Enter Escape Tab plain",
		"Patel Yang Modarressi Qin ubergarm ggerganov aiconfigurator Excel Ctrl Shift",
	]
		.join(" ")
		.split(" "),
);

const WORD = /(?<![\p{L}\d_./@-])[A-Z]?[a-z]{2,}(?![\p{L}\d_/@-]|\.\p{L})/gu;

/** Names of runs and configurations keep their words in every language: those of the examples, and what a label says of threads. */
const EXAMPLES: readonly { parameters: { label: string } }[] = JSON.parse(
	readFileSync(join(import.meta.dirname, "../../db/seed/examples/index.json"), "utf8"),
);
const THREADS = / · \d+ threads?/g;
/** What is quoted is somebody's own word: typed, sent, or said by an engine. */
const QUOTED =
	/“[^”]*”|«[^»]*»|"[^"]*"|'[^']*'|\{[^{}]*\}|\b400 Failed to initialize samplers: failed to parse grammar/g;
const KEYS = new Set([...Object.keys(BLANK_SCENARIO), "kv"]);
const withoutNames = (text: string): string =>
	EXAMPLES.reduce(
		(left, { parameters }) => left.replaceAll(parameters.label, ""),
		text.replace(THREADS, "").replace(QUOTED, ""),
	);

/** English words left in a translated text. */
export const englishIn = (text: string): string[] =>
	[...withoutNames(text).matchAll(WORD)]
		.map(([word]) => word)
		.filter((word) => !NAMES.has(word) && !KEYS.has(word));

/** Why a text is not said in the other language; null where it is. */
export function unknownIn(text: string, translate: Translate): string | null {
	const translated = translate(text);
	if (translated === null) return englishIn(text).length > 0 ? "no sentence of the catalogue says it" : null;
	const left = englishIn(translated);
	return left.length > 0 ? `left in English: ${left.join(", ")}` : null;
}
