import { isLlamaCpp } from "../memory/defaults.ts";
import { count } from "../trust/figures.ts";
import type { Evidence } from "../trust/quantity.ts";
import type { PlanFacts } from "./question.ts";
import { flag, numeric } from "./setup.ts";

/** Tokens of one pass of an engine, prompts and decoding sequences together. */
export interface ChunkBudget {
	tokens: number;
	/** "arithmetic": as the engine was started; "assumed": its default. */
	evidence: Evidence;
	from: () => string;
}

/** @source vLLM's default max_num_batched_tokens of its server: 8192 on cards of 70 GiB and more, 2048 on smaller ones */
const [LARGE_CARD_BYTES, LARGE_BUDGET, SMALL_BUDGET] = [70 * 2 ** 30, 8192, 2048];
/** @source llama.cpp's default n_batch */
const LLAMA_BATCH = 2048;

/** The budget that a configuration was started with, else the default of its engine on its card. */
export function chunkBudgetOf(engine: string | null, { configuration, gpu }: PlanFacts): ChunkBudget {
	const started = numeric(
		flag(
			configuration?.flags,
			...["max_num_batched_tokens", "max-num-batched-tokens", "chunked_prefill_size", "n_batch"],
		),
	);
	if (started)
		return {
			tokens: started,
			evidence: "arithmetic",
			from: () => `${count(started)}, as the engine was started`,
		};
	if (isLlamaCpp(engine))
		return { tokens: LLAMA_BATCH, evidence: "assumed", from: () => `${LLAMA_BATCH}, llama.cpp's default` };
	const tokens = gpu && gpu.totalBytes < LARGE_CARD_BYTES ? SMALL_BUDGET : LARGE_BUDGET;
	return { tokens, evidence: "assumed", from: () => `${count(tokens)}, vLLM's default on such a card` };
}
