import {
	type HybridPages,
	hybridBlockTokens,
	hybridPages,
	kvTypeOf,
	layerCosts,
	pageCapacity,
	pagesPerRequest,
	recurrentStateBytes,
	sequencesByShare,
	usageContradiction,
} from "@plimsoll/api/model";
import { GIB, type Input, type Topic } from "./case.ts";

/** Pools that attention and recurrent layers share. */
export const hybridPool: Topic = (input, field) => {
	if (input.has("short_request_pool_share")) return byShare(input, field);
	if (input.has("live_tokens")) return usage(input, field);
	if (input.has("attention_groups")) return given(input, field);
	return pool(input, field);
};

const STATE_BYTES: Record<string, number> = { f32: 4, bf16: 2, f16: 2 };

function stateBytes(input: Input): number {
	const state = input.object("state");
	const common = {
		convKernel: state.number("conv_kernel"),
		stateBytes: STATE_BYTES[state.text("state_dtype")] ?? Number.NaN,
		draftTokens: input.optional("draft_tokens") ?? 0,
		tp: input.optional("tp") ?? 1,
	};
	return state.text("kind") === "mamba2"
		? recurrentStateBytes({
				...common,
				kind: "mamba2",
				heads: state.number("heads"),
				headDim: state.number("head_dim"),
				stateSize: state.number("d_state"),
				groups: state.number("groups"),
			})
		: recurrentStateBytes({
				...common,
				kind: "gated-delta",
				keyHeads: state.number("key_heads"),
				valueHeads: state.number("value_heads"),
				keyDim: state.number("key_dim"),
				valueDim: state.number("value_dim"),
			});
}

/** Costs of one layer of each kind on one rank; the state is already divided. */
function costsOf(input: Input) {
	const kv = kvTypeOf(input.text("kv_dtype")) ?? "bf16";
	const layers = input.optional("full_attention_layers") ?? 1;
	const geometry = {
		layers,
		fullLayers: layers,
		slidingLayers: 0,
		windowTokens: null,
		recurrentLayers: input.optional("linear_layers") ?? 0,
		recurrentStateBytesPerLayer: null,
		heads: input.number("kv_heads"),
		kvHeads: input.number("kv_heads"),
		headDimK: input.number("head_dim"),
		headDimV: input.number("head_dim"),
		slidingKvHeads: null,
		slidingHeadDim: null,
		mla: null,
	};
	return {
		...layerCosts(geometry, { kvK: kv, kvV: kv, tp: input.optional("tp") ?? 1 }),
		recurrentBytes: stateBytes(input),
	};
}

function pool(input: Input, field: string): unknown {
	const costs = costsOf(input);
	const pages = hybridPages(costs, {
		align: input.optional("align") ?? 16,
		statePagesPerGroup: input.optional("state_pages_per_group") ?? 1,
		draftLayers: input.optional("draft_attention_layers") ?? 0,
	});
	const answers: Record<string, () => unknown> = {
		state_bytes_per_layer: () => costs.recurrentBytes,
		attention_bytes_per_token_per_layer: () => costs.full,
		block_tokens: () => hybridBlockTokens(costs.recurrentBytes, costs.full, input.optional("align") ?? 16),
		padding_percent: () => pages.paddingShare * 100,
		layers_per_group: () => pages.layersPerGroup,
		state_groups: () => pages.stateGroups,
	};
	return answers[field]?.() ?? capacity(input, pages, field);
}

function capacity(input: Input, pages: HybridPages, field: string): unknown {
	const available =
		input.optional("pages") ?? Math.floor((input.number("available_kv_gib") * GIB) / pages.pageBytes);
	const of = pageCapacity(pages, available, input.number("max_len"));
	const newer = input.text("token_line") === "concurrency x length";
	return {
		pages: of.pages,
		pages_per_request: of.pagesPerRequest,
		max_concurrency: of.concurrency,
		kv_tokens: newer ? of.tokens : of.tokensByGroups,
	}[field];
}

function given(input: Input, field: string): unknown {
	const each = pagesPerRequest(
		{
			blockTokens: input.number("block_tokens"),
			attentionGroups: input.number("attention_groups"),
			stateGroups: input.number("state_groups"),
			statePagesPerGroup: input.number("state_pages_per_group"),
		},
		input.number("request_tokens"),
	);
	return { pages_per_request: each, max_concurrency: Math.floor(input.number("pages") / each) }[field];
}

function byShare(input: Input, field: string): unknown {
	const share = input.number("short_request_pool_share");
	return {
		max_short_requests: sequencesByShare(share),
		token_equivalent_per_request: share * input.number("pool_tokens"),
	}[field];
}

function usage(input: Input, field: string): unknown {
	const { byTokens, ratio, contradiction } = usageContradiction(
		input.number("live_tokens"),
		input.number("pool_tokens"),
		input.number("measured_usage"),
	);
	return { usage_by_tokens: byTokens, measured_over_naive: ratio, flag: contradiction }[field];
}
