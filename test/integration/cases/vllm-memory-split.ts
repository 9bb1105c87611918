import { blocksOf, type CardSplit, poolBytes, poolContradiction, poolShare } from "@plimsoll/api/model";
import { GIB, type Input, MIB, type Topic } from "./case.ts";
import { catalogKvBytes } from "./catalog.ts";

const BLOCK_TOKENS = 16;

/** How vLLM divides a card: total × share = weights + activations + other + cache. */
export const vllmMemorySplit: Topic = (input, field) => {
	if (input.has("cases")) return input.rows("cases").map((row) => negative(row, field));
	if (input.has("total_blocks")) return occupancy(input, field);
	if (input.has("blocks_before")) return inBlocks(input, field);
	if (input.has("graph_estimate_gib")) return graphs(input, field);
	return field in { budget_mib: 1, kv_budget_mib: 1, usable_tokens: 1 }
		? margins(input, field)
		: split(input, field);
};

const splitOf = (
	input: Input,
	utilisation = input.optional("gpu_memory_utilization") ?? input.number("utilization"),
): CardSplit => ({
	totalBytes: input.bytes("total"),
	utilisation,
	weightsBytes: input.has("initial_used_mib") ? 0 : input.bytes("weights"),
	overheadBytes: input.has("initial_used_mib")
		? (input.number("initial_used_mib") + input.number("peak_increase_mib") + input.number("margin_mib")) *
			MIB
		: input.bytes("activation_peak") + input.bytes("non_torch"),
});

function blocks(input: Input) {
	const perToken = input.optional("bytes_per_token") ?? catalogKvBytes(input.text("model"));
	return blocksOf(
		poolBytes(splitOf(input)),
		perToken,
		input.optional("block_tokens") ?? BLOCK_TOKENS,
		input.optional("reserved_blocks") ?? 0,
	);
}

function split(input: Input, field: string): unknown {
	const share = /_at_0_(\d+)$/.exec(field)?.[1];
	const of = splitOf(input, share ? Number(`0.${share}`) : undefined);
	if (field.startsWith("available_kv_gib")) return poolBytes(of) / GIB;
	if (field.startsWith("fits_at_")) return poolBytes(of) > 0;
	const request = /^fits_one_request_of_(\d+)$/.exec(field)?.[1];
	if (request) return blocks(input).tokens >= Number(request);
	const context = /^gib_for_(\d+)$/.exec(field)?.[1];
	if (context) return (Number(context) * input.number("bytes_per_token")) / GIB;
	const answers: Record<string, () => unknown> = {
		blocks: () => blocks(input).blocks,
		kv_tokens: () => blocks(input).tokens,
		kv_tokens_approx: () => blocks(input).tokens,
		max_concurrency: () => blocks(input).tokens / input.number("max_len"),
		flag: () => (poolContradiction(of, input.number("stated_kv_gib") * GIB) ? "inconsistent-row" : null),
	};
	return answers[field]?.();
}

function margins(input: Input, field: string): unknown {
	const of = splitOf(input);
	return {
		budget_mib: poolBytes({ ...of, overheadBytes: 0 }) / MIB,
		kv_budget_mib: poolBytes(of) / MIB,
		usable_tokens: blocks(input).tokens,
	}[field];
}

function occupancy(input: Input, field: string): unknown {
	const share = poolShare(
		[input.number("tokens")],
		input.number("block_tokens"),
		input.number("total_blocks"),
	);
	return { blocks: Math.round(share * input.number("total_blocks")), usage_percent: share * 100 }[field];
}

/** Parts that are more than the card: a pool below zero, no request, and not feasible. */
function negative(row: Input, field: string): unknown {
	const pool = poolBytes({
		totalBytes: row.has("budget_gib") ? row.bytes("budget") : row.bytes("total"),
		utilisation: row.optional("gpu_memory_utilization") ?? 1,
		weightsBytes: row.bytes("weights"),
		overheadBytes: ((row.optional("activation_peak_gib") ?? 0) + (row.optional("non_torch_gib") ?? 0)) * GIB,
	});
	return {
		available_kv_gib: pool / GIB,
		feasible: pool > 0,
		max_concurrency: blocksOf(pool, 1, BLOCK_TOKENS).tokens,
	}[field];
}

function inBlocks(input: Input, field: string): unknown {
	const bytes = (name: string) =>
		input.number(name) * input.number("block_tokens") * input.number("bytes_per_token_per_gpu");
	return { kv_gib_before: bytes("blocks_before") / GIB, kv_gib_after: bytes("blocks_after") / GIB }[field];
}

/** Graph memory is part of the budget: the share it is equivalent to gives the card, without it the cache is larger. */
function graphs(input: Input, field: string): unknown {
	const estimate = input.number("graph_estimate_gib");
	const shares = input.number("gpu_memory_utilization") - input.number("equivalent_without_graphs");
	return {
		total_gib: estimate / shares,
		kv_gib_without_deduction: poolBytes({
			totalBytes: input.number("available_kv_gib"),
			utilisation: 1,
			weightsBytes: 0,
			overheadBytes: -estimate,
		}),
		estimate_error_gib: input.number("graph_actual_gib") - estimate,
	}[field];
}
