import {
	type AttentionGeometry,
	kvBytesPerToken,
	memoryStack,
	rankScaling,
	readGauges,
	sequencesByShare,
} from "@plimsoll/api/model";
import type { Input, Topic } from "./case.ts";

/** What-if questions that a planner is asked. */
export const whatIf: Topic = (input, field) => {
	if (input.has("tp_copies")) return latentCopies(input, field);
	if (input.has("compute_buffer_gb")) return buffer(input, field);
	if (input.has("rps")) return saturation(input, field);
	if (input.has("offered")) return queue(input, field);
	const [first] = input.rows("rows");
	if (first?.has("latency_s")) return ranks(input, field);
	if (first?.has("pp_ts")) return prefillSpeed(input, field);
	if (first?.has("tpot_ms")) return cliff(input, field);
	if (first?.has("plain_rps")) return split(input, field);
	return first?.has("max_len") ? longerLength(input, field) : undefined;
};

function ranks(input: Input, field: string): unknown {
	const scaling = rankScaling(
		input.rows("rows").map((row) => ({ ranks: row.number("tp"), seconds: row.number("latency_s") })),
	);
	return {
		tok_s: scaling.map(({ seconds }) => (input.number("batch") * input.number("output_tokens")) / seconds),
		speedup_vs_tp2: scaling.map(({ speedup }) => speedup),
		efficiency_vs_tp2: scaling.map(({ efficiency }) => efficiency),
	}[field];
}

function prefillSpeed(input: Input, field: string): unknown {
	const seconds = input.rows("rows").map((row) => input.number("context") / row.number("pp_ts"));
	const [, two] = rankScaling(seconds.map((seconds, i) => ({ ranks: i + 1, seconds })));
	return { ttft_s: seconds, ratio: two?.speedup }[field];
}

function cliff(input: Input, field: string): unknown {
	const rows = input.rows("rows");
	const running = rows.filter((row) => !row.has("waiting"));
	// Below a full cache the gauge grows by one request's share; a full one says nothing about the next.
	const free = running.filter((row) => row.number("kv_percent") < 95);
	const shares = free.map((row) => row.number("kv_percent") / row.number("concurrency"));
	const each = shares.reduce((sum, share) => sum + share, 0) / shares.length;
	const asked = Number(/kv_needed_for_(\d+)_percent/.exec(field)?.[1] ?? 0);
	const last = free.at(-1);
	const next = running.find((row) => row.number("concurrency") === (last?.number("concurrency") ?? 0) + 1);
	return asked
		? asked * each
		: {
				kv_percent_per_request: each,
				max_concurrency: sequencesByShare(each / 100),
				tpot_jump: (next?.number("tpot_ms") ?? 0) / (last?.number("tpot_ms") ?? 1),
			}[field];
}

function queue(input: Input, field: string): unknown {
	const each = input.number("kv_tokens") / input.number("running");
	const fits = Math.floor(input.number("kv_tokens") / each);
	return { mean_tokens_per_request: each, fits, waiting: input.number("offered") - fits }[field];
}

function saturation(input: Input, field: string): unknown {
	const gauges = readGauges({
		inputTokens: input.number("input_tokens"),
		requestsPerSecond: input.number("rps"),
		cacheShare: input.number("kv_percent") / 100,
		queueGrows: input.text("waiting") === "growing",
	});
	return {
		offered_prefill_tok_s: gauges.offeredPromptTokensPerSecond,
		saturated: gauges.saturated,
		kv_bound: gauges.cacheBound,
	}[field];
}

const latent: AttentionGeometry = {
	layers: 1,
	fullLayers: 1,
	slidingLayers: 0,
	windowTokens: null,
	recurrentLayers: 0,
	recurrentStateBytesPerLayer: null,
	heads: 128,
	kvHeads: 128,
	headDimK: 192,
	headDimV: 128,
	slidingKvHeads: null,
	slidingHeadDim: null,
	mla: { kvLoraRank: 512, qkRopeHeadDim: 64 },
};

/** Tokens that all GPUs hold together with attention data parallel, over those with every latent on every rank. */
function latentCopies(input: Input, field: string): unknown {
	const rate = (tp: number) => kvBytesPerToken(latent, { kvK: "bf16", kvV: "bf16", tp });
	const gain = (input.number("gpus") / rate(1)) * rate(input.number("tp_copies"));
	return { kv_gain_upper_bound: gain, measured_within: input.number("kv_gain_measured") <= gain }[field];
}

function split(input: Input, field: string): unknown {
	const ratios = input.rows("rows").map((row) => row.number("plain_rps") / row.number("split_rps"));
	return {
		ratio: ratios,
		better: ratios.every((ratio) => ratio > 1)
			? "plain"
			: ratios.every((ratio) => ratio < 1)
				? "split"
				: "depends",
	}[field];
}

function longerLength(input: Input, field: string): unknown {
	const [short, long] = input.rows("rows");
	const loss = (short?.number("kv_gib") ?? 0) - (long?.number("kv_gib") ?? 0);
	const tokens = (long?.number("max_len") ?? 0) - (short?.number("max_len") ?? 0);
	return { kv_loss_gib: loss, gib_per_1000_tokens: (loss / tokens) * 1000 }[field];
}

function buffer(input: Input, field: string): unknown {
	const card = { totalBytes: 80e9, utilisation: 1, weightsBytes: 10e9, context: input.number("context") };
	const pool = (overheadBytes: number) => memoryStack({ ...card, overheadBytes }).poolBytes.value ?? 0;
	const size = input.number("compute_buffer_gb") * 1e9;
	return field === "compute_buffer_included" ? pool(0) - pool(size) === size : undefined;
}
