import type { Figure } from "../trust/statement.ts";

const GIB = 2 ** 30;

/** Share of the card that vLLM takes unless told otherwise. @source vLLM engine arguments, gpu_memory_utilization */
export const VLLM_UTILISATION = 0.9;

/** Tokens of a sequence where a question does not say. */
export const DEFAULT_CONTEXT = 16_384;

/** Tokens of one vLLM cache block. @source vLLM engine arguments, block_size on CUDA */
export const VLLM_BLOCK_TOKENS = 16;

/**
 * Peak activation memory of vLLM with what its graphs and communication take, where no start-up log says.
 * The logs of ten configurations (vllm-memory-split cases: 0.6B to 120B models on H100, 3090, T4, a 48 GB card) print
 * peaks of 0.94 to 8.27 GiB, median 5.2 on cards of 40 GB and more and 2.0 below, and 0.01 to 0.55 GiB outside torch.
 * It does not follow from the config: a 0.6B model took 5.56 GiB, a 24B one 2.12.
 */
const VLLM_LARGE_CARD = { bytes: 5.5 * GIB, low: 1.2 * GIB, high: 8.8 * GIB };
const VLLM_SMALL_CARD = { bytes: 2.3 * GIB, low: 1 * GIB, high: 4 * GIB };
const LARGE_CARD_BYTES = 40e9;

/**
 * Compute buffers and context of llama.cpp, where no start-up log says.
 * Logs print 305 MiB (12B, Vulkan), 520 MiB (30B MoE, ROCm), 313 MiB (235B MoE), 3,362 MiB a card (DeepSeek-V3 at
 * 32k); about 0.4 GiB more goes to the CUDA context.
 */
const LLAMA_CPP = { bytes: 1 * GIB, low: 0.5 * GIB, high: 4 * GIB };

export interface OverheadDefault extends Figure {
	value: number;
	low: number;
	high: number;
}

/** Stated default of activation, graph and communication memory per GPU: assumed, with the range seen in logs. */
export function defaultOverhead(engine: string | null, totalBytes: number | null): OverheadDefault {
	const llama = isLlamaCpp(engine);
	const seen = llama
		? LLAMA_CPP
		: (totalBytes ?? LARGE_CARD_BYTES) >= LARGE_CARD_BYTES
			? VLLM_LARGE_CARD
			: VLLM_SMALL_CARD;
	const range = () =>
		`${(seen.low / GIB).toFixed(1)} to ${(seen.high / GIB).toFixed(1)} GiB in public start-up logs`;
	return {
		value: seen.bytes,
		low: seen.low,
		high: seen.high,
		evidence: "assumed",
		from: () =>
			`assumed ${(seen.bytes / GIB).toFixed(1)} GiB for activations, graphs and communication (${range()}; a start-up log of this configuration replaces it)`,
	};
}

/** Whether the engine allocates like llama.cpp: no blocks, the whole card, layers spread over the GPUs. */
export const isLlamaCpp = (engine: string | null | undefined): boolean =>
	/llama|ggml|gguf|ollama|koboldcpp/i.test(engine ?? "") && !/vllm|sglang|tensorrt/i.test(engine ?? "");
