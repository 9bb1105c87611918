import type { Family } from "../family.ts";
import { LlamaText } from "./text.ts";

const BENCH_HEADER = /^\s*\|\s*model\s*\|[\s\S]{0,400}?\|\s*test\s*\|[\s]*t\/s\s*\|/m;
const BATCHED_HEADER = /^\s*\|\s*PP\s*\|\s*TG\s*\|\s*B\s*\|/m;
const SWEEP_HEADER = /^\s*\|\s*PP\s*\|\s*TG\s*\|\s*N_KV\s*\|/m;
const LOG_LINE =
	/ggml_(?:cuda|hip|vulkan|metal|sycl)\w*: |llama_model_load|llama_(?:perf_context_print|print_timings|kv_cache|context|bench|new_context)|\bsrv +load_model: |print_timing: |load_tensors: |failed to decode the batch|llama_decode\(\) failed|(?:prompt )?eval time =\s*[\d.]+ ms/;

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
	detect: ({ text }) => LOG_LINE.test(text),
	document: read,
};
