import type { Family } from "../family.ts";
import { LlamaText } from "./text.ts";

const BENCH_HEADER = /^\s*\|\s*model\s*\|[\s\S]{0,400}?\|\s*test\s*\|[\s]*t\/s\s*\|/m;
const BATCHED_HEADER = /^\s*\|\s*PP\s*\|\s*TG\s*\|\s*B\s*\|/m;
const SWEEP_HEADER = /^\s*\|\s*PP\s*\|\s*TG\s*\|\s*N_KV\s*\|/m;
/**
 * What may stand before a line of a log: a time, a service, a level; and never what begins a row of a table or a
 * quotation inside a sentence.
 */
const FRONT = /^(?!\s*\|)\s*(?:[^`\n]{0,80}?[\]|)>:\d] *)?(?:[IWED] )?(?:(?:srv|slot|que) +)?/;
/** Lines that say something by themselves: a time, a buffer, a failure. */
const TELLING = lineOf(
	/(?:\w+: .{0,60}?)?(?:(?:prompt )?eval time =\s*[\d.]+ ms|[\w ]*buffer size =\s*[\d.]+ MiB|failed to decode the batch|llama_decode\(\) failed)|(?:ggml|llama|llm|gguf)_\w+: .*\b(?:error|failed|unable)\b/,
);
/** Lines of the libraries that any program prints while it starts; one alone may be a quotation. */
const STARTING = lineOf(
	/(?:(?:ggml|llama|llm|gguf)_\w+|load_tensors|print_timing|load_model|print_info): |Device \d+: \S/,
);

function lineOf(content: RegExp): RegExp {
	return new RegExp(`${FRONT.source}(?:${content.source})`, "m");
}

function isLog(text: string): boolean {
	if (TELLING.test(text)) return true;
	const first = STARTING.exec(text);
	return first !== null && STARTING.test(text.slice(first.index + first[0].length));
}

function read(text: string) {
	return new LlamaText().read(text);
}

/** Tables of llama-bench in any text: terminal output, a forum post, a page with several runs. */
export const llamaBenchMd: Family = {
	name: "llama-bench md",
	detect: ({ text }) => BENCH_HEADER.test(text),
	document: read,
};

/** Tables of llama-batched-bench. */
export const batchedBenchMd: Family = {
	name: "llama-batched-bench md",
	detect: ({ text }) => BATCHED_HEADER.test(text),
	document: read,
};

/** Tables of llama-sweep-bench. */
export const sweepBenchMd: Family = {
	name: "llama-sweep-bench md",
	detect: ({ text }) => SWEEP_HEADER.test(text),
	document: read,
};

/** Start-up logs and per-request timings of llama-server, llama-cli and relatives. */
export const llamaLog: Family = {
	name: "llama.cpp log",
	detect: ({ text }) => isLog(text),
	document: read,
};
